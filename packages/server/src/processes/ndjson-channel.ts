import type { Duplex, Writable } from 'node:stream';
import { countValues, createLineReader, hasMoreValues } from '@mortise/mcp/util';
import { type LimitViolation, limitViolation, moreThan } from '../settings/limit-violation.js';
import type { PluginLimits } from '../settings/plugin-limits.js';

/** Longer lines are neither sent nor read, even if the limits allow them. */
export const MAX_LINE_BYTES = 32 * 1024 * 1024;
/** A UTF-16 code unit takes at most this many bytes in UTF-8. */
const MAX_CHAR_BYTES = 3;

/**
 * Checks the size of a message of a plugin or a mounted server before it is parsed
 * (docs/spec/plugin-processes.md#message-limits).
 * @param subject the subject of the violation's sentence, such as `The result`
 * @returns undefined if the message is within the limits
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

/** This many waiting lines are written before the tick ends, so that the other side can begin to work on them. */
const MAX_WAITING = 24;

/** Writes lines to a stream. The lines of one tick are written together. */
export class LineOutput {
  readonly #stream: Writable;
  #outgoing = '';
  /** The number of lines in `#outgoing`. */
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

  /** Drops the waiting lines and all later ones. */
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

/** A channel of JSON lines over a pipe. */
export interface LineChannel<Out> {
  /** @throws MessageTooLarge */
  send(message: Out): void;
  /** Sets the limits for messages that are sent from now on. */
  setSendLimits(limits: PluginLimits): void;
  /** Ends the channel. No more messages are received. */
  close(): void;
}

export interface LineChannelEvents {
  /** @param length the length of the line in characters */
  onMessage(message: unknown, length: number): void;
  /**
   * Called once, when the channel has ended: a side has closed it, or the other side has sent a line that is refused.
   * @param reason why the line was refused, a clause; undefined if the channel was closed
   */
  onClose(reason: string | undefined): void;
}

export interface LineChannelOptions {
  /** The limits for received messages, if the other side is a plugin. A larger message is not parsed, and ends the channel. */
  readonly limits?: PluginLimits;
}

/** Thrown if a message is too large to be sent. */
export class MessageTooLarge extends RangeError {
  /** @param violation undefined if no setting allows a message of this size */
  constructor(
    message: string,
    readonly violation?: LimitViolation,
  ) {
    super(message);
  }
}

/** The result of parsing a line that is not JSON. */
const INVALID = Symbol('invalid');

/** @param stream a stream that carries nothing but this channel */
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
    setSendLimits(limits) {
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
