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
  /** `bytes` is the length of the line. */
  onMessage(message: unknown, bytes: number): void;
  /** The other side has gone, or what it sent is no line of JSON. Called once. */
  onEnd(reason: string | undefined): void;
}

const NEWLINE = 10;
/** No character of a string takes more in UTF-8. */
const MAX_CHAR_BYTES = 3;

/** @param stream carries this channel alone */
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

  function readLine(line: Buffer): void {
    let message: unknown;
    try {
      message = JSON.parse(line.toString('utf8'));
    } catch {
      end('it sent a line that is no JSON');
      return;
    }
    onMessage(message, line.length);
  }

  /** The piece that ends a line, with what came of the line before. */
  function completed(piece: Buffer): Buffer {
    const line = partialBytes === 0 ? piece : Buffer.concat([...partial, piece]);
    partial = [];
    partialBytes = 0;
    return line;
  }

  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0 && isOpen; at = chunk.indexOf(NEWLINE, start)) {
      const line = completed(chunk.subarray(start, at));
      start = at + 1;
      readLine(line);
    }
    if (!isOpen || start === chunk.length) return;
    partial.push(chunk.subarray(start));
    partialBytes += chunk.length - start;
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
      if (outgoing === '') setImmediate(flush);
      outgoing += `${line}\n`;
    },
    close: () => end(undefined),
  };
}
