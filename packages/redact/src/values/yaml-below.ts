import {
  BLANK,
  charSet,
  codeBefore,
  isIn,
  isLineBreak,
  lineEnd,
  matchAt,
  matchEnd,
  runEnd,
} from '../scanning/chars.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';
import { isExpression } from './code.js';
import { isSchemaKey, isSchemaType } from './json-below.js';
import { isHarmless, isNumber } from './non-secret-values.js';
import { readQuoted } from './quoted.js';
import { hideYamlBlock, indentOf, lineStart } from './yaml-block.js';

const MAX_LINES = 200;
const DASHES = /(?:-[ \t]{1,8}){1,4}/y;
const MEMBER = /(["']?)([\w.$/-]{1,100})\1[ \t]{0,8}:(?=[ \t\r\n]|$)[ \t]{0,64}/y;
const PROPERTIES = /(?:[&!][^\s,[\]{}]{0,60}[ \t]{1,8}){1,3}/y;
const OPENS = charSet('{[');
const ENDS_TOKEN = charSet(':,;({');
/** Members that say something about a value. */
const DESCRIBES = /^(?:description|key|name|required|summary|title)$/;
/** A schema shows in its first lines. */
const MAX_SCHEMA_LINES = 10;

/**
 * The scalars on the lines below a secret key of YAML: a value on its own line, a list, a mapping at any depth. A schema
 * stays.
 *
 * @param from where the key's line ends
 * @returns where reading goes on, or -1 when no YAML follows
 */
export function hideYamlBelow(text: Text, from: number, keyStart: number, hide: RedactRange): number {
  const keyIndent = indentOf(text, lineStart(text, keyStart));
  const found: number[] = [];
  let end = -1;
  let line = nextLine(text, from);
  for (let count = 0; count < MAX_LINES && line < text.length; count++) {
    const indent = indentOf(text, line);
    const start = line + indent;
    const stop = lineEnd(text, start);
    if (stop > start) {
      const dashes = Math.max(start, matchEnd(DASHES, text, start));
      if (indent < keyIndent || (indent === keyIndent && dashes === start)) break;
      if (count < MAX_SCHEMA_LINES && isSchemaLine(text, dashes, stop)) return -1;
      const read = readLine(text, dashes, stop, dashes > start, count === 0, found);
      if (read < 0) break;
      end = read;
    }
    line = nextLine(text, Math.max(stop, end));
  }
  for (let index = 0; index < found.length; index += 2) hide(found[index]!, found[index + 1]!);
  return end;
}

function isSchemaLine(text: Text, from: number, stop: number): boolean {
  const key = matchAt(MEMBER, text, from)?.[2];
  if (key === undefined) return false;
  return isSchemaKey(key) || (key === 'type' && isSchemaType(text.string.slice(MEMBER.lastIndex, stop).trim()));
}

/** @returns where the line ends, or -1 when it is not YAML */
function readLine(text: Text, from: number, stop: number, isItem: boolean, isFirst: boolean, found: number[]): number {
  const member = matchAt(MEMBER, text, from);
  const start = member ? MEMBER.lastIndex : from;
  if (member) {
    if (start >= stop || DESCRIBES.test(member[2]!)) return stop;
    const block = hideYamlBlock(text, start, from, (...span) => found.push(...span));
    if (block >= 0) return block;
  } else if (!isItem && !isFirst) {
    return -1;
  }
  const value = Math.max(start, matchEnd(PROPERTIES, text, start));
  const quoted = readQuoted(text, value);
  if (quoted) {
    found.push(quoted.start, quoted.end);
    return quoted.next;
  }
  const end = scalarEnd(text, value, stop);
  const isPlain = member !== null || isItem || isToken(text, value, end, stop);
  if (isPlain && !isNothing(text, value)) found.push(value, end);
  return isPlain ? stop : -1;
}

function isNothing(text: Text, at: number): boolean {
  return isIn(text, at, OPENS) || isHarmless(text, at) || isNumber(text, at) || isExpression(text, at);
}

/** Whether the value is one word, alone on its line. */
function isToken(text: Text, from: number, end: number, stop: number): boolean {
  const blank = from + text.string.slice(from, end).search(/\s|$/);
  return end > from && blank >= end && end <= stop && !isIn(text, end - 1, ENDS_TOKEN);
}

/** Before white space and a comment at the line's end. */
function scalarEnd(text: Text, from: number, stop: number): number {
  const comment = text.string.slice(from, stop).indexOf(' #');
  let end = comment >= 0 ? from + comment : stop;
  while (end > from && BLANK[codeBefore(text, end)] === 1) end--;
  return end;
}

function nextLine(text: Text, from: number): number {
  let at = runEnd(text, from, BLANK);
  if (text.codes[at] === 0x0d) at++;
  return at < text.length && isLineBreak(text.codes[at]!) ? at + 1 : Math.max(at, lineEnd(text, at) + 1);
}
