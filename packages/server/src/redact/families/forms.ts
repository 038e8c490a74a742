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
import { hideContent, type Tag, tagEnd } from './xml-content.js';

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
const VALUE_TAG = '<value>';
/** Or white space. */
const FOLLOWS_NAME = charSet('"\'\\\\&,');

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
  const { text } = reading;
  const start = tagStart(text, key.start);
  const end = start < 0 ? -1 : tagEnd(reading, key.end, MAX_TAG_CHARS);
  if (end < 0 || codeBefore(text, end) === SLASH) return -1;
  return hideContent(reading, afterSpaces(text, end + 1), { start, end: key.end }, key.kind);
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
  const { text } = reading;
  if (!isIn(text, key.end, FOLLOWS_NAME) && !isSpace(text, key.end)) return -1;
  const sign = valueSign(text, key.end);
  const tag = sign < 0 ? valueTag(reading, key.end) : undefined;
  if ((sign < 0 && !tag) || !isNamed(text, key.start)) return -1;
  if (tag) return hideContent(reading, spacesEnd(text, tag.end + 1, MAX_SPACES), tag, key.kind);
  return hideValue(reading, afterValueSign(text, sign), placeOf(key, codeAt(text, sign) === EQUALS ? '=' : ':'));
};

/** The `<value>` after the tag in which the name ends at `from`. */
function valueTag(reading: Reading, from: number): Tag | undefined {
  const { text } = reading;
  const end = isIn(text, from, STRING_QUOTE) ? tagEnd(reading, from + 1, MAX_ATTRIBUTES_CHARS) : -1;
  if (end < 0) return undefined;
  const tag = spacesEnd(text, end + 1, MAX_SPACES);
  if (codeAt(text, tag) !== LESS_THAN || !standsAt(text, tag, VALUE_TAG)) return undefined;
  return { start: tag + 1, end: tag + VALUE_TAG.length - 1 };
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
