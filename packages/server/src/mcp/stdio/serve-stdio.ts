import type { Readable, Writable } from 'node:stream';
import { serveStdio as serveTransport } from '@modelcontextprotocol/server/stdio';
import type { ServerApi } from '../../core/server-api.js';
import type { Log } from '../../logging/log.js';
import { McpConnection } from '../connection.js';
import { createFront } from '../front.js';
import { watchListened } from '../listened.js';
import { createLiveConnections } from '../live-connections.js';
import { handlersOf } from '../requests/index.js';
import { createFastLane } from './fast-lane.js';
import { StdioTransport } from './transport.js';

const MAX_LINE_BYTES = 16 * 1024 * 1024;
const DRAIN_MS = 1_000;
/** Longer: a client that is in a hurry sends a signal, and requests that were piped in may still wait for the plugins. */
const END_OF_INPUT_MS = 5_000;

export interface ServeStdioOptions {
  log: Log;
  /** Default: stdin. */
  input?: Readable;
  /** Default: stdout. Nothing else may write to it. */
  output?: Writable;
  /** Default: 16 MiB. */
  maxLineBytes?: number;
}

export interface ServedStdio {
  /** Resolves when the client is gone or close() has ended. Never rejects. */
  readonly closed: Promise<void>;
  /**
   * Takes no more requests, waits up to 1 s for the running ones to be answered, and ends the connection. Close the host
   * at the same time: that ends its calls with results that still go out.
   */
  close(): Promise<void>;
}

/** Serves MCP to the one client on the other end of stdin and stdout: 2025-11-25 and older by `initialize`, or 2026-07-28. */
export function serveStdio(host: ServerApi, options: ServeStdioOptions): ServedStdio {
  const { log, input = process.stdin, output = process.stdout, maxLineBytes = MAX_LINE_BYTES } = options;
  const front = createFront(host, log);
  const live = createLiveConnections(host);
  const transport = new StdioTransport({
    input,
    output,
    maxLineBytes,
    onListen: (params) => watchListened(host, params),
    endOfInputMs: END_OF_INPUT_MS,
    flushMs: DRAIN_MS,
  });
  const lane = createFastLane({ front, send: (line, id) => transport.sendLine(line, id) });
  transport.lane = lane;
  const served = serveTransport(
    ({ era }) => {
      const connection = new McpConnection(front, { era, handlers: handlersOf(front), onRequest: lane.use });
      connection.onclose = () => live.delete(connection);
      live.add(connection);
      return connection;
    },
    { transport, onerror: (error) => log.debug('MCP over stdio', { error: String(error) }) },
  );
  const closed = transport.closed.then(() => live.close());

  return {
    closed,
    async close() {
      await transport.drain(DRAIN_MS);
      await served.close();
      await closed;
    },
  };
}
