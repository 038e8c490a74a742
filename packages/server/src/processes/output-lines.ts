import type { Readable } from 'node:stream';
import { TokenBucket } from '../util/token-bucket.js';

/** Long enough to contain any secret completely; lines are truncated for display after redaction. */
const MAX_LINE_CHARS = 64 * 1024;
/** The output per second above which the printing process has to wait. */
const CHARS_A_SECOND = 1024 * 1024;

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
    for (const line of lines) onLine(truncateLine(line.replace(/\r$/, '')));
    bucket.take(text.length);
    const waitMs = bucket.waitMs();
    if (waitMs === 0 || hasEnded) return;
    stream.pause();
    timer = setTimeout(() => stream.resume(), Math.ceil(waitMs)).unref();
  });
  stream.on('close', () => {
    clearTimeout(timer);
    if (rest !== '') onLine(truncateLine(rest));
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

/** Between words. */
function truncateLine(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, line.lastIndexOf(' ', MAX_LINE_CHARS) + 1)}…`;
}
