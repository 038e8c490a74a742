import type { RedactedLines, Redactor } from '@mortise/redact';

/** The last lines of output that a crash is explained by. */
const LAST_LINES = 20;
const MAX_TEXT_CHARS = 4000;

export type OutputStream = 'stdout' | 'stderr';

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
      const line = truncateLine(text);
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

function truncateLine(line: string): string {
  return line.length <= MAX_TEXT_CHARS ? line : `${line.slice(0, line.lastIndexOf(' ', MAX_TEXT_CHARS) + 1)}…`;
}
