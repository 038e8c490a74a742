const NEWLINE = 0x0a;
/** How much of either end of a line that is too long is kept, in bytes: enough to find the request's id. */
const MAX_POOLED_BYTES = 512;

/** The beginning and the end of a line that was too long to be kept. */
export interface TruncatedLine {
  head: string;
  tail: string;
}

export interface LineReader {
  push(chunk: Buffer): void;
  /** The stream has ended: what came after its last newline is a line too. */
  end(): void;
}

export interface LineEvents {
  onLine(line: string): void;
  /** A line has more than it may have; it may not have come to its end. */
  onExceeded?(): void;
  /** It has come to its end. */
  onTruncated?(line: TruncatedLine): void;
}

/** Cuts a stream of bytes into lines. A line of more than `maxBytes` is not kept: only its two ends are handed over. */
export function createLineReader(maxBytes: number, { onLine, onExceeded, onTruncated }: LineEvents): LineReader {
  let parts: Buffer[] = [];
  let bytes = 0;
  let head: string | undefined;

  const take = (line: string) => {
    if (line.trim() !== '') onLine(line);
  };
  const append = (part: Buffer) => {
    // Who reads the stream may use the memory of a chunk again.
    parts.push(Buffer.from(part));
    bytes += part.length;
    if (bytes <= maxBytes) return;
    const remaining = Buffer.concat(parts);
    parts = [Buffer.from(remaining.subarray(-MAX_POOLED_BYTES))];
    if (head !== undefined) return;
    head = remaining.toString('utf8', 0, MAX_POOLED_BYTES);
    onExceeded?.();
  };
  const finish = () => {
    const line = (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8');
    const truncated = head;
    parts = [];
    bytes = 0;
    head = undefined;
    if (truncated !== undefined) onTruncated?.({ head: truncated, tail: line });
    else take(line);
  };

  return {
    push(chunk) {
      const last = chunk.lastIndexOf(NEWLINE);
      let start = 0;
      while (start <= last && (bytes > 0 || last - start > maxBytes)) {
        const end = chunk.indexOf(NEWLINE, start);
        append(chunk.subarray(start, end));
        finish();
        start = end + 1;
      }
      if (start <= last) for (const line of chunk.toString('utf8', start, last).split('\n')) take(line);
      if (last + 1 < chunk.length) append(chunk.subarray(last + 1));
    },
    end() {
      if (bytes > 0) finish();
    },
  };
}
