import type { Readable, Writable } from 'node:stream';
import { type JSONRPCMessage, ProtocolErrorCode, type RequestId, type Transport } from '@modelcontextprotocol/server';
import { JSON_RPC_CODES } from '../../jsonrpc/codes.js';
import { createLineReader, type LineReader, type TruncatedLine } from '../../util/line-reader.js';
import { LISTEN } from '../listened.js';
import { checkMessage, errorResponse, notJson } from '../message.js';
import { createRunning } from '../running.js';
import type { FastLane } from './fast-lane.js';

/** −32000 is the SDK's code for a closed connection. */

export interface StdioTransportOptions {
  input: Readable;
  output: Writable;
  /** Longer lines are answered with an error and ignored. */
  maxLineBytes: number;
  /** The client subscribes to changes (2026-07-28). @param params of the request */
  onListen(params: unknown): void;
  /** How long requests that are still running may take to be answered when the input has ended, in milliseconds. */
  endOfInputMs: number;
  /** How long the output may take to accept what was written before the end, in milliseconds. */
  flushMs: number;
}

/**
 * One JSON message a line. Unlike the SDK's own transport it responds to invalid messages
 * (docs/spec/contract.md#protocol-errors), limits the length of a line, and at the end of the input waits briefly for the responses to running
 * requests.
 */
export class StdioTransport implements Transport {
  onclose?: () => void;
  onerror?: (error: Error) => void;
  onmessage?: (message: JSONRPCMessage) => void;
  /** Resolves when the connection has ended and the output has taken what was written. */
  readonly closed: Promise<void>;
  /** What may take a message before it is checked and given to the SDK. */
  lane: FastLane | undefined;

  readonly #options: StdioTransportOptions;
  readonly #lines: LineReader;
  /** Requests without a response so far, but not those that stay open by their nature. */
  readonly #running = createRunning();
  /** The lines of this tick, which are written together. */
  #outgoing = '';
  /** Called when they have been written. */
  #onWritten: ((error?: Error | null) => void)[] = [];
  #setClosed!: () => void;
  #isDraining = false;
  #isClosed = false;

  constructor(options: StdioTransportOptions) {
    this.#options = options;
    this.closed = new Promise((resolve) => {
      this.#setClosed = resolve;
    });
    this.#lines = createLineReader(options.maxLineBytes, {
      onLine: (line) => this.#receive(line),
      onTruncated: (line) => this.#refuseLine(line),
    });
  }

  async start(): Promise<void> {
    const { input, output } = this.#options;
    output.on('error', this.#fail);
    input.on('error', this.#fail);
    input.on('data', this.#push);
    input.on('end', this.#finish);
    input.on('close', this.#finish);
  }

  /** Resolves when the output has taken the message. */
  send(message: JSONRPCMessage): Promise<void> {
    if (this.#isClosed) return Promise.reject(new Error('The connection is closed.'));
    this.#write(JSON.stringify(message));
    if (!('method' in message) && message.id !== undefined) this.#running.delete(message.id);
    return new Promise((resolve, reject) => {
      this.#onWritten.push((error) => (error ? reject(error) : resolve()));
    });
  }

  /** Sends the response to request `id`, written already. */
  sendLine(line: string, id: RequestId): void {
    if (this.#isClosed) return;
    this.#write(line);
    this.#running.delete(id);
  }

  #write(line: string): void {
    if (this.#outgoing === '') process.nextTick(this.#flush);
    this.#outgoing += `${line}\n`;
  }

  readonly #flush = () => {
    if (this.#outgoing === '') return;
    const lines = this.#outgoing;
    const told = this.#onWritten;
    this.#outgoing = '';
    this.#onWritten = [];
    this.#options.output.write(lines, (error) => {
      for (const tell of told) tell(error);
    });
  };

  /** Takes no more requests, and resolves when those that run are answered or `timeoutMs` is over. */
  async drain(timeoutMs: number): Promise<void> {
    this.#isDraining = true;
    await this.#running.idle(timeoutMs);
  }

  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const { input } = this.#options;
    input.off('data', this.#push);
    input.off('end', this.#finish);
    input.off('close', this.#finish);
    input.pause();
    this.onclose?.();
    const { output, flushMs } = this.#options;
    const giveUp = setTimeout(this.#setClosed, flushMs);
    this.#flush();
    output.write('', () => {
      clearTimeout(giveUp);
      this.#setClosed();
    });
  }

  readonly #push = (chunk: Buffer | string) => this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);

  readonly #finish = () => {
    if (!this.#isDraining) void this.drain(this.#options.endOfInputMs).then(() => this.close());
  };

  /** The process that closed the pipe reads nothing more. The listener stays: a late EPIPE must not end the process. */
  readonly #fail = (error: Error) => {
    this.onerror?.(error);
    void this.close();
  };

  #receive(line: string): void {
    if (this.#isClosed) return;
    let value: unknown;
    try {
      value = JSON.parse(line);
    } catch {
      this.#answer(notJson());
      return;
    }
    if (!this.#isDraining && this.lane?.take(value)) this.#track(value as JSONRPCMessage);
    else this.#check(value);
  }

  #check(value: unknown): void {
    const inbound = checkMessage(value);
    if (inbound.kind === 'refused') this.#answer(inbound.error);
    else if (inbound.kind === 'dropped') this.onerror?.(new Error(inbound.reason));
    else this.#deliver(inbound.message);
  }

  #deliver(message: JSONRPCMessage): void {
    if (this.#isDraining && 'method' in message && 'id' in message) {
      this.#answer(errorResponse(JSON_RPC_CODES.refused, 'The server is shutting down.', message.id));
      return;
    }
    this.#track(message);
    this.onmessage?.(message);
  }

  #track(message: JSONRPCMessage): void {
    if (!('method' in message)) return;
    if ('id' in message) {
      if (message.method === LISTEN) this.#options.onListen(message.params);
      else this.#running.add(message.id);
    } else if (message.method === 'notifications/cancelled') {
      this.#running.delete(message.params?.requestId as RequestId);
    }
  }

  #refuseLine(line: TruncatedLine): void {
    const text = `Invalid request: a message may have ${this.#options.maxLineBytes} bytes at most.`;
    this.#answer(errorResponse(ProtocolErrorCode.InvalidRequest, text, requestIdOf(line)));
  }

  #answer(message: JSONRPCMessage): void {
    this.send(message).catch((error: Error) => this.onerror?.(error));
  }
}

/** Only if the id is first or last in the message, as clients write it; anywhere else it could belong to a nested object. */
function requestIdOf({ head, tail }: TruncatedLine): RequestId | undefined {
  const id =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,15}|"[^"\\]*")\s*,/.exec(head)?.[1] ??
    /[,{]\s*"id"\s*:\s*(-?\d{1,15}|"[^"\\]*")\s*\}\s*$/.exec(tail)?.[1];
  return id === undefined ? undefined : (JSON.parse(id) as RequestId);
}
