import type { Duplex, Writable } from 'node:stream';
import { countValues, createLineReader, hasMoreValues } from '@mortise/mcp/util';
import { type LimitViolation, limitViolation, moreThan } from '../settings/limit-violation.js';
import type { PluginLimits } from '../settings/plugin-limits.js';

/** Longer lines are neither sent nor read, whatever the limits say. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** A UTF-16 code unit takes at most this many bytes in UTF-8. */
const MAX_CHAR_BYTES = 3;

/**
 * Why a message of a plugin or of a mounted server is refused for its size, before it is parsed
 * (docs/spec/plugin-processes.md#message-limits); undefined if it is within the limits.
 * @param subject begins the sentence: `The result`
 */
export function messageViolation(json: string, limits: PluginLimits, subject: string): LimitViolation | undefined {
  const { MessageBytes, MessageValues } = limits;
  if (json.length * MAX_CHAR_BYTES > MessageBytes) {
    const bytes = Buffer.byteLength(json);
    if (bytes > MessageBytes) return limitViolation(limits, 'MessageBytes', subject, bytes);
  }
  if (!hasMoreValues(json, MessageValues)) return undefined;
  return limitViolation(limits, 'MessageValues', subject, countValues(json));
}

/** When this many lines are waiting, they are written before the tick ends, so that the other side can already work on them. */
const MAX_WAITING = 24;

/** Writes lines to a stream, those of one tick together. */
export class LineOutput {
  readonly #stream: Writable;
  #outgoing = '';
  /** How many lines that is. */
  #waiting = 0;
  #isOpen = true;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** @param line without its end */
  write(line: string): void {
    if (!this.#isOpen) return;
    if (this.#outgoing === '') process.nextTick(this.#flush);
    this.#outgoing += `${line}\n`;
    this.#waiting += 1;
    if (this.#waiting >= MAX_WAITING) this.#flush();
  }

  /** Nothing more is written. */
  end(): void {
    this.#isOpen = false;
  }

  readonly #flush = () => {
    if (this.#outgoing === '') return;
    const lines = this.#outgoing;
    this.#outgoing = '';
    this.#waiting = 0;
    if (this.#isOpen) this.#stream.write(lines);
  };
}

/** JSON lines over a pipe: those of one tick are written together, many of them in several writes. */
export interface LineChannel<Out> {
  /** @throws MessageTooLarge */
  send(message: Out): void;
  /** From now on messages beyond these limits are not sent. */
  bound(limits: PluginLimits): void;
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
  /** Set if the other side is a plugin: a larger message is not parsed, and ends the channel. */
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

/** What is not JSON. */
const INVALID = Symbol('invalid');

/** @param stream carries this channel alone */
export function openLineChannel<Out>(
  stream: Duplex,
  { onMessage, onClose }: LineChannelEvents,
  { limits }: LineChannelOptions = {},
): LineChannel<Out> {
  const output = new LineOutput(stream);
  const maxBytes = Math.min(limits?.MessageBytes ?? MAX_LINE_BYTES, MAX_LINE_BYTES);
  let sendLimits: PluginLimits | undefined;
  let isOpen = true;

  const end = (reason: string | undefined) => {
    if (!isOpen) return;
    isOpen = false;
    output.end();
    stream.destroy();
    onClose(reason);
  };

  const refuse = ({ message }: Pick<LimitViolation, 'message'>) => end(`its message is too large: ${message}`);

  function receive(line: string): void {
    if (!isOpen) return;
    const violation = limits && messageViolation(line, limits, 'its message');
    const message = violation ? INVALID : parse(line);
    if (violation) refuse(violation);
    else if (message === INVALID) end('it sent a line that is not JSON');
    else onMessage(message, line.length);
  }

  const reader = createLineReader(maxBytes, {
    onLine: receive,
    onExceeded() {
      if (!limits || maxBytes === MAX_LINE_BYTES) end(`it sent a message of more than ${MAX_LINE_BYTES} bytes`);
      else refuse(limitViolation(limits, 'MessageBytes', 'its message', moreThan(maxBytes)));
    },
  });
  stream.on('data', (chunk: Buffer) => {
    if (isOpen) reader.push(chunk);
  });
  stream.on('error', () => end(undefined));
  stream.on('close', () => end(undefined));

  return {
    send(message) {
      if (!isOpen) return;
      const line = JSON.stringify(message);
      const violation = sendLimits && messageViolation(line, sendLimits, 'The message to the server');
      if (violation) throw new MessageTooLarge(violation.message, violation);
      const isLong = line.length * MAX_CHAR_BYTES > MAX_LINE_BYTES;
      if (isLong && Buffer.byteLength(line) > MAX_LINE_BYTES)
        throw new MessageTooLarge(`It has more than ${MAX_LINE_BYTES} bytes`);
      output.write(line);
    },
    bound(limits) {
      sendLimits = limits;
    },
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
