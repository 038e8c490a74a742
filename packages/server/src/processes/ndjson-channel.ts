import type { Duplex } from 'node:stream';
import { stringifyLarge } from '@mortise/mcp/util';
import type { LimitViolation } from '../settings/limit-violation.js';
import type { PluginLimits } from '../settings/plugin-limits.js';
import { StreamShare } from '../util/stream-share.js';
import { MessageMeter } from './message-meter.js';

/** Longer lines are neither sent nor read, whatever the limits say. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/** JSON lines over a pipe: those of one tick are written together, many of them in several writes. */
export interface LineChannel<Out> {
  /** @throws MessageTooLarge */
  send(message: Out): void;
  /** {@link send} for a message with a part whose JSON text is known (`jsonSourceOf`). */
  sendLarge(message: Out): void;
  /** From now on messages beyond these limits are not sent. */
  bound(limits: PluginLimits): void;
  /** Adds `ms` milliseconds that processing a received message took. */
  charge(ms: number): void;
  /** Ends the channel; nothing is received after it. */
  close(): void;
}

export interface LineChannelEvents {
  /** `length` is that of the line, in characters. */
  onMessage(message: unknown, length: number): void;
  /** The other side has gone, or what it sent is not a line of JSON. Called once. */
  onClose(reason: string | undefined): void;
}

export interface LineChannelOptions {
  /** Set if the other side is a plugin: limits for the size of its messages and the time they take. */
  readonly limits?: PluginLimits;
}

/** Why a message was not sent. */
export class MessageTooLarge extends RangeError {
  /** @param violation undefined where no setting allows it */
  constructor(
    message: string,
    readonly violation?: LimitViolation,
  ) {
    super(message);
  }
}

/** In characters: shorter lines are parsed without being measured, and whatever they take is too little to count. */
export const LONG_LINE_CHARS = 64 * 1024;
/** More messages do not wait for the end of the tick: the other side works on them while this one continues. */
const MAX_WAITING = 24;
const NEWLINE = 10;
/** No character of a string takes more in UTF-8. */
const MAX_CHAR_BYTES = 3;

/** @param stream carries this channel alone; it may use the memory of a chunk again once that was read */
export function openLineChannel<Out>(
  stream: Duplex,
  { onMessage, onClose }: LineChannelEvents,
  { limits }: LineChannelOptions = {},
): LineChannel<Out> {
  const share = limits && new StreamShare(stream, limits.TimeSharePercent);
  const meter = limits && new MessageMeter(limits, 'its message');
  let sendLimits: PluginLimits | undefined;
  let outgoing = '';
  /** How many lines that is. */
  let waiting = 0;
  let isOpen = true;
  let partial: Buffer[] = [];
  let partialBytes = 0;

  const end = (reason: string | undefined) => {
    if (!isOpen) return;
    isOpen = false;
    partial = [];
    share?.end();
    stream.destroy();
    onClose(reason);
  };

  function parseLine(line: string): void {
    const startedAt = share && line.length >= LONG_LINE_CHARS ? performance.now() : undefined;
    parseMessage(line);
    if (isOpen && startedAt !== undefined) share?.charge(performance.now() - startedAt);
  }

  function parseMessage(line: string): void {
    let message: unknown;
    try {
      message = JSON.parse(line);
    } catch {
      end('it sent a line that is not JSON');
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

  /** Measures a further piece of an incomplete line; a line that is too large is not read further. */
  function exceedsLimit(piece: Buffer): boolean {
    const violation = meter?.add(piece);
    if (violation) end(`its message is too large: ${violation.message}`);
    return violation !== undefined;
  }

  stream.on('data', (chunk: Buffer) => {
    const last = chunk.lastIndexOf(NEWLINE);
    if (partialBytes > 0 && exceedsLimit(last < 0 ? chunk : chunk.subarray(0, chunk.indexOf(NEWLINE)))) return;
    if (last >= 0) {
      meter?.reset();
      for (const line of linesOf(chunk.subarray(0, last))) if (isOpen) parseLine(line);
    }
    if (!isOpen || last + 1 === chunk.length) return;
    partial.push(Buffer.from(chunk.subarray(last + 1)));
    partialBytes += chunk.length - last - 1;
    if (last >= 0 || partialBytes === chunk.length) exceedsLimit(partial[0]!);
    if (partialBytes > MAX_LINE_BYTES) end(`it sent a message of more than ${MAX_LINE_BYTES} bytes`);
  });
  stream.on('error', () => end(undefined));
  stream.on('close', () => end(undefined));

  const flush = () => {
    if (outgoing === '') return;
    const lines = outgoing;
    outgoing = '';
    waiting = 0;
    if (isOpen) stream.write(lines);
  };

  const sendLine = (line: string) => {
    if (!isOpen) return;
    if (sendLimits && line.length > LONG_LINE_CHARS) throwIfBeyond(sendLimits, line);
    const isLong = line.length > MAX_LINE_BYTES / MAX_CHAR_BYTES && Buffer.byteLength(line) > MAX_LINE_BYTES;
    if (isLong) throw new MessageTooLarge(`It has more than ${MAX_LINE_BYTES} bytes`);
    if (outgoing === '') process.nextTick(flush);
    outgoing += `${line}\n`;
    waiting += 1;
    if (waiting >= MAX_WAITING) flush();
  };

  return {
    send: (message) => sendLine(JSON.stringify(message)),
    sendLarge: (message) => sendLine(stringifyLarge(message)),
    bound(limits) {
      sendLimits = limits;
    },
    charge: (ms) => share?.charge(ms),
    close: () => end(undefined),
  };
}

function throwIfBeyond(limits: PluginLimits, line: string): void {
  const violation = new MessageMeter(limits, 'The message').add(Buffer.from(line));
  if (violation) throw new MessageTooLarge(violation.message, violation);
}
