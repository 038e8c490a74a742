import {
  BLANK,
  COLON,
  charSet,
  codeAt,
  codeBefore,
  endOfMatch,
  endOfRun,
  isBefore,
  isIn,
  isLineBreak,
  isSpace,
  lineEnd,
  NUMBER_SIGN,
  SPACE,
} from '../scanning/chars.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isExpression } from './code.js';
import { isDescribingKey, isDescribingType } from './json-below.js';
import { isNotSecret, isNumber } from './non-secret-values.js';
import { parseQuoted } from './quoted.js';
import { keyKindIn } from './secret-key.js';

const BLOCK = /[|>][+\-\d]{0,2}[ \t]{0,64}(?:#[^\r\n]{0,200})?(?:\r\n|\n)/y;
const STARTS_BLOCK = charSet('|>');
const MAX_INDENT = 200;

/** Redacts a YAML block scalar (`key: |`): the lines that are indented more than the key. @returns their end, or -1 */
export function redactYamlBlock(text: Text, from: number, keyStart: number, redact: RedactRange): number {
  const first = endOfMatch(BLOCK, text, from, STARTS_BLOCK);
  if (first < 0) return -1;
  const keyIndent = indentOf(text, lineStart(text, keyStart));
  let end = first;
  for (let line = first; line < text.length; ) {
    const indent = indentOf(text, line);
    const next = lineEnd(text, line + indent);
    const isBlank = next === line + indent;
    if (!isBlank && indent <= keyIndent) break;
    if (!isBlank) end = next;
    line = next + (text.string.startsWith('\r\n', next) ? 2 : 1);
  }
  redact(first + (end > first ? indentOf(text, first) : 0), end);
  return end;
}

export function lineStart(text: Text, from: number): number {
  let at = from;
  while (at > 0 && from - at < MAX_INDENT && !isLineBreak(codeBefore(text, at))) at--;
  return at;
}

export function indentOf(text: Text, from: number): number {
  let at = from;
  while (isIn(text, at, BLANK)) at++;
  return at - from;
}

const MAX_LINES = 200;
const DASHES = /(?:-[ \t]{1,8}){1,4}/y;
const STARTS_DASHES = charSet('-');
const STARTS_PROPERTIES = charSet('&!');
const KEY_CHARS = charSet('\\w.$/-');
const MAX_KEY_CHARS = 100;
const NAME_CHARS = charSet('A-Za-z_.-');
const QUOTE = charSet('"\'');
const ENDS_OPERATOR = charSet(' \\t\\r\\n');
const PROPERTIES = /(?:[&!][^\s,[\]{}]{0,60}[ \t]{1,8}){1,3}/y;
const OPENS = charSet('{[');
const ENDS_TOKEN = charSet(':,;({');
/** Keys whose values are descriptions, not secrets; they are not redacted. */
const DESCRIPTION_KEY = /^(?:description|key|name|required|summary|title)$/;
const STARTS_DESCRIPTION = charSet('dknrst');
/** The first characters of the keys that {@link isDescribingKey} and {@link isDescribingType} recognise. */
const STARTS_DESCRIBING_KEY = charSet('$ceirst');
/** Only this many lines are searched for a key that shows a JSON Schema or a package of a lock file. */
const MAX_DESCRIBING_LINES = 10;

/** The spans of the scalars below the key that is being read, at most one per line. */
const found = new Int32Array(2 * MAX_LINES);
let foundLength = 0;

function addFound(start: number, end: number): void {
  found[foundLength++] = start;
  found[foundLength++] = end;
}

/**
 * Redacts the scalars on the lines below a secret key of YAML: a value on its own line, a list, or a mapping, at any
 * depth. A schema and a package are not redacted.
 *
 * @param from the end of the key's line
 * @param isAfterOther true if other text is before the key on its line; a single word on the next line is then not its
 *   value
 * @returns where reading continues, or -1 if no YAML follows
 */
export function redactYamlBelow(
  text: Text,
  from: number,
  keyStart: number,
  redact: RedactRange,
  isAfterOther = false,
): number {
  const keyIndent = indentOf(text, lineStart(text, keyStart));
  foundLength = 0;
  let end = -1;
  let line = nextLine(text, from);
  for (let count = 0; count < MAX_LINES && line < text.length; count++) {
    const indent = indentOf(text, line);
    const start = line + indent;
    let stop = start;
    if (start < text.length && !isLineBreak(codeAt(text, start))) {
      const dashes = Math.max(start, endOfMatch(DASHES, text, start, STARTS_DASHES));
      if (indent < keyIndent || (indent === keyIndent && dashes === start)) break;
      stop = lineEnd(text, dashes);
      const member = memberAt(text, dashes);
      if (member && count < MAX_DESCRIBING_LINES && describes(text, member, stop)) return -1;
      const parsedEnd = parseLine(text, dashes, stop, member, dashes > start, count === 0 && !isAfterOther);
      if (parsedEnd < 0) break;
      end = parsedEnd;
    }
    line = nextLine(text, Math.max(stop, end));
  }
  for (let index = 0; index < foundLength; index += 2) redact(found[index]!, found[index + 1]!);
  return end;
}

/** A member of a mapping: `key: value`. */
interface YamlMember {
  readonly keyStart: number;
  readonly keyEnd: number;
  readonly valueStart: number;
}

function memberAt(text: Text, from: number): YamlMember | undefined {
  const start = isIn(text, from, QUOTE) ? from + 1 : from;
  const keyEnd = endOfRun(text, start, KEY_CHARS);
  if (keyEnd === start || keyEnd - start > MAX_KEY_CHARS) return undefined;
  if (start > from && codeAt(text, keyEnd) !== codeAt(text, from)) return undefined;
  const operator = endOfRun(text, start > from ? keyEnd + 1 : keyEnd, BLANK);
  const hasValue = operator + 1 >= text.length || isIn(text, operator + 1, ENDS_OPERATOR);
  if (codeAt(text, operator) !== COLON || !hasValue) return undefined;
  return { keyStart: start, keyEnd, valueStart: endOfRun(text, operator + 1, BLANK) };
}

function describes(text: Text, { keyStart, keyEnd, valueStart }: YamlMember, stop: number): boolean {
  if (!isIn(text, keyStart, STARTS_DESCRIBING_KEY)) return false;
  const key = text.string.slice(keyStart, keyEnd);
  return isDescribingKey(key) || isDescribingType(key, text.string.slice(valueStart, stop).trim());
}

function isDescription(text: Text, { keyStart, keyEnd }: YamlMember): boolean {
  return isIn(text, keyStart, STARTS_DESCRIPTION) && DESCRIPTION_KEY.test(text.string.slice(keyStart, keyEnd));
}

/**
 * Adds the scalar of one line to `found`. It has many parameters because an object would be allocated for each line.
 *
 * @param from the position after indentation and dashes
 * @param stop the end of the line
 * @param isItem true if the line begins with a dash
 * @param isFirst true if a single word on the line can be the key's value
 * @returns the end of the scalar or of the line, or -1 if the line is not YAML
 */
function parseLine(
  text: Text,
  from: number,
  stop: number,
  member: YamlMember | undefined,
  isItem: boolean,
  isFirst: boolean,
): number {
  const start = member ? member.valueStart : from;
  if (member) {
    if (start >= stop || isDescription(text, member)) return stop;
    const block = redactYamlBlock(text, start, from, addFound);
    if (block >= 0) return block;
  } else if (!isItem && !isFirst) {
    return -1;
  }
  const value = Math.max(start, endOfMatch(PROPERTIES, text, start, STARTS_PROPERTIES));
  const quoted = parseQuoted(text, value);
  if (quoted) {
    addFound(quoted.start, quoted.end);
    return quoted.next;
  }
  const end = scalarEnd(text, value, stop);
  const isPlain = member !== undefined || isItem || isToken(text, value, end, stop);
  if (isPlain && !isNothing(text, value) && !namesSecret(text, value, end)) addFound(value, end);
  return isPlain ? stop : -1;
}

function isNothing(text: Text, at: number): boolean {
  return isIn(text, at, OPENS) || isNotSecret(text, at) || isNumber(text, at) || isExpression(text, at);
}

/** True for the name of a secret, as in the list below `Missing secrets:`. */
function namesSecret(text: Text, start: number, end: number): boolean {
  return endOfRun(text, start, NAME_CHARS) === end && keyKindIn(text, start, end) !== undefined;
}

/** True if the value is a single word that is alone on its line. */
function isToken(text: Text, from: number, end: number, stop: number): boolean {
  if (end <= from || end > stop || isIn(text, end - 1, ENDS_TOKEN)) return false;
  for (let at = from; at < end; at++) if (isSpace(text, at)) return false;
  return true;
}

/** Returns the end of a scalar, without white space and a comment at the end of the line. */
function scalarEnd(text: Text, from: number, stop: number): number {
  let end = from;
  while (end < stop && !(codeAt(text, end) === SPACE && codeAt(text, end + 1) === NUMBER_SIGN)) end++;
  while (end > from && isBefore(text, end, BLANK)) end--;
  return end;
}

function nextLine(text: Text, from: number): number {
  let at = endOfRun(text, from, BLANK);
  if (text.codes[at] === 0x0d) at++;
  return at < text.length && isLineBreak(text.codes[at]!) ? at + 1 : Math.max(at, lineEnd(text, at) + 1);
}
