import { codeAt, isSpace, matchEnd } from '../chars.js';
import { GREATER_THAN, LESS_THAN, SLASH } from '../codes.js';
import type { Hide } from '../scan.js';
import { hideInside, type Place } from './key-value.js';
import type { Reading } from './reading.js';

const CDATA = '<![CDATA[';
const CDATA_END = /[^\]<]{0,1024}(?:(?:\](?!\]>)|<(?!!\[CDATA))[^\]<]{0,1024}){0,64}\]\]>/y;

/** Where a start tag ends, given where its name or an attribute ends: the place of `>`, or -1 after so many characters. */
export function tagEnd(reading: Reading, from: number, limit: number): number {
  if (codeAt(reading.text, from) === GREATER_THAN) return from;
  if (!isSpace(reading.text, from)) return -1;
  const end = reading.next('>', from);
  return end - from <= limit + 1 && reading.next('<', from) > end ? end : -1;
}

/**
 * Hides the text of an element without children, or its CDATA section.
 *
 * @param from where the text begins, after the start tag
 * @param tag the element's name as the start tag has it; the end tag must have it too
 * @returns where the end tag begins, or -1
 */
export function hideContent(text: string, from: number, tag: string, kind: Place['kind'], hide: Hide): number {
  const isCdata = codeAt(text, from) === LESS_THAN && text.startsWith(CDATA, from);
  const start = isCdata ? from + CDATA.length : from;
  const closing = isCdata ? matchEnd(CDATA_END, text, start) : text.indexOf('<', from);
  if (closing < 0 || codeAt(text, closing + 1) !== SLASH || !text.startsWith(`</${tag}`, closing)) return -1;
  const inside = text.slice(start, isCdata ? closing - ']]>'.length : closing);
  hideInside(text, start, start + inside.trimEnd().length, kind, hide);
  return closing;
}
