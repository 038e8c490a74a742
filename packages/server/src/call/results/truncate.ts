import { PLACEHOLDER } from '@mortise/redact';

/** The maximum distance by which a cut is moved to a line end, in characters (docs/spec/contract.md#truncation). */
const LINE_END_REACH = 2000;

export interface TruncatedText {
  text: string;
  /** The number of omitted characters; 0 if the text was not truncated. */
  omittedChars: number;
}

/**
 * Truncates a text that is longer than `maxChars` in its middle: keeps a quarter of `maxChars` from its beginning and
 * three quarters from its end, and puts a note on a line between them. Each cut is at a line end within LINE_END_REACH,
 * or else between code points, and never inside `[REDACTED]`.
 */
export function truncateMiddle(text: string, maxChars: number, note: (omittedChars: number) => string): TruncatedText {
  if (text.length <= maxChars) return { text, omittedChars: 0 };
  const headEnd = truncateBefore(text, Math.floor(maxChars / 4));
  const tailStart = Math.max(headEnd, truncateAfter(text, text.length - (maxChars - Math.floor(maxChars / 4))));
  const omittedChars = tailStart - headEnd;
  const head = text.slice(0, headEnd);
  const tail = text.slice(tailStart);
  return {
    text: [head.replace(/\n$/, ''), note(omittedChars), tail].filter((part) => part !== '').join('\n'),
    omittedChars,
  };
}

/** Returns at most the last `maxChars` characters, from the start of a line if there is one within LINE_END_REACH. */
export function lastChars(text: string, maxChars: number): string {
  return text.length <= maxChars ? text : text.slice(truncateAfter(text, text.length - maxChars));
}

function truncateBefore(text: string, at: number): number {
  const lineEnd = at === 0 ? -1 : text.lastIndexOf('\n', at - 1);
  if (lineEnd >= 0 && at - (lineEnd + 1) <= Math.min(LINE_END_REACH, at)) return lineEnd + 1;
  const placeholder = placeholderAround(text, at);
  return codePointEdge(text, placeholder?.start ?? at, -1);
}

function truncateAfter(text: string, at: number): number {
  const lineEnd = text.indexOf('\n', Math.max(0, at - 1));
  if (lineEnd >= 0 && lineEnd + 1 - at <= LINE_END_REACH && lineEnd + 1 < text.length) return lineEnd + 1;
  const placeholder = placeholderAround(text, at);
  return codePointEdge(text, placeholder?.end ?? at, 1);
}

function placeholderAround(text: string, at: number): { start: number; end: number } | undefined {
  const start = text.lastIndexOf(PLACEHOLDER, at - 1);
  return start >= 0 && start < at && at < start + PLACEHOLDER.length
    ? { start, end: start + PLACEHOLDER.length }
    : undefined;
}

/** Moves a position inside a surrogate pair to the pair's start (−1) or end (1). */
function codePointEdge(text: string, at: number, step: 1 | -1): number {
  const code = text.charCodeAt(at);
  return code >= 0xdc00 && code <= 0xdfff && at > 0 ? at + step : at;
}

const MAX_QUOTED_CHARS = 200;

/** Shortens a quoted text to 200 characters. Redact the text first: half a secret would not be recognised. */
export function clip(text: string): string {
  return text.length <= MAX_QUOTED_CHARS ? text : `${text.slice(0, MAX_QUOTED_CHARS)}…`;
}
