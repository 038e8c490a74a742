import { BLANK, charSet, codeBefore, endOfMatch, isIn, isLineBreak, lineEnd } from '../scanning/chars.js';
import type { RedactRange } from '../scanning/scan.js';
import type { Text } from '../scanning/text.js';

const BLOCK = /[|>][+\-\d]{0,2}[ \t]{0,64}(?:#[^\r\n]{0,200})?(?:\r\n|\n)/y;
const STARTS_BLOCK = charSet('|>');
const MAX_INDENT = 200;

/** The lines of a YAML block scalar (`key: |`): those indented more than the key's. @returns their end, or -1 */
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
