import type { Readable, Writable } from 'node:stream';
import { Connection } from '../core/connection.js';
import type { McpServer } from '../core/mcp-server.js';
import type { Outlet } from '../core/outlet.js';
import { isRequestId, MESSAGE_LIMITS, parseMessage, type RequestId } from '../json-rpc/messages.js';
import { invalidRequest } from '../json-rpc/rpc-error.js';
import { createLineReader, type TruncatedLine } from '../util/line-reader.js';
import { LineWriter } from './line-writer.js';
import { PeerWatch } from './peer-watch.js';

const BYTE_ORDER_MARK = '\uFEFF';

const DEFAULTS = {
  maxLineBytes: MESSAGE_LIMITS.bytes,
  maxMessageValues: MESSAGE_LIMITS.values,
  optionNames: { maxLineBytes: 'maxLineBytes', maxMessageValues: 'maxMessageValues' },
  endOfInputMs: 5_000,
  cancelMs: 1_000,
  flushMs: 1_000,
  maxUnreadBytes: 4 * 1024 * 1024,
};

export interface StdioOptions {
  /** Default: stdin. */
  readonly input?: Readable;
  /** Default: stdout. Nothing else may write to it. */
  readonly output?: Writable;
  /** Handlers get it as `context.authorization`. */
  readonly authorization?: unknown;
  /** Longer lines are answered with an error and ignored. Default: 8 MiB. */
  readonly maxLineBytes?: number;
  /** The maximum number of values in one message, at all levels. Default: 100,000. */
  readonly maxMessageValues?: number;
  /** The operator's names of these two options, for messages. Default: the names of the options. */
  readonly optionNames?: { readonly maxLineBytes: string; readonly maxMessageValues: string };
  /** The time that requests have to finish after the input has ended. Default 5,000. */
  readonly endOfInputMs?: number;
  /** The id of the parent process, which is watched. Default: it is not watched. */
  parentPid?(): number;
  /** Called when the input has ended. Its promise is awaited for up to `endOfInputMs`, and must not reject. */
  onEndOfInput?(endOfInputMs: number): Promise<void>;
  /** The time that requests have to answer after the server has cancelled them. Default 1,000. */
  readonly cancelMs?: number;
  /** The time that the output has at the end to accept what was written. Default 1,000. */
  readonly flushMs?: number;
  /** A client that leaves more bytes unread gets no notifications. Default: 4 MiB. */
  readonly maxUnreadBytes?: number;
}

export interface ServedStdio {
  /** Resolves when the connection has ended and the output has taken what was written. Never rejects. */
  readonly closed: Promise<void>;
  /**
   * Refuses further requests, waits up to `drainMs` for the running ones, cancels the rest, and ends the connection. Each
   * request whose handler ends in time is answered.
   */
  close(drainMs?: number): Promise<void>;
}

/** Serves MCP to one client over stdin and stdout, one message a line (docs/spec/protocol.md#stdio). */
export function serveStdio(server: McpServer, options: StdioOptions = {}): ServedStdio {
  return new StdioConnection(server, options);
}

class StdioConnection implements ServedStdio, Outlet {
  readonly closed: Promise<void>;
  readonly #server: McpServer;
  readonly #input: Readable;
  readonly #limits: typeof DEFAULTS;
  readonly #onEndOfInput: StdioOptions['onEndOfInput'];
  readonly #connection: Connection;
  readonly #lines: ReturnType<typeof createLineReader>;
  readonly #writer: LineWriter;
  readonly #peer: PeerWatch | undefined;
  #isFirstLine = true;
  #isEnding = false;
  #isClosed = false;
  #setClosed!: () => void;

