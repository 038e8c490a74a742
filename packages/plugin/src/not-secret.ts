import { randomBytes } from 'node:crypto';

/** Unicode noncharacters, which never occur in text. A marked text is START, the key of the process, the text, END. */
const START = '\uFDD2';
const END = '\uFDD3';
const MARKS = /[\uFDD2\uFDD3\uFDE0-\uFDEF]/g;

/** Holds the key of this process. A registered symbol, so that several copies of this package agree. */
const KEY: unique symbol = Symbol.for('mortise.not-secret-key');
const holder = globalThis as { [KEY]?: string };

/**
 * Marks a text that only looks like a secret (a commit id, the token of a next page, an example), so that results,
 * progress and logs show it. Configured secrets and settings, `secret()` texts and private keys in it are still
 * replaced. A string under a key such as `token` is shown only if all of it is marked. Outside of a server the text is
 * returned without marks (docs/spec/redaction.md#not-secret-marks).
 */
export function notSecret(text: string): string {
  const plain = text.replace(MARKS, '');
  return holder[KEY] === undefined ? plain : START + holder[KEY] + plain + END;
}

/** The key of the marks in this process. The first call creates it; before that `notSecret()` adds no marks. */
export function notSecretKey(): string {
  holder[KEY] ??= [...randomBytes(8).toString('hex')]
    .map((digit) => String.fromCharCode(0xfde0 + Number.parseInt(digit, 16)))
    .join('');
  return holder[KEY];
}

/** Makes `notSecret()` mark texts with the key of another process. */
export function setNotSecretKey(key: string): void {
  holder[KEY] = key;
}
