import type { Readable } from 'node:stream';

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
  let rest = '';
  let logRateLimit = CHARS_A_SECOND;
  let refill: NodeJS.Timeout | undefined;

  const resume = () => {
    clearTimeout(refill);
    refill = undefined;
    logRateLimit = CHARS_A_SECOND;
    stream.resume();
  };
  const wait = () => {
    refill = setTimeout(resume, 1000).unref();
  };
  stream.setEncoding('utf8');
  stream.on('data', (text: string) => {
    if (refill === undefined) wait();
    const lines = (rest + text).split('\n');
    rest = lines.pop()!.slice(0, MAX_LINE_CHARS + 1);
    for (const line of lines) onLine(truncateLine(line.replace(/\r$/, '')));
    logRateLimit -= text.length;
    if (logRateLimit <= 0) stream.pause();
  });
  stream.on('close', () => {
    clearTimeout(refill);
    if (rest !== '') onLine(truncateLine(rest));
    rest = '';
  });
  stream.on('error', () => {});

  return { drain: resume };
}

/** Between words. */
function truncateLine(line: string): string {
  return line.length <= MAX_LINE_CHARS ? line : `${line.slice(0, line.lastIndexOf(' ', MAX_LINE_CHARS) + 1)}…`;
}
