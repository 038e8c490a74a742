/** The maximum length of output in one error; `fullOutput` links to all of it. */
const MAX_EXCERPT_CHARS = 4_000;

/** The first characters of a text, never half a code point. */
export function head(text: string, chars: number): string {
  return text.slice(0, chars).replace(/[\uD800-\uDBFF]$/, '');
}

/** The last lines of a text that fit into `chars` characters, or the end of the last line if that is longer. */
export function lastChars(text: string, chars: number): string {
  if (text.length <= chars) return text;
  const truncated = text.slice(-chars);
  const lineStart = truncated.indexOf('\n') + 1;
  return (lineStart > 0 && lineStart < truncated.length ? truncated.slice(lineStart) : truncated).replace(
    /^[\uDC00-\uDFFF]/,
    '',
  );
}

/** The end of a long text, with a line that gives the length of the omitted part. */
export function bounded(text: string): string {
  if (text.length <= MAX_EXCERPT_CHARS) return text;
  const end = lastChars(text, MAX_EXCERPT_CHARS);
  return `… ${text.length - end.length} characters before this are omitted\n${end}`;
}

const MAX_STREAM_CHARS = 4000;

/** Whether the tails of the streams of a run leave some of it out. */
export function isTruncated({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): boolean {
  return stdout.length > MAX_STREAM_CHARS || stderr.length > MAX_STREAM_CHARS;
}

/** Structured results hold only this much of a stream; it begins at the start of a line. */
export const streamEnd = (text: string): string => lastChars(text, MAX_STREAM_CHARS);
