import { charSet, codeBefore, isLineBreak, lineEnd, matchEnd } from '../chars.js';
import type { Hide } from '../scan.js';

const BLOCK = /[|>][+\-\d]{0,2}[ \t]{0,64}(?:\r\n|\n)/y;
const STARTS_BLOCK = charSet('|>');
const MAX_INDENT = 200;

/** The lines of a YAML block scalar (`key: |`): those indented more than the key's. @returns their end, or -1 */
export function hideYamlBlock(text: string, from: number, keyStart: number, hide: Hide): number {
  const first = matchEnd(BLOCK, text, from, STARTS_BLOCK);
  if (first < 0) return -1;
  const keyIndent = indentOf(text, lineStart(text, keyStart));
  let end = first;
  for (let line = first; line < text.length; ) {
    const indent = indentOf(text, line);
    const next = lineEnd(text, line + indent);
    const isBlank = next === line + indent;
    if (!isBlank && indent <= keyIndent) break;
    if (!isBlank) end = next;
    line = next + (text.startsWith('\r\n', next) ? 2 : 1);
  }
  hide(first + (end > first ? indentOf(text, first) : 0), end);
  return end;
}

function lineStart(text: string, from: number): number {
  let at = from;
  while (at > 0 && from - at < MAX_INDENT && !isLineBreak(codeBefore(text, at))) at--;
  return at;
}

function indentOf(text: string, from: number): number {
  let at = from;
  while (text[at] === ' ' || text[at] === '\t') at++;
  return at - from;
}
