import {
  ALPHANUMERIC,
  BLANK,
  charSet,
  codeAt,
  codeBefore,
  DIGIT,
  isBefore,
  isIn,
  matchEnd,
  runEnd,
  runStart,
} from '../chars.js';
import { DASH, SPACE } from '../codes.js';
import { afterEscape } from '../escapes.js';
import type { Family } from '../scan.js';
import { type KeyKind, keyKind } from '../secret-key.js';
import { FORMS, type Key } from './forms.js';
import { Reading } from './reading.js';

/** Of keys with spaces (`API key: x`, `Public key token: x`). */
const PHRASE_CHARS = charSet('A-Za-z0-9_. -');
const MAX_PHRASE_CHARS = 32;

const KEY_CHARS = charSet('A-Za-z0-9_.-');
const WORD_CHARS = charSet('A-Za-z_');
const JOINS_WORDS = charSet('.-');
const JOINS_NUMBER = charSet('_-');
const MAX_NUMBER_DIGITS = 4;
const S = charSet('sS');
const CLOSES_KEY = charSet('"\'`\\]\\\\&');
const BEFORE_VALUE = charSet('=:%\\r\\n');
const BEFORE_FORM = charSet('<:');

const WORDS = 'password passwd pwd passphrase secret token key credential cookie authorization'.split(' ');
/** What each is as a key by itself, in any case. */
const KINDS_OF_WORDS: ReadonlyMap<string, KeyKind> = new Map(WORDS.map((word) => [word, keyKind(word)]));
/** What other words before it can change. */
const PHRASE_WORDS: ReadonlySet<string> = new Set(['key', 'token']);

/** Values under keys that are secret by their last words. */
export const secretKeys: Family = {
  name: 'secret keys',
  triggers: WORDS,
  read(text, hide) {
    const reading = new Reading(text, hide);
    return (at, trigger) => {
      const key = keyThatEndsIn(reading, at, trigger);
      if (!key) return 0;
      for (const form of FORMS) {
        const next = form(reading, key);
        if (next >= 0) return next;
      }
      return 0;
    };
  },
};

function keyThatEndsIn(reading: Reading, at: number, trigger: string): Key | undefined {
  const { text } = reading;
  const end = endOfKey(text, at + trigger.length, trigger);
  if (end < 0) return undefined;
  const start = afterEscape(text, reading.keyStart(at), at);
  if (!mayHaveValue(text, end) && codeAt(text, start) !== DASH && !isBefore(text, start, BEFORE_FORM)) return undefined;
  const kind = kindOf(text, start, end, at, trigger);
  return kind && { kind, start, end };
}

function kindOf(text: string, start: number, end: number, wordStart: number, trigger: string): KeyKind {
  if (start < wordStart) return keyKind(text, start, end);
  const isAfterWord = codeBefore(text, start) === SPACE && PHRASE_WORDS.has(trigger);
  if (isAfterWord) return keyKind(text, runStart(text, start, PHRASE_CHARS, MAX_PHRASE_CHARS), end);
  return end === wordStart + trigger.length ? KINDS_OF_WORDS.get(trigger) : keyKind(text, start, end);
}

function mayHaveValue(text: string, keyEnd: number): boolean {
  return isIn(text, keyEnd, CLOSES_KEY) || isIn(text, runEnd(text, keyEnd, BLANK), BEFORE_VALUE);
}

/** Where the last word and its number end, or -1 when the key goes on. */
function endOfKey(text: string, wordEnd: number, trigger: string): number {
  const singular = trigger === 'credential' && isIn(text, wordEnd, S) ? wordEnd + 1 : wordEnd;
  if (!isIn(text, singular, KEY_CHARS)) return singular;
  const end = afterNumber(text, singular);
  return goesOn(text, end) ? -1 : end;
}

/** Past a number of up to four digits: `password1`, `PASSWORD_2`. */
function afterNumber(text: string, at: number): number {
  const from = isIn(text, at, JOINS_NUMBER) ? at + 1 : at;
  const end = Math.min(runEnd(text, from, DIGIT), from + MAX_NUMBER_DIGITS);
  return end === from ? at : end;
}

/** Whether the word was not the last: `passwordless`, `token.type`. */
function goesOn(text: string, at: number): boolean {
  return isIn(text, at, WORD_CHARS) || (isIn(text, at, JOINS_WORDS) && isIn(text, at + 1, ALPHANUMERIC));
}

/** `sig` in the query of a shared access signature. */
export const querySignatures: Family = {
  name: 'query signatures',
  triggers: ['sig=', 'sig%3d'],
  read: (text, hide) => (at, trigger) => {
    const isMember = /(?:[?&;]|\\u0026|%26|%3f)$/i.test(text.slice(Math.max(0, at - 6), at));
    const end = matchEnd(SIGNATURE, text, at + trigger.length);
    if (end < 0 || !(isMember || (text[end] === '&' && !isBefore(text, at, KEY_CHARS)))) return 0;
    hide(at + trigger.length, end);
    return end;
  },
};

const SIGNATURE = /(?:\[REDACTED\]|(?:(?!%26)[\w%+/=.~-]){1,1024})/iy;
