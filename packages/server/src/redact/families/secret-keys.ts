import { afterEscape, charSet, isIn, matchAt, matchEnd, runEnd, runStart } from '../chars.js';
import type { Family, Hide } from '../scan.js';
import { keyKind } from '../secret-key.js';
import { hideValue, type Place } from './key-value.js';
import { hideContent } from './xml-content.js';

/** A key as it stands in the text: its words from `start` up to `end`, where the last one ends. */
interface Key {
  readonly kind: Place['kind'];
  readonly start: number;
  readonly end: number;
}

/** One way in which a value follows its key. @returns where reading goes on, or -1 when the key does not stand so */
type Form = (text: string, key: Key, hide: Hide) => number;

const KEY_CHARS = charSet('A-Za-z0-9_.-');
const PHRASE_CHARS = charSet('A-Za-z0-9_. -');
const MAX_KEY_CHARS = 100;
const MAX_PHRASE_CHARS = 32;

const DIGIT = charSet('\\d');
const LETTER = charSet('A-Za-z_');
const JOINS_WORDS = charSet('.-');
const ALPHANUMERIC = charSet('A-Za-z\\d');
const TRAILING_NUMBER = /[_-]?\d{1,4}/y;
const CLOSES_KEY = charSet('"\'`\\]\\\\&');
const BLANK = charSet(' \\t');
const BEFORE_VALUE = charSet('=:%\\r\\n');

