import type { Duplex } from 'node:stream';

/** Longer lines are neither sent nor read. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** JSON lines over a pipe: those of one tick are written together. */
export interface LineChannel<Out> {
  /** @throws RangeError for a message of more than {@link MAX_LINE_BYTES} */
  send(message: Out): void;
  /** Ends the channel; nothing is received after it. */
  close(): void;
}

export interface LineChannelEvents {
  /** `length` is that of the line, in characters. */
  onMessage(message: unknown, length: number): void;
  /** The other side has gone, or what it sent is no line of JSON. Called once. */
  onEnd(reason: string | undefined): void;
}

const NEWLINE = 10;
/** No character of a string takes more in UTF-8. */
const MAX_CHAR_BYTES = 3;

/** @param stream carries this channel alone; it may use the memory of a chunk again once that was read */
export function openLineChannel<Out>(stream: Duplex, { onMessage, onEnd }: LineChannelEvents): LineChannel<Out> {
  let outgoing = '';
  let isOpen = true;
  let partial: Buffer[] = [];
  let partialBytes = 0;

  const end = (reason: string | undefined) => {
    if (!isOpen) return;
    isOpen = false;
    partial = [];
    stream.destroy();
    onEnd(reason);
  };

  function readLine(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      end('it sent a line that is no JSON');
      return;
    }
    onMessage(message, line.length);
  }

  /** What came of the first line before, and the lines of this piece. */
  function linesOf(piece: Buffer): string[] {
    const lines = partialBytes === 0 ? piece : Buffer.concat([...partial, piece]);
    partial = [];
    partialBytes = 0;
    return lines.toString('utf8').split('\n');
  }

  stream.on('data', (chunk: Buffer) => {
    const last = chunk.lastIndexOf(NEWLINE);
    if (last >= 0) {
      for (const line of linesOf(chunk.subarray(0, last))) if (isOpen) readLine(line);
    }
    if (!isOpen || last + 1 === chunk.length) return;
    partial.push(Buffer.from(chunk.subarray(last + 1)));
    partialBytes += chunk.length - last - 1;
    if (partialBytes > MAX_LINE_BYTES) end(`it sent a message of more than ${MAX_LINE_BYTES} bytes`);
  });
  stream.on('error', () => end(undefined));
  stream.on('close', () => end(undefined));

  const flush = () => {
    const lines = outgoing;
    outgoing = '';
    if (isOpen) stream.write(lines);
  };

  return {
    send(message) {
      if (!isOpen) return;
      const line = JSON.stringify(message);
      const isLong = line.length > MAX_LINE_BYTES / MAX_CHAR_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES;
      if (isLong) throw new RangeError(`It has more than ${MAX_LINE_BYTES} bytes`);
      if (outgoing === '') process.nextTick(flush);
      outgoing += `${line}\n`;
    },
    close: () => end(undefined),
  };
}