  constructor(
    server: McpServer,
    { input = process.stdin, output = process.stdout, authorization, onEndOfInput, parentPid, ...limits }: StdioOptions,
  ) {
    this.#server = server;
    this.#input = input;
    this.#limits = { ...DEFAULTS, ...limits };
    this.#onEndOfInput = onEndOfInput;
    this.closed = new Promise((resolve) => {
      this.#setClosed = resolve;
    });
    this.#connection = new Connection(server, { transport: 'stdio', authorization, send: (json) => this.send(json) });
    this.#writer = new LineWriter(output, { onFull: () => input.pause(), onDrain: () => input.resume() });
    this.#lines = createLineReader(this.#limits.maxLineBytes, {
      onLine: (line) => this.#receive(line),
      onTruncated: (line) => this.#refuseLine(line),
    });
    const ask = () => this.respond(JSON.stringify({ jsonrpc: '2.0', id: 'are-you-there', method: 'ping' }));
    this.#peer = parentPid && new PeerWatch({ parentPid, ask, onGone: this.#finish });
    output.on('error', this.#fail);
    input.on('error', this.#fail);
    input.on('data', this.#push);
    input.on('end', this.#finish);
    input.on('close', this.#finish);
  }

  send(json: string): void {
    if (this.#writer.unreadBytes > this.#limits.maxUnreadBytes && !('id' in JSON.parse(json))) return;
    this.respond(json);
  }

  respond(json: string): void {
    if (!this.#isClosed) this.#writer.write(json);
  }

  abandon(): void {}

  async close(drainMs = this.#limits.cancelMs): Promise<void> {
    await this.#end(drainMs);
    await this.closed;
  }

  readonly #push = (chunk: Buffer | string) => {
    this.#peer?.received();
    this.#lines.push(typeof chunk === 'string' ? Buffer.from(chunk) : chunk);
  };

  readonly #finish = () => {
    this.#lines.end();
    const { endOfInputMs } = this.#limits;
    void this.#end(endOfInputMs, () => this.#onEndOfInput?.(endOfInputMs));
  };

  /** Ends the connection after an error of a pipe. The listener stays, because a late EPIPE must not end the process. */
  readonly #fail = (error: Error) => {
    this.#server.report(error);
    this.#close();
  };

  async #end(drainMs: number, otherWork?: () => Promise<void> | undefined): Promise<void> {
    if (this.#isEnding) return;
    this.#isEnding = true;
    await Promise.all([this.#server.drain(drainMs), otherWork?.()]);
    this.#server.cancelAll();
    await this.#server.idle(this.#limits.cancelMs);
    this.#close();
  }

  #close(): void {
    if (this.#isClosed) return;
    this.#peer?.stop();
    const input = this.#input;
    input.off('data', this.#push);
    input.off('end', this.#finish);
    input.off('close', this.#finish);
    input.pause();
    const written = this.#writer.end(this.#limits.flushMs);
    this.#isClosed = true;
    this.#connection.close();
    void written.then(this.#setClosed);
  }

  #receive(line: string): void {
    if (this.#isClosed) return;
    const text = this.#isFirstLine && line.startsWith(BYTE_ORDER_MARK) ? line.slice(1) : line;
    this.#isFirstLine = false;
    this.#connection.receive(parseMessage(text, this.#limits), this);
  }

  #refuseLine(line: TruncatedLine): void {
    const id = requestIdOf(line);
    const { maxLineBytes, optionNames } = this.#limits;
    const error = invalidRequest(`a message may have ${maxLineBytes} bytes at most (${optionNames.maxLineBytes}).`);
    this.#connection.refuse({ ...(id !== undefined && { id }), error }, this);
  }
}

/** Finds the id only at the start or the end of the message. Anywhere else it could belong to a nested object. */
function requestIdOf({ head, tail }: TruncatedLine): RequestId | undefined {
  const text =
    /^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d{1,15}|"[^"\\]*")\s*,/.exec(head)?.[1] ??
    /[,{]\s*"id"\s*:\s*(-?\d{1,15}|"[^"\\]*")\s*\}\s*$/.exec(tail)?.[1];
  const id: unknown = text === undefined ? undefined : JSON.parse(text);
  return isRequestId(id) ? id : undefined;
}