const MAY_QUOTE = charSet('"\'`\\\\uU&%');
const QUOTE = '(?:\\\\{0,64}(?:["\'`]{1,3}|u0022|u0027)|&quot;|&#34;|&apos;|&#39;|%22)';
const CLOSING_QUOTE = new RegExp(QUOTE, 'iy');
const MAY_SEPARATE = charSet('=:%');
const SEPARATOR = /:=|=>|={1,3}|:(?!:|\/\/)|%3d|%3a/iy;
const OPTION_VALUE =
  /(?:[ \t]+|\\{0,64}["'],\s{0,20}(?=\\{0,64}["']))(?!--[A-Za-z]|-[A-Za-z](?:[\s=]|$)|<[\w -]{1,60}>|\[[\w<> -]{1,60}\]|[|&;](?:[\s|&]|$)|$)/y;
const IS_OPTION = /^--?(?!(?:ask|no|prompt|prompt-for|skip|without)-)[A-Za-z]/;
const MAX_PREFIX_CHARS = 40;
const TAG_REST = /(?:\s[^<>]{0,500}?)?(?<!\/)>\s*/y;
const BEFORE_NAMED = charSet('\\s"\';=:');
const NAME_BEFORE =
  /(?:^|[^A-Za-z])(?:name|key|id)(?:\\{0,64}["']|&quot;)?\s{0,20}[=:]\s{0,20}(?:\\{0,64}["']|&quot;)?$/i;
const VALUE_AFTER =
  /(?:\\{0,64}["']|&quot;)?\s{0,100},?\s{0,100}(?:\\{0,64}["']|&quot;)?value(?:\\{0,64}["']|&quot;)?\s{0,20}([=:])[ \t]{0,20}/iy;
const VALUE_ELEMENT_AFTER = /["'](?:\s[^<>]{0,200}?)?>\s{0,100}<value>\s{0,100}/iy;

/** `key=value`, `key: value`, `"key": "value"`, `key => value`, `map["key"] = value`. */
const pair: Form = (text, key, hide) => {
  const quoteEnd = afterQuote(text, key.end);
  const bracketEnd = text[quoteEnd] === ']' ? afterQuote(text, quoteEnd + 1) : quoteEnd;
  const start = runEnd(text, bracketEnd, BLANK);
  const end = isIn(text, start, MAY_SEPARATE) ? matchEnd(SEPARATOR, text, start) : -1;
  if (end < 0) return -1;
  const place = placeOf(key, quoteEnd > key.end, text.slice(start, end));
  return hideValue(text, runEnd(text, end, BLANK), place, hide);
};

function afterQuote(text: string, at: number): number {
  return isIn(text, at, MAY_QUOTE) ? Math.max(at, matchEnd(CLOSING_QUOTE, text, at)) : at;
}

/** `--key value`, `-Key value`, `"--key", "value"`. */
const option: Form = (text, key, hide) => {
  if (text[key.start] !== '-' || !IS_OPTION.test(text.slice(key.start, key.end))) return -1;
  const from = matchEnd(OPTION_VALUE, text, key.end);
  return from < 0 ? -1 : hideValue(text, from, placeOf(key, false, ' '), hide);
};

/** `<Key>value</Key>`. */
const element: Form = (text, key, hide) => {
  const name = tagStart(text, key.start);
  const start = name < 0 ? -1 : matchEnd(TAG_REST, text, key.end);
  return start < 0 ? -1 : hideContent(text, start, text.slice(name, key.end), key.kind, hide);
};

/** Where the name of the tag begins, before the key or before its namespace prefix; or -1. */
function tagStart(text: string, keyStart: number): number {
  if (text[keyStart - 1] === '<') return keyStart;
  if (text[keyStart - 1] !== ':') return -1;
  const prefix = runStart(text, keyStart - 1, KEY_CHARS, MAX_PREFIX_CHARS);
  return prefix < keyStart - 1 && text[prefix - 1] === '<' ? prefix : -1;
}

/** `name="Key" value="value"`, `{"name": "Key", "value": "value"}`, `<data name="Key"><value>value</value>`. */
const named: Form = (text, key, hide) => {
  if (!isIn(text, key.start - 1, BEFORE_NAMED) || !NAME_BEFORE.test(text.slice(Math.max(0, key.start - 40), key.start)))
    return -1;
  const value = matchAt(VALUE_AFTER, text, key.end);
  if (value) return hideValue(text, key.end + value[0].length, placeOf(key, false, value[1]!), hide);
  if (!endsTag(text, key.end)) return -1;
  const start = matchEnd(VALUE_ELEMENT_AFTER, text, key.end);
  return start < 0 ? -1 : hideContent(text, start, 'value', key.kind, hide);
};

const MAX_ATTRIBUTES_CHARS = 203;

/** Whether a tag may end in what follows, which is much cheaper to see than where its value begins. */
function endsTag(text: string, from: number): boolean {
  return text.slice(from, from + MAX_ATTRIBUTES_CHARS).includes('>');
}

const FORMS: readonly Form[] = [pair, option, element, named];

const WORDS = [
  'password',
  'passwd',
  'pwd',
  'passphrase',
  'secret',
  'token',
  'key',
  'credential',
  'cookie',
  'authorization',
];
/** What each is as a key by itself. */
const KINDS_OF_WORDS = new Map(WORDS.map((word) => [word, keyKind(word)]));

/** Values under keys that are secret by their last words. */
export const secretKeys: Family = {
  name: 'secret keys',
  triggers: WORDS,
  find(text, at, hide, trigger) {
    const key = keyThatEndsAt(text, at + trigger.length, trigger);
    if (!key) return 0;
    for (const form of FORMS) {
      const next = form(text, key, hide);
      if (next >= 0) return next;
    }
    return 0;
  },
};

/** `sig` in the query of a shared access signature. */
export const querySignatures: Family = {
  name: 'query signatures',
  triggers: ['sig=', 'sig%3d'],
  find(text, at, hide, trigger) {
    const isMember = /(?:[?&;]|\\u0026|%26|%3f)$/i.test(text.slice(Math.max(0, at - 6), at));
    const end = matchEnd(SIGNATURE, text, at + trigger.length);
    if (end < 0 || !(isMember || (text[end] === '&' && !isIn(text, at - 1, KEY_CHARS)))) return 0;
    hide(at + trigger.length, end);
    return end;
  },
};

const SIGNATURE = /(?:\[REDACTED\]|(?:(?!%26)[\w%+/=.~-]){1,1024})/iy;

function keyThatEndsAt(text: string, wordEnd: number, trigger: string): Key | undefined {
  const end = endOfKey(text, wordEnd, trigger);
  if (end < 0) return undefined;
  const wordStart = wordEnd - trigger.length;
  const start = afterEscape(text, runStart(text, wordStart, KEY_CHARS, MAX_KEY_CHARS), wordStart);
  const mayStartForm = text[start] === '-' || text[start - 1] === '<' || text[start - 1] === ':';
  if (!mayStartForm && !mayHaveValue(text, end)) return undefined;
  const isWord = start === wordStart;
  const mayBePhrase = isWord && (trigger === 'key' || trigger === 'token');
  const kind =
    isWord && end === wordEnd && !mayBePhrase
      ? KINDS_OF_WORDS.get(trigger)
      : keyKind(text.slice(mayBePhrase ? startOfPhrase(text, start) : start, end));
  return kind && { kind, start, end };
}

function mayHaveValue(text: string, keyEnd: number): boolean {
  return isIn(text, keyEnd, CLOSES_KEY) || isIn(text, runEnd(text, keyEnd, BLANK), BEFORE_VALUE);
}

/** Where the last word and its number end, or -1 when the key goes on. */
function endOfKey(text: string, wordEnd: number, trigger: string): number {
  const singular = trigger === 'credential' && (text[wordEnd] === 's' || text[wordEnd] === 'S') ? wordEnd + 1 : wordEnd;
  if (!isIn(text, singular, KEY_CHARS)) return singular;
  const mayBeNumbered = isIn(text, singular, DIGIT) || isIn(text, singular + 1, DIGIT);
  const numbered = mayBeNumbered ? matchEnd(TRAILING_NUMBER, text, singular) : -1;
  const end = numbered < 0 ? singular : numbered;
  return goesOn(text, end) ? -1 : end;
}

/** Whether the word was not the last: `passwordless`, `token.type`. */
function goesOn(text: string, at: number): boolean {
  return isIn(text, at, LETTER) || (isIn(text, at, JOINS_WORDS) && isIn(text, at + 1, ALPHANUMERIC));
}

/** For keys with spaces (`API key: x`, `Public key token: x`). */
function startOfPhrase(text: string, start: number): number {
  return text[start - 1] === ' ' ? runStart(text, start, PHRASE_CHARS, MAX_PHRASE_CHARS) : start;
}

function placeOf(key: Key, isKeyQuoted: boolean, separator: string): Place {
  const plain = separator[0] === '%' ? decodeURIComponent(separator) : separator;
  return { kind: key.kind, keyStart: key.start, isKeyQuoted, separator: plain };
}
