import { StringDecoder } from 'node:string_decoder';

/** Characters of a line that is held back until it ends; a longer one is passed on in pieces. */
export const MAX_LINE_CHARS = 64 * 1024;

/** Makes whole lines of the chunks of one stream. */
export interface LineSplitter {
  write(chunk: Buffer): void;
  /** Passes on what has no line end. */
  end(): void;
}

/**
 * UTF-8, also across the borders of chunks.
 * @param onText one or more whole lines with their line ends, or a piece of a long one, which ends at a code point
 */
export function createLineSplitter(onText: (text: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let pending = '';

  function add(text: string): void {
    const whole = text.lastIndexOf('\n') + 1;
    if (whole > 0) {
      onText(pending + text.slice(0, whole));
      pending = text.slice(whole);
    } else {
      pending += text;
    }
    while (pending.length >= MAX_LINE_CHARS) {
      const end = codePointBorder(pending, MAX_LINE_CHARS);
      onText(pending.slice(0, end));
      pending = pending.slice(end);
    }
  }

  return {
    write(chunk) {
      add(decoder.write(chunk));
    },
    end() {
      add(decoder.end());
      if (pending !== '') onText(pending);
      pending = '';
    },
  };
}

/** The place at or before `at` that splits no surrogate pair. */
export function codePointBorder(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return isLowSurrogate && at > 0 ? at - 1 : at;
}

/** The lines of what a splitter passes on, without their line ends (LF or CRLF). */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (text.endsWith('\n')) lines.pop();
  return lines;
}
