import {
  BACKSLASH,
  COLON,
  COMMA,
  charSet,
  codeAt,
  codeBefore,
  EQUALS,
  endOfMatch,
  endOfRun,
  isBefore,
  isIn,
  isLineBreak,
  isSpace,
  spacesEnd,
  startOfRun,
  wordPattern,
} from '../scanning/chars.js';
import type { Text } from '../scanning/text.js';
import { parseQuoted } from './quoted.js';

/**
 * A member of an object, an element or a mapping in which one member names the secret that another one contains:
 * `{"name": "ApiKey", "value": "x"}`, `<add value="x" key="ApiKey"/>`, `- value: x` with `name: API_KEY` on the next
 * line.
 */
export interface Member {
  readonly keyStart: number;
  readonly keyEnd: number;
  /** The position of `:` or `=`. */
  readonly operator: number;
  /** The start of the value, at its opening quote if it has one. */
  readonly value: number;
}

/** The number of members that are examined in each direction. */
const MAX_MEMBERS = 8;
const MAX_KEY_CHARS = 40;
const MAX_NAME_CHARS = 80;
const MAX_SPACES = 100;
const MAX_UNQUOTED_CHARS = 200;

const NAME_CHARS = charSet('A-Za-z0-9_./:-');
const KEY_CHARS = charSet('A-Za-z0-9_.-');
const QUOTE = charSet('"\'');
const ENDS_UNQUOTED = charSet('\\s,;{}[\\]<>"\'=');
/** The last words of keys that contain the name of a value, and of keys that contain the value. */
const NAMES = wordPattern('name key id field variable header property param parameter option');
const VALUES = wordPattern('value val content');
const ENDS_VALUE_WORD = charSet('eltELT');
const MAX_WORD_CHARS = 10;
const SMALL = charSet('a-z');
const CAPITAL = charSet('A-Z');

/** Returns the last word of a key, in lower case. */
function lastWord(key: string): string {
  const match = /(?:[A-Z]?[a-z]+|[A-Z]+)$/.exec(key);
  return match && match[0].length <= MAX_WORD_CHARS ? match[0].toLowerCase() : '';
}

/** Returns the start of the last word of a key in a text. */
function lastWordStart(text: Text, start: number, end: number): number {
  const floor = Math.max(start, end - MAX_WORD_CHARS - 1);
  let at = end;
  while (at > floor && isBefore(text, at, SMALL)) at--;
  if (at === end) while (at > floor && isBefore(text, at, CAPITAL)) at--;
  else if (at > floor && isBefore(text, at, CAPITAL)) at--;
  return at;
}

/** True if a member with this key contains the name of another member's value: `name`, `ParameterKey`. */
export function namesValue(key: string): boolean {
  return isWordOf(NAMES, lastWord(key));
}

/** True if a member with this key contains a value that another member names: `value`, `ParameterValue`. */
export function isValueKey(key: string): boolean {
  return isWordOf(VALUES, lastWord(key));
}

function isWordOf(words: RegExp, word: string): boolean {
  words.lastIndex = 0;
  return words.test(word);
}

/** The same as `namesValue`, for a key in a text. */
export function namesValueIn(text: Text, start: number, end: number): boolean {
  return endOfMatch(NAMES, text, lastWordStart(text, start, end)) === end;
}

/** The same as `isValueKey`, for a key in a text. */
export function isValueKeyIn(text: Text, start: number, end: number): boolean {
  if (!isBefore(text, end, ENDS_VALUE_WORD)) return false;
  return endOfMatch(VALUES, text, lastWordStart(text, start, end)) === end;
}

/** Returns the member whose value ends with the secret key at `at`: `name="Key"`, `- key: Key`, `{"id": "a/Key"`. */
export function namingMember(text: Text, at: number): Member | undefined {
  const start = startOfRun(text, at, NAME_CHARS, MAX_NAME_CHARS);
  const value = isBefore(text, start, QUOTE) ? start - 1 : start;
  const member = memberWithValueAt(text, value);
  return member && namesValueIn(text, member.keyStart, member.keyEnd) ? member : undefined;
}

function memberWithValueAt(text: Text, value: number): Member | undefined {
  const operator = spacesBefore(text, value, false) - 1;
  if (operator < 0 || (codeAt(text, operator) !== COLON && codeAt(text, operator) !== EQUALS)) return undefined;
  const end = spacesBefore(text, operator, false);
  const keyEnd = isBefore(text, end, QUOTE) ? end - 1 : end;
  const keyStart = startOfRun(text, keyEnd, KEY_CHARS, MAX_KEY_CHARS);
  return keyStart === keyEnd ? undefined : { keyStart, keyEnd, operator, value };
}

/**
 * Finds the members with the values that other members name. With ascending positions, it reads each member few times.
 */
export class Members {
  /** From the last start, `#nextFrom`, up to here, no member contains a value. */
  #readTo = 0;
  #nextFrom = 0;
  /** The start of the last naming member, and the end of its value. Members before it are not searched again. */
  #floor = 0;
  #floorEnd = -1;

