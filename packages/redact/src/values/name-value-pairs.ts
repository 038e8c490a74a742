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
 * Members of one object, element or mapping, one of which names the secret that another contains: `{"name": "ApiKey", "value": "x"}`,
 * `<add value="x" key="ApiKey"/>`, `- value: x` with `name: API_KEY` on the next line.
 */
export interface Member {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly operator: number;
  /** Where its value begins, with its quote if it has one. */
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
/** The last words of keys that name a value, and that hold one. */
const NAMES = wordPattern('name key id field variable header property param parameter option');
const VALUES = wordPattern('value val content');
const ENDS_VALUE_WORD = charSet('eltELT');
const MAX_WORD_CHARS = 10;
const SMALL = charSet('a-z');
const CAPITAL = charSet('A-Z');

/** The last word of a key, in lower case. */
function lastWord(key: string): string {
  const match = /(?:[A-Z]?[a-z]+|[A-Z]+)$/.exec(key);
  return match && match[0].length <= MAX_WORD_CHARS ? match[0].toLowerCase() : '';
}

/** Where the word begins that `lastWord` gives, for a part of a text. */
function lastWordStart(text: Text, start: number, end: number): number {
  const floor = Math.max(start, end - MAX_WORD_CHARS - 1);
  let at = end;
  while (at > floor && isBefore(text, at, SMALL)) at--;
  if (at === end) while (at > floor && isBefore(text, at, CAPITAL)) at--;
  else if (at > floor && isBefore(text, at, CAPITAL)) at--;
  return at;
}

/** Whether a key names what another member of its object holds: `name`, `ParameterKey`. */
export function namesValue(key: string): boolean {
  return isWordOf(NAMES, lastWord(key));
}

/** Whether the value of a key belongs to the name that another member of its object holds: `value`, `ParameterValue`. */
export function isValueKey(key: string): boolean {
  return isWordOf(VALUES, lastWord(key));
}

function isWordOf(words: RegExp, word: string): boolean {
  words.lastIndex = 0;
  return words.test(word);
}

/** As `namesValue` and `isValueKey`, for a key in a text. */
export function namesValueIn(text: Text, start: number, end: number): boolean {
  return endOfMatch(NAMES, text, lastWordStart(text, start, end)) === end;
}

export function isValueKeyIn(text: Text, start: number, end: number): boolean {
  if (!isBefore(text, end, ENDS_VALUE_WORD)) return false;
  return endOfMatch(VALUES, text, lastWordStart(text, start, end)) === end;
}

/** The member whose value ends in the secret key at `at`: `name="Key"`, `- key: Key`, `{"id": "a/Key"`; or undefined. */
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

/** The members of a text around the names in it. Asked for places in rising order, it reads each a few times at most. */
export class Members {
  /** Up to here no value follows the names before. */
  #readTo = 0;
  #nextFrom = 0;
  /** Before here no value is looked for again: where the last naming member begins; and where its value ends. */
  #floor = 0;
  #floorEnd = -1;

  constructor(private readonly text: Text) {}

  /** The member that holds the value, after the one that ends at `from` or before the one that begins at `keyStart`. */
  valueOf(from: number, keyStart: number): Member | undefined {
    const member = this.valueAfter(from) ?? this.#valueBefore(keyStart);
    this.#floorEnd = from;
    return member;
  }

  /** The value among the members after `from`, which is the end of a member or of a tag's name. */
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

/** The member that begins there, with the prefix of its namespace if it has one. */
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

/** Where a plain value ends, or -1. */
function valueEnd(text: Text, from: number): number {
  const quoted = isIn(text, from, QUOTE) ? parseQuoted(text, from) : undefined;
  if (quoted) return quoted.next;
  let at = from;
  while (at < text.length && at - from < MAX_UNQUOTED_CHARS && !isIn(text, at, ENDS_UNQUOTED)) at++;
  return at === from ? -1 : at;
}

/** Before the namespace of an attribute. */
function beforePrefix(text: Text, at: number): number {
  return codeBefore(text, at) === COLON ? startOfRun(text, at - 1, KEY_CHARS, MAX_KEY_CHARS) : at;
}

/** Where the plain value begins that ends at `end`, or -1. */
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
