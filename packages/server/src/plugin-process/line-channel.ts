import type { Duplex } from 'node:stream';

/** JSON lines over a pipe: those of one tick are written together. */
export interface LineChannel<Out> {
  send(message: Out): void;
  /** Ends the channel; nothing is received after it. */
  close(): void;
}

export interface LineChannelEvents<In> {
  /** `bytes` is the length of the line. */
  onMessage(message: In, bytes: number): void;
  /** The other side has gone, or what it sent is no line of JSON. Called once. */
  onEnd(reason: string | undefined): void;
  /** Longer lines end the channel. */
  maxLineBytes: number;
}

/** @param stream carries this channel alone */
export function openLineChannel<In, Out>(stream: Duplex, events: LineChannelEvents<In>): LineChannel<Out> {
  let outgoing = '';
  let isOpen = true;
  let partial: Buffer[] = [];
  let partialBytes = 0;

  const end = (reason: string | undefined) => {
    if (!isOpen) return;
    isOpen = false;
    stream.destroy();
    events.onEnd(reason);
  };

  function readLine(line: Buffer): void {
    let message: In;
    try {
      message = JSON.parse(line.toString('utf8')) as In;
    } catch {
      end('it sent a line that is no JSON');
      return;
    }
    events.onMessage(message, line.length);
  }

  stream.on('data', (chunk: Buffer) => {
    let start = 0;
    for (let at = chunk.indexOf(10); at >= 0 && isOpen; at = chunk.indexOf(10, start)) {
      const piece = chunk.subarray(start, at);
      start = at + 1;
      const line = partialBytes === 0 ? piece : Buffer.concat([...partial, piece]);
      partial = [];
      partialBytes = 0;
      readLine(line);
    }
    if (!isOpen || start === chunk.length) return;
    partial.push(chunk.subarray(start));
    partialBytes += chunk.length - start;
    if (partialBytes > events.maxLineBytes) end(`it sent a message of more than ${events.maxLineBytes} bytes`);
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
      if (outgoing === '') setImmediate(flush);
      outgoing += `${JSON.stringify(message)}\n`;
    },
    close: () => end(undefined),
  };
}
