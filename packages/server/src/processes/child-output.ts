import type { Readable } from 'node:stream';
import type { RedactedLines, Redactor } from '@mortise/redact';
import { TokenBucket } from '../util/token-bucket.js';

/** Long enough to contain any secret completely; lines are truncated for display after redaction. */
const MAX_LINE_CHARS = 64 * 1024;
/** The output per second above which the printing process has to wait. */
const CHARS_A_SECOND = 1024 * 1024;
/** The last lines of output that a crash is explained by. */
const LAST_LINES = 20;
const MAX_SHOWN_CHARS = 4000;

export type OutputStream = 'stdout' | 'stderr';

/** What a process prints, line by line. */
export interface OutputLines {
  /** The process has ended: reads the rest of the pipe synchronously. */
  drain(): void;
}

/** Reads a bounded amount a second: who prints more has to wait. Lines are cut at 65,536 characters. */
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

/** What a process prints, redacted before anything of it is kept or cut: a secret may be on several lines. */
export interface ChildOutput {
  add(line: string, stream: OutputStream): void;
  /** The process has ended: shows what was held back. */
  end(): void;
  /** The last lines. */
  last(): string;
}

/** @param show gets each line, cut at 4,000 characters */
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

/** Between words. */
function truncateLine(line: string, maxChars: number): string {
  return line.length <= maxChars ? line : `${line.slice(0, line.lastIndexOf(' ', maxChars) + 1)}…`;
}
