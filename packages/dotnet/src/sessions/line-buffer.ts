import type { LineFilter, SessionLine, SessionLines } from './session.js';

/** The last lines of a session: at most `maxLines`, and `maxBytes` of UTF-8. */
export interface LineRing {
  add(line: SessionLine): void;
  read(filter: LineFilter & { readonly tailLines?: number }): SessionLines;
}

export function createLineRing(maxLines: number, maxBytes: number): LineRing {
  let lines: SessionLine[] = [];
  /** Lines before it have been given up. */
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
      const lastLines = lines.slice(start);
      const from = since?.getTime() ?? Number.NEGATIVE_INFINITY;
      const found = lastLines.filter(
        (line) => (stream === undefined || line.stream === stream) && Date.parse(line.at) >= from,
      );
      const mayMiss = lastLines.length === 0 || Date.parse(lastLines[0]!.at) >= from;
      const droppedLines = stream === undefined ? dropped.stdout + dropped.stderr : dropped[stream];
      const total = found.length + (mayMiss ? droppedLines : 0);
      const tail = tailLines === undefined ? found : found.slice(-tailLines);
      return { lines: tail, total, truncated: tail.length < total };
    },
  };
}

/** With its line end. */
function sizeOf(text: string): number {
  return Buffer.byteLength(text) + 1;
}
