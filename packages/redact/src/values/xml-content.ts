import { codeAt, EXCLAMATION_MARK, endOfMatch, GREATER_THAN, isSpace, LESS_THAN, SLASH } from '../scanning/chars.js';
import { NOT_FOUND } from '../scanning/memoized-scan.js';
import type { Text } from '../scanning/text.js';
import type { Key } from './key.js';
import { redactInside } from './literals.js';
import { isStandIn } from './non-secret-values.js';
import type { ScanState } from './scan-state.js';

const CDATA = '<![CDATA[';
const CDATA_END = /[^\]<]{0,1024}(?:(?:\](?!\]>)|<(?!!\[CDATA))[^\]<]{0,1024}){0,64}\]\]>/y;

/** The name in a start tag, from `start` to `end`. */
export interface Tag {
  readonly start: number;
  readonly end: number;
}

/**
 * Returns the position of the `>` that ends a start tag, or -1 if it is more than `limit` characters away.
 * @param from the end of the tag's name or of an attribute
 */
export function tagEnd(state: ScanState, from: number, limit: number): number {
  if (codeAt(state.text, from) === GREATER_THAN) return from;
  if (!isSpace(state.text, from)) return -1;
  const end = state.next(GREATER_THAN, from);
  return end - from <= limit + 1 && state.next(LESS_THAN, from) > end ? end : -1;
}

/**
 * Redacts the text of an element without children, or its CDATA section.
 *
 * @param from the start of the text, after the start tag
 * @param tag the element's name in the start tag, which the end tag must repeat
 * @returns the start of the end tag, or -1
 */
export function redactContent(state: ScanState, from: number, tag: Tag, kind: Key['kind']): number {
  const { text, redact } = state;
  const isCdata = startsCdata(text, from);
  const start = isCdata ? from + CDATA.length : from;
  const closing = isCdata ? endOfMatch(CDATA_END, text, start) : state.next(LESS_THAN, from);
  if (closing < 0 || closing === NOT_FOUND || !isEndTag(text, closing, tag)) return -1;
  const inside = text.string.slice(start, isCdata ? closing - ']]>'.length : closing);
  const end = start + inside.trimEnd().length;
  if (!isStandIn(text, start, end)) redactInside(text, start, end, kind, redact);
  return closing;
}

function startsCdata(text: Text, at: number): boolean {
  const isMarkup = codeAt(text, at) === LESS_THAN && codeAt(text, at + 1) === EXCLAMATION_MARK;
  return isMarkup && text.string.startsWith(CDATA, at);
}

function isEndTag(text: Text, at: number, { start, end }: Tag): boolean {
  return codeAt(text, at + 1) === SLASH && text.string.startsWith(text.string.slice(start, end), at + 2);
}
