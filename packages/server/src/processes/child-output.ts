import type { Readable } from 'node:stream';
import type { RedactedLines, Redactor } from '@mortise/redact';
import { TokenBucket } from '../util/token-bucket.js';

/** Long enough for any secret, so that redaction sees the whole secret. Lines are cut for display after redaction. */
const MAX_LINE_CHARS = 64 * 1024;
/** The characters that are read in a second. A process that prints more has to wait. */
const CHARS_A_SECOND = 256 * 1024;
/** The number of last lines that are kept to explain a crash. */
const LAST_LINES = 20;
const MAX_SHOWN_CHARS = 4000;

export type OutputStream = 'stdout' | 'stderr';

/** The output of a process, line by line. */
export interface OutputLines {
  /** Call this when the process has ended: the rest of the pipe is read without pauses. */
  drain(): void;
}

/** Reads lines at a limited rate: a process that prints more than CHARS_A_SECOND has to wait. Cuts lines at 65,536 characters. */
export function readOutputLines(stream: Readable, onLine: (line: string) => void): OutputLines {
  const bucket = new TokenBucket(CHARS_A_SECOND);
  let rest = '';
  let hasEnded = false;
  let timer: NodeJS.Timeout | undefined;

  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n');
    rest = lines.pop()!.slice(0, MAX_LINE_CHARS + 1);
    for (const line of lines) onLine(truncateLine(line.replace(/\r$/, ''), MAX_LINE_CHARS));
    bucket.take(text.length);
    const waitMs = bucket.waitMs();
    if (waitMs === 0 || hasEnded) return;
    stream.pause();
    timer = setTimeout(() => stream.resume(), Math.ceil(waitMs)).unref();
  });
  stream.on('close', () => {
    clearTimeout(timer);
    if (rest !== '') onLine(truncateLine(rest, MAX_LINE_CHARS));
    rest = '';
  });
  stream.on('error', () => {});

  return {
    drain() {
      hasEnded = true;
      stream.resume();
    },
  };
}

/** Redacts the output of a process before any of it is kept or cut, because a secret can span several lines. */
export interface ChildOutput {
  add(line: string, stream: OutputStream): void;
  /** Call this when the process has ended: it shows the lines that were held back. */
  end(): void;
  /** The last lines of the output. */
  last(): string;
}

/** @param show is called with each redacted line, cut at 4,000 characters */
export function createChildOutput(redactor: Redactor, show: (line: string, stream: OutputStream) => void): ChildOutput {
  const lastLines: string[] = [];
  const streamOf = (stream: OutputStream): RedactedLines<undefined> =>
    redactor.lines((text) => {
      const line = truncateLine(text, MAX_SHOWN_CHARS);
      lastLines.push(line);
      if (lastLines.length > LAST_LINES) lastLines.shift();
      show(line, stream);
    });
  const streams = { stdout: streamOf('stdout'), stderr: streamOf('stderr') };
  return {
    add: (line, stream) => streams[stream].add(line, undefined),
    end() {
      streams.stdout.end();
      streams.stderr.end();
    },
    last: () => lastLines.join('\n'),
  };
}

/** Cuts a line between two words. */
function truncateLine(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${line.slice(0, line.lastIndexOf(' ', maxChars) + 1)}…`;
}
