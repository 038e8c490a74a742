import type { LineFilter, SessionLine, SessionLines } from './session.js';

/** The last lines of a session, limited by their number and their size. */
export interface LineRing {
  add(line: SessionLine): void;
  read(filter: LineFilter & { readonly tailLines?: number }): SessionLines;
}

export function createLineRing(maxLines: number, maxBytes: number): LineRing {
  let lines: SessionLine[] = [];
  /** The index of the first line that is still kept. */
  let start = 0;
  let bytes = 0;
  const dropped = { stdout: 0, stderr: 0 };

  function dropFirst(): void {
    const { stream, text } = lines[start]!;
    start += 1;
    bytes -= sizeOf(text);
    dropped[stream] += 1;
    if (start > 1024 && start * 2 > lines.length) {
      lines = lines.slice(start);
      start = 0;
    }
  }

  return {
    add(line) {
      lines.push(line);
      bytes += sizeOf(line.text);
      while (lines.length - start > maxLines || (bytes > maxBytes && lines.length - start > 1)) dropFirst();
    },
    read({ stream, since, tailLines }) {
      const keptLines = lines.slice(start);
      const from = since?.getTime() ?? Number.NEGATIVE_INFINITY;
      const matches = keptLines.filter(
        (line) => (stream === undefined || line.stream === stream) && Date.parse(line.at) >= from,
      );
      const countsDropped = keptLines.length === 0 || Date.parse(keptLines[0]!.at) >= from;
      const droppedCount = stream === undefined ? dropped.stdout + dropped.stderr : dropped[stream];
      const total = matches.length + (countsDropped ? droppedCount : 0);
      const tail = tailLines === undefined ? matches : matches.slice(-tailLines);
      return { lines: tail, total, truncated: tail.length < total };
    },
  };
}

/** Returns the bytes of a line in UTF-8, with its line end. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text) + 1;
}
