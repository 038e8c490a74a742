import { charSet, codeAt, DIGIT, endOfRun, isBefore, isIn, LETTER, lowerCode, SPACE } from '../scanning/chars.js';
import type { Text } from '../scanning/text.js';
import type { Key } from './key.js';
import { keyKindIn } from './secret-key.js';

/**
 * Recognises values that only name a secret: `token = token`, `--token TOKEN`, `ACCESS_TOKEN: 'access_token'`,
 * `STORAGE_KEY = 'colorScheme'`.
 */

const NAME_CHARS = charSet('A-Za-z_-');
const CAPITALS = charSet('A-Z_');
const CAPITAL = charSet('A-Z');
const MIN_OWN_CHARS = 5;
const SIGILS = charSet('$@[');
const AFTER_NAME = charSet('\\s,;:)}\\]"\'`');
const LAST_OF_KEY = charSet('yY');
const PRIVATE_KEY = /^[A-Za-z_]*private_?key(?:_?types?)?$/i;
const MAX_NAME_CHARS = 60;
/** The name of an entry in a storage, of an attribute or an event. It consists of several joined words. */
const ENTRY_NAME = /^[.#]?[a-z]{2,20}(?:[A-Z][a-z]{1,20}|[-.:_/][a-z]{2,20}){1,6}$/;
/** A value of a key that is not a secret: the state of a test, a mode, the type of a token, or a grant of OAuth. */
const STATE =
  /^(?:always|authorization_?(?:code|details)|basic|bearer|error|fail(?:ed|ing|s)?|include|never|ok|omit|opaque|pass(?:ed|ing)?|same-origin|skip(?:ped)?|success|warn(?:ing)?)$/i;

/** True if the unquoted value at `from` is the key's own name, or the name of a secret in capitals. */
export function isNameAt(text: Text, from: number, key: Key): boolean {
  const start = isIn(text, from, SIGILS) ? from + 1 : from;
  const end = endOfRun(text, start, NAME_CHARS);
  if (end === start || end - start > MAX_NAME_CHARS || !(end >= text.length || isIn(text, end, AFTER_NAME)))
    return false;
  if (isConstantAt(text, start) || isTypeOfPrivateKey(text, key, text.string.slice(start, end))) return true;
  return (
    isBefore(text, from, BLANK_OR_OPENING) &&
    (isOwnName(text, start, end, key) || continuesOwnName(text, start, end, key))
  );
}

/**
 * True if the text at `start` is the name of a secret in capitals, a placeholder for the secret: `Bearer YOUR_TOKEN`.
 */
export function isConstantAt(text: Text, start: number): boolean {
  const end = endOfRun(text, start, CAPITALS);
  if (end === start || end - start > MAX_NAME_CHARS || !(end >= text.length || isIn(text, end, AFTER_NAME)))
    return false;
  return keyKindIn(text, start, end) !== undefined;
}

const BLANK_OR_OPENING = charSet(' \\t(');

/** True if the string from `start` to `end` is the key's name in another spelling, a state, or the name of an entry. */
export function isNameIn(text: Text, start: number, end: number, key: Key): boolean {
  if (end - start > MAX_NAME_CHARS) return false;
  const value = text.string.slice(start, end);
  if (STATE.test(value)) return true;
  if (endOfRun(text, start, NAME_CHARS) === end && isCompound(text, key) && isOwnName(text, start, end, key))
    return true;
  if (isTypeOfPrivateKey(text, key, value)) return true;
  const namesEntry = key.kind === 'cookie' || isBefore(text, key.end, LAST_OF_KEY);
  return namesEntry && isConstant(text, key) && ENTRY_NAME.test(value);
}

/** The words that programs add to the name of a secret: `password = password_hash`, `cookie: cookieStore`. */
const NEXT_WORD =
  /_?(?:bytes|data|field|file|handler|hash|id|info|input|manager|name|path|provider|ptr|reader|source|store|str|string|text|type|value)$/i;

/** True if the name from `start` to `end` is the key's last word and a word of NEXT_WORD. */
function continuesOwnName(text: Text, start: number, end: number, key: Key): boolean {
  const name = text.string.slice(start, end);
  const next = NEXT_WORD.exec(name);
  if (!next || next.index < MIN_OWN_CHARS) return false;
  return text.string.slice(key.end - next.index, key.end).toLowerCase() === name.slice(0, next.index);
}

/** True for a type in code such as `_RSAPrivateKey`. No private key consists of a name. */
function isTypeOfPrivateKey(text: Text, { end }: Key, value: string): boolean {
  return (
    isBefore(text, end, LAST_OF_KEY) && PRIVATE_KEY.test(value) && PRIVATE_KEY.test(text.string.slice(end - 11, end))
  );
}

/** True if a key has several words. */
function isCompound(text: Text, { start, end }: Key): boolean {
  const word = endOfRun(text, start, LETTER);
  if (word < end) return true;
  for (let at = start + 1; at < end; at++) if (isIn(text, at, CAPITAL) && !isBefore(text, at, CAPITAL)) return true;
  return false;
}

/** True if the key is the name of a constant in code, with a space before its operator: `const STORAGE_KEY = `. */
function isConstant(text: Text, { start, end }: Key): boolean {
  let at = start;
  while (at < end && (isIn(text, at, CAPITALS) || isIn(text, at, DIGIT))) at++;
  return at === end && codeAt(text, end) === SPACE;
}

/** True if the key ends with the name from `start` to `end`. Only letters are compared, ignoring case. */
function isOwnName(text: Text, start: number, end: number, key: Key): boolean {
  let nameAt = end;
  let keyAt = key.end;
  for (;;) {
    while (nameAt > start && !isBefore(text, nameAt, LETTER)) nameAt--;
    while (keyAt > key.start && !isBefore(text, keyAt, LETTER)) keyAt--;
    if (nameAt === start) return true;
    if (keyAt === key.start || lowerCode(codeAt(text, nameAt - 1)) !== lowerCode(codeAt(text, keyAt - 1))) return false;
    nameAt--;
    keyAt--;
  }
}
