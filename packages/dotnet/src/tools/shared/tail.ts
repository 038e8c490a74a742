const TAIL_CHARS = 4000;

/** Whether the tails of the streams of a run leave some of it out. */
export function isCut({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): boolean {
  return stdout.length > TAIL_CHARS || stderr.length > TAIL_CHARS;
}

/** The end of a stream, for structured results, from a line's start: at most 4,000 characters. */
export function tail(text: string): string {
  if (text.length <= TAIL_CHARS) return text;
  const cut = text.slice(-TAIL_CHARS);
  return cut.slice(cut.indexOf('\n') + 1);
}
