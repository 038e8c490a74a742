/** The maximum length of the output in one error. `fullOutput` links to the whole output. */
const MAX_EXCERPT_CHARS = 4_000;

/** Returns the first characters of a text, without half a code point at the end. */
export function head(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '');
}

/** Returns the last lines of a text that fit into `chars` characters, or the end of the last line if it is longer. */
export function lastChars(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const truncated = text.slice(-chars);
  const lineStart = truncated.indexOf('\n') + 1;
  return (lineStart > 0 && lineStart < truncated.length ? truncated.slice(lineStart) : truncated).replace(
    /^[\uDC00-\uDFFF]/,
    '',
  );
}

/**
 * Shortens a long text to its end, and puts a line in front that says how many characters are omitted. Returns a short
 * text unchanged.
 */
export function bounded(text: string): string {
  if (text.length <= MAX_EXCERPT_CHARS) return text;
  const end = lastChars(text, MAX_EXCERPT_CHARS);
  return `… ${text.length - end.length} characters before this are omitted\n${end}`;
}

const MAX_STREAM_CHARS = 4000;

/** True if {@link streamEnd} omits a part of one of the streams. */
export function isTruncated({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): boolean {
  return stdout.length > MAX_STREAM_CHARS || stderr.length > MAX_STREAM_CHARS;
}

/** Returns the end of a stream for structured results. It begins at the start of a line if it can. */
export const streamEnd = (text: string): string => lastChars(text, MAX_STREAM_CHARS);