  constructor(private readonly text: Text) {}

  /** Returns the member with the value. It is after the naming member, which ends at `from`, or before it. */
  valueOf(from: number, keyStart: number): Member | undefined {
    const member = this.valueAfter(from) ?? this.#valueBefore(keyStart);
    this.#floorEnd = from;
    return member;
  }

  /** Returns the member with a value that follows `from`, which is the end of a member or of a tag's name. */
  valueAfter(from: number): Member | undefined {
    let at = from >= this.#nextFrom && from < this.#readTo ? this.#readTo : from;
    this.#nextFrom = from;
    for (let count = 0; count < MAX_MEMBERS; count++) {
      const member = memberAt(this.text, nextMember(this.text, at));
      if (!member) break;
      if (isValueKeyIn(this.text, member.keyStart, member.keyEnd)) return member;
      const end = valueEnd(this.text, member.value);
      if (end < 0) break;
      at = end;
    }
    this.#readTo = Math.max(from, at);
    return undefined;
  }

  #valueBefore(keyStart: number): Member | undefined {
    const { text } = this;
    let at = beforePrefix(text, isBefore(text, keyStart, QUOTE) ? keyStart - 1 : keyStart);
    const floor = this.#floor;
    this.#floor = at;
    for (let count = 0; count < MAX_MEMBERS && at > floor; count++) {
      const end = spacesBefore(text, at, true);
      const valueEnd = codeBefore(text, end) === COMMA ? spacesBefore(text, end - 1, true) : end;
      if (valueEnd === at || valueEnd === this.#floorEnd) return undefined;
      const value = valueStart(text, valueEnd);
      const member = value < 0 ? undefined : memberWithValueAt(text, value);
      if (!member) return undefined;
      if (isValueKeyIn(text, member.keyStart, member.keyEnd)) return member;
      at = beforePrefix(text, isBefore(text, member.keyStart, QUOTE) ? member.keyStart - 1 : member.keyStart);
    }
    return undefined;
  }
}

function nextMember(text: Text, from: number): number {
  const at = spacesEnd(text, from, MAX_SPACES);
  return codeAt(text, at) === COMMA ? spacesEnd(text, at + 1, MAX_SPACES) : at;
}

/** Returns the member that begins at `start`. Its key can have a namespace prefix. */
function memberAt(text: Text, start: number): Member | undefined {
  let keyStart = isIn(text, start, QUOTE) ? start + 1 : start;
  let keyEnd = endOfRun(text, keyStart, KEY_CHARS);
  if (keyStart === start && codeAt(text, keyEnd) === COLON && isIn(text, keyEnd + 1, KEY_CHARS)) {
    keyStart = keyEnd + 1;
    keyEnd = endOfRun(text, keyStart, KEY_CHARS);
    if (codeAt(text, keyEnd) !== EQUALS) return undefined;
  }
  if (keyEnd === keyStart || keyEnd - keyStart > MAX_KEY_CHARS) return undefined;
  const operator = spacesEnd(text, isIn(text, keyEnd, QUOTE) ? keyEnd + 1 : keyEnd, MAX_SPACES);
  if (codeAt(text, operator) !== COLON && codeAt(text, operator) !== EQUALS) return undefined;
  return { keyStart, keyEnd, operator, value: spacesEnd(text, operator + 1, MAX_SPACES) };
}

/** Returns the end of a string or a simple value, or -1. */
function valueEnd(text: Text, from: number): number {
  const quoted = isIn(text, from, QUOTE) ? parseQuoted(text, from) : undefined;
  if (quoted) return quoted.next;
  let at = from;
  while (at < text.length && at - from < MAX_UNQUOTED_CHARS && !isIn(text, at, ENDS_UNQUOTED)) at++;
  return at === from ? -1 : at;
}

/** Returns the start of the namespace prefix before `at`, or `at`. */
function beforePrefix(text: Text, at: number): number {
  return codeBefore(text, at) === COLON ? startOfRun(text, at - 1, KEY_CHARS, MAX_KEY_CHARS) : at;
}

/** Returns the start of the string or the simple value that ends at `end`, or -1. */
function valueStart(text: Text, end: number): number {
  if (!isBefore(text, end, QUOTE)) {
    let at = end;
    while (at > 0 && end - at < MAX_UNQUOTED_CHARS && !isBefore(text, at, ENDS_UNQUOTED)) at--;
    return at === end ? -1 : at;
  }
  const { codes } = text;
  const quote = codeBefore(text, end);
  let at = end - 2;
  while (at >= 0 && !(codes[at] === quote && codeBefore(text, at) !== BACKSLASH)) at--;
  return at;
}

function spacesBefore(text: Text, end: number, crossesLines: boolean): number {
  let at = end;
  while (at > 0 && end - at < MAX_SPACES && isSpace(text, at - 1)) {
    if (!crossesLines && isLineBreak(codeBefore(text, at))) break;
    at--;
  }
  return at;
}
