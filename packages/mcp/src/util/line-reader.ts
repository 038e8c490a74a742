const NEWLINE = 0x0a;
/** The size of each end that is kept of a line that is too long: enough to find the request's id. */
const KEPT_END_BYTES = 512;

/** The first and the last 512 bytes of a line that was too long. */
export interface TruncatedLine {
  head: string;
  tail: string;
}

export interface LineReader {
  push(chunk: Buffer): void;
  /** Call this when the stream has ended: the text after its last newline is a line too. */
  end(): void;
}

export interface LineEvents {
  onLine(line: string): void;
  /** Called once for a line that is too long, as soon as its length exceeds the limit. */
  onExceeded?(): void;
  /** Called when a line that is too long has ended. */
  onTruncated?(line: TruncatedLine): void;
}

/** Splits a stream of bytes into lines. Of a line of more than `maxBytes` only both ends are kept. */
export function createLineReader(maxBytes: number, { onLine, onExceeded, onTruncated }: LineEvents): LineReader {
  let parts: Buffer[] = [];
  let bytes = 0;
  let head: string | undefined;

  const take = (line: string) => {
    if (line.trim() !== '') onLine(line);
  };
  const append = (part: Buffer) => {
    // The caller may reuse the memory of the chunk.
    parts.push(Buffer.from(part));
    bytes += part.length;
    if (bytes <= maxBytes) return;
    const line = Buffer.concat(parts);
    parts = [Buffer.from(line.subarray(-KEPT_END_BYTES))];
    if (head !== undefined) return;
    head = line.toString('utf8', 0, KEPT_END_BYTES);
    onExceeded?.();
  };
  const finish = () => {
    const text = (parts.length === 1 ? parts[0]! : Buffer.concat(parts)).toString('utf8');
    const truncatedHead = head;
    parts = [];
    bytes = 0;
    head = undefined;
    if (truncatedHead !== undefined) onTruncated?.({ head: truncatedHead, tail: text });
    else take(text);
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
