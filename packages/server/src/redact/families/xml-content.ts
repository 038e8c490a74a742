import { matchEnd } from '../chars.js';
import type { Hide } from '../scan.js';
import { hideInside, type Place } from './key-value.js';

const CDATA = /<!\[CDATA\[/y;
const CDATA_END = /[^\]<]{0,1024}(?:(?:\](?!\]>)|<(?!!\[CDATA))[^\]<]{0,1024}){0,64}\]\]>/y;

/**
 * Hides the text of an element without children, or its CDATA section.
 *
 * @param from where the text begins, after the start tag
 * @param tag the element's name as the start tag has it; the end tag must have it too
 * @returns where the end tag begins, or -1
 */
export function hideContent(text: string, from: number, tag: string, kind: Place['kind'], hide: Hide): number {
  const cdata = matchEnd(CDATA, text, from);
  const isCdata = cdata >= 0;
  const start = isCdata ? cdata : from;
  const closing = isCdata ? matchEnd(CDATA_END, text, cdata) : text.indexOf('<', from);
  if (closing < 0 || !text.startsWith(`</${tag}`, closing)) return -1;
  const inside = text.slice(start, isCdata ? closing - ']]>'.length : closing);
  hideInside(text, start, start + inside.trimEnd().length, kind, hide);
  return closing;
}
