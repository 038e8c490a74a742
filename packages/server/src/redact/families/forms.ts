import {
  BLANK,
  charSet,
  codeAt,
  codeBefore,
  isIn,
  isSpace,
  matchEnd,
  runEnd,
  runStart,
  spacesEnd,
  standsAt,
} from '../chars.js';
import { CLOSING_BRACKET, COLON, DASH, EQUALS, LESS_THAN, SLASH } from '../codes.js';
import type { Text } from '../text.js';
import { hideValue, type Place } from './key-value.js';
import { afterValueSign, isNamed, valueSign } from './named-values.js';
import { afterQuote } from './quoted.js';
import type { Reading } from './reading.js';
import { type Separator, separatorEnd, separatorIn } from './separators.js';
import { hideContent, tagEnd } from './xml-content.js';

/** A key as it stands in the text: its words from `start` up to `end`, where the last one ends. */
export interface Key {
  readonly kind: Place['kind'];
  readonly start: number;
  readonly end: number;
}

/** One way in which a value follows its key. @returns where reading goes on, or -1 when the key does not stand so */
type Form = (reading: Reading, key: Key) => number;

const STRING_QUOTE = charSet('"\'');

const IS_OPTION = /--?(?!(?:ask|no|prompt|prompt-for|skip|without)-)[A-Za-z]/y;
const STARTS_OPTION_VALUE = charSet(' \\t"\'\\\\');
const OPTION_VALUE =
  /(?:[ \t]+|\\{0,64}["'],\s{0,20}(?=\\{0,64}["']))(?!--[A-Za-z]|-[A-Za-z](?:[\s=]|$)|<[\w -]{1,60}>|\[[\w<> -]{1,60}\]|[|&;](?:[\s|&]|$)|$)/y;

const PREFIX_CHARS = charSet('A-Za-z0-9_.-');
const MAX_PREFIX_CHARS = 40;
const MAX_TAG_CHARS = 500;
const MAX_ATTRIBUTES_CHARS = 200;
const MAX_SPACES = 100;
const VALUE_ELEMENT = '<value>';

/** `key=value`, `key: value`, `"key": "value"`, `key => value`, `map["key"] = value`. */
const pair: Form = (reading, key) => {
  const { text } = reading;
  const quoteEnd = afterQuote(text, key.end);
  const start = codeAt(text, key.end) === EQUALS ? key.end : signStart(text, quoteEnd);
  const end = separatorEnd(text, start);
  if (end < 0) return -1;
  const place = placeOf(key, separatorIn(text, start, end), quoteEnd > key.end);
  return hideValue(reading, runEnd(text, end, BLANK), place);
};

/** Past what may close the key and stand before its sign. */
function signStart(text: Text, quoteEnd: number): number {
  const bracketEnd = codeAt(text, quoteEnd) === CLOSING_BRACKET ? afterQuote(text, quoteEnd + 1) : quoteEnd;
  return runEnd(text, bracketEnd, BLANK);
}

/** `--key value`, `-Key value`, `"--key", "value"`. */
const option: Form = (reading, key) => {
  const { text } = reading;
  if (codeAt(text, key.start) !== DASH || !isIn(text, key.end, STARTS_OPTION_VALUE)) return -1;
  const from = matchEnd(IS_OPTION, text, key.start) < 0 ? -1 : matchEnd(OPTION_VALUE, text, key.end);
  return from < 0 ? -1 : hideValue(reading, from, placeOf(key, 'space'));
};

/** `<Key>value</Key>`. */
const element: Form = (reading, key) => {
  const { text, hide } = reading;
  const name = tagStart(text, key.start);
  const end = name < 0 ? -1 : tagEnd(reading, key.end, MAX_TAG_CHARS);
  if (end < 0 || codeBefore(text, end) === SLASH) return -1;
  return hideContent(text, afterSpaces(text, end + 1), text.string.slice(name, key.end), key.kind, hide);
};

/** Where the name of the tag begins, before the key or before its namespace prefix; or -1. */
function tagStart(text: Text, keyStart: number): number {
  if (codeBefore(text, keyStart) === LESS_THAN) return keyStart;
  if (codeBefore(text, keyStart) !== COLON) return -1;
  const prefix = runStart(text, keyStart - 1, PREFIX_CHARS, MAX_PREFIX_CHARS);
  return prefix < keyStart - 1 && codeBefore(text, prefix) === LESS_THAN ? prefix : -1;
}

/** `name="Key" value="value"`, `{"name": "Key", "value": "value"}`, `<data name="Key"><value>value</value>`. */
const named: Form = (reading, key) => {
  const { text, hide } = reading;
  const sign = valueSign(text, key.end);
  const content = sign < 0 ? valueElement(reading, key.end) : -1;
  if ((sign < 0 && content < 0) || !isNamed(text, key.start)) return -1;
  if (sign < 0) return hideContent(text, content, 'value', key.kind, hide);
  return hideValue(reading, afterValueSign(text, sign), placeOf(key, codeAt(text, sign) === EQUALS ? '=' : ':'));
};

/** Where the content begins of the `<value>` after the tag whose name's value ends at `from`, or -1. */
function valueElement(reading: Reading, from: number): number {
  const { text } = reading;
  const end = isIn(text, from, STRING_QUOTE) ? tagEnd(reading, from + 1, MAX_ATTRIBUTES_CHARS) : -1;
  if (end < 0) return -1;
  const value = spacesEnd(text, end + 1, MAX_SPACES);
  if (codeAt(text, value) !== LESS_THAN || !standsAt(text, value, VALUE_ELEMENT)) return -1;
  return spacesEnd(text, value + VALUE_ELEMENT.length, MAX_SPACES);
}

/** @returns where reading goes on after the value, or -1 when none follows the key */
export const hideValueOf: Form = (reading, key) => {
  let next = pair(reading, key);
  if (next < 0) next = option(reading, key);
  if (next < 0) next = element(reading, key);
  return next < 0 ? named(reading, key) : next;
};

function afterSpaces(text: Text, from: number): number {
  let at = from;
  while (isSpace(text, at)) at++;
  return at;
}

function placeOf(key: Key, separator: Separator, isKeyQuoted = false): Place {
  return { kind: key.kind, keyStart: key.start, isKeyQuoted, separator };
}
