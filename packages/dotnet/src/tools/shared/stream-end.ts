import { lastChars } from '../../diagnostics/parse/truncate.js';

const MAX_STREAM_CHARS = 4000;

/** Whether the tails of the streams of a run leave some of it out. */
export function isTruncated({ stdout, stderr }: { readonly stdout: string; readonly stderr: string }): boolean {
  return stdout.length > MAX_STREAM_CHARS || stderr.length > MAX_STREAM_CHARS;
}

/** Structured results hold only this much of a stream; it begins at the start of a line. */
export const streamEnd = (text: string): string => lastChars(text, MAX_STREAM_CHARS);
