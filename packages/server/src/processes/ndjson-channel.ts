import type { Duplex } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { isLargeJson, largeJsonParts, MessageOrder, parseInSlices } from '@mortise/mcp/util';
import type { LimitViolation } from '../settings/limit-violation.js';
import type { PluginLimits } from '../settings/plugin-limits.js';
import { StreamShare } from '../util/stream-share.js';
import { LineOutput } from './line-output.js';
import { MessageMeter } from './message-meter.js';

/** Longer lines are neither sent nor read, whatever the limits say. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;

/**
 * JSON lines over a pipe: those of one tick are written together, many of them in several writes. Large ones are written in pieces
 * and parsed in slices, between which others are served; messages stay in their order
 * (docs/spec/plugins.md#message-order).
 */
export interface LineChannel<Out> {
  /** @throws MessageTooLarge */
  send(message: Out): void;
  /** {@link send} for a message with a part whose JSON text is known (`jsonSourceOf`). */
  sendLarge(message: Out): void;
  /** From now on messages beyond these limits are not sent. */
  bound(limits: PluginLimits): void;
  /** While a large message is parsed: resolves when all that came so far is received. */
  readonly idle: Promise<void> | undefined;
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
const NEWLINE = 10;
/** In characters: while messages of that length together wait to be parsed, no further ones are read. */
const MAX_UNPARSED_CHARS = MAX_LINE_BYTES / 2;
/** What is not JSON. */
const INVALID = Symbol('invalid');
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
  const output = new LineOutput(stream);
  const order = new MessageOrder<unknown>();
  let sendLimits: PluginLimits | undefined;
  let isOpen = true;
  /** What has come of an incomplete line, decoded while it comes: at its end that would take several milliseconds. */
  let partial = '';
  let partialBytes = 0;
  const decoder = new StringDecoder();
  let unparsedChars = 0;

  const end = (reason: string | undefined) => {
    if (!isOpen) return;
    isOpen = false;
    partial = '';
    output.end();
    share?.end();
    stream.destroy();
    onClose(reason);
  };

  const charge = (ms: number) => {
    if (isOpen) share?.charge(ms);
  };

  function parseLine(line: string): void {
    if (isLargeJson(line)) {
      void parseLarge(line);
      return;
    }
    const startedAt = share && line.length >= LONG_LINE_CHARS ? performance.now() : undefined;
    const message = parse(line);
    if (order.idle) void order.add(message, (parsed) => receive(parsed, line.length));
    else receive(message, line.length);
    if (startedAt !== undefined) charge(performance.now() - startedAt);
  }

  async function parseLarge(line: string): Promise<void> {
    unparsedChars += line.length;
    if (unparsedChars > MAX_UNPARSED_CHARS) share?.hold();
    const parsed = parseInSlices(line, charge).catch(() => INVALID);
    await order.add(parsed, (message) => {
      unparsedChars -= line.length;
      const startedAt = performance.now();
      receive(message, line.length);
      charge(performance.now() - startedAt);
    });
    if (isOpen && unparsedChars <= MAX_UNPARSED_CHARS) share?.release();
  }

  function receive(message: unknown, length: number): void {
    if (!isOpen) return;
    if (message === INVALID) end('it sent a line that is not JSON');
    else onMessage(message, length);
  }

  /** What came of the first line before, and the lines of this piece. */
  function linesOf(piece: Buffer): string[] {
    if (partialBytes === 0) return piece.toString('utf8').split('\n');
    const firstEnd = piece.indexOf(NEWLINE);
    const first = partial + decoder.end(firstEnd < 0 ? piece : piece.subarray(0, firstEnd));
    partial = '';
    partialBytes = 0;
    return firstEnd < 0 ? [first] : [first, ...linesOf(piece.subarray(firstEnd + 1))];
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
    const rest = chunk.subarray(last + 1);
    partial += decoder.write(rest);
    partialBytes += rest.length;
    if (last >= 0 || partialBytes === chunk.length) exceedsLimit(rest);
    if (partialBytes > MAX_LINE_BYTES) end(`it sent a message of more than ${MAX_LINE_BYTES} bytes`);
  });
  stream.on('error', () => end(undefined));
  // What has come counts, although its sender has gone.
  stream.on('close', () => {
    if (order.idle) void order.idle.then(() => end(undefined));
    else end(undefined);
  });

  const sendLine = (line: string) => {
    if (!isOpen) return;
    if (sendLimits && line.length > LONG_LINE_CHARS) throwIfBeyond(sendLimits, line);
    throwIfTooLong([line]);
    output.write(line);
  };

  return {
    send: (message) => sendLine(JSON.stringify(message)),
    sendLarge(message) {
      const parts = largeJsonParts(message);
      throwIfTooLong(parts);
      output.writeLong(parts);
    },
    get idle() {
      return order.idle;
    },
    bound(limits) {
      sendLimits = limits;
    },
    charge,
    close: () => end(undefined),
  };
}

function parse(line: string): unknown {
  try {
    return JSON.parse(line);
  } catch {
    return INVALID;
  }
}

function throwIfTooLong(parts: readonly string[]): void {
  const chars = parts.reduce((sum, { length }) => sum + length, 0);
  if (chars * MAX_CHAR_BYTES <= MAX_LINE_BYTES) return;
  const bytes = parts.reduce((sum, part) => sum + Buffer.byteLength(part), 0);
  if (bytes > MAX_LINE_BYTES) throw new MessageTooLarge(`It has more than ${MAX_LINE_BYTES} bytes`);
}

function throwIfBeyond(limits: PluginLimits, line: string): void {
  const violation = new MessageMeter(limits, 'The message to the server').whole(Buffer.from(line));
  if (violation) throw new MessageTooLarge(violation.message, violation);
}
