import { randomBytes } from 'node:crypto';

/** Unicode noncharacters, which text never holds; the key of the process follows the start. */
const START = '\uFDD2';
const END = '\uFDD3';
const MARKS = /[\uFDD2\uFDD3\uFDE0-\uFDEF]/g;

/** The key of this process. A registered symbol, so that several copies of this package agree. */
const KEY: unique symbol = Symbol.for('mortise.not-secret-key');
const holder = globalThis as { [KEY]?: string };

/**
 * Marks a text that only looks like a secret (a commit id, the token of a next page, an example), so that it is shown in results, progress and logs.
 * Still replaced in it: configured secrets and settings, `secret()` texts, and private keys. A string under a key such as `token` is shown if all of it
 * is marked. Without a server around the plugin the text is returned as it is
 * (docs/spec/redaction.md#not-secret-marks).
 */
export function notSecret(text: string): string {
  const plain = text.replace(MARKS, '');
  return holder[KEY] === undefined ? plain : START + holder[KEY] + plain + END;
}

/** The key of the marks that plugins of this process write; from the first call on they write them. */
export function notSecretKey(): string {
  holder[KEY] ??= [...randomBytes(8).toString('hex')]
    .map((digit) => String.fromCharCode(0xfde0 + Number.parseInt(digit, 16)))
    .join('');
  return holder[KEY];
}

/** From now on `notSecret()` marks texts with the key of another process. */
export function setNotSecretKey(key: string): void {
  holder[KEY] = key;
}
