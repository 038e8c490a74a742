const MAX_LAST_CHARS = 4000;

/** Whether the tails of the streams of a run leave some of it out. */
export function isTruncated({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): boolean {
  return stdout.length > MAX_LAST_CHARS || stderr.length > MAX_LAST_CHARS;
}

/** The end of a stream, for structured results, from a line's start: at most 4,000 characters. */
export function lastChars(text: string): string {
  if (text.length <= MAX_LAST_CHARS) return text;
  const truncated = text.slice(-MAX_LAST_CHARS);
  return truncated.slice(truncated.indexOf('\n') + 1);
}
