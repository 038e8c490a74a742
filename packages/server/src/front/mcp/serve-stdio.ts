import { type StdioOptions, serveStdio as serveMcp } from '@mortise/mcp';
import { narrowPrincipal } from '../../access/access.js';
import { LOCAL } from '../../core/principal.js';
import type { ServerApi } from '../../core/server-api.js';
import type { Log } from '../../log/log.js';
import { createMcpServer } from './create-mcp-server.js';
import { STOP_MS } from './stop-ms.js';

export interface ServeStdioOptions extends Omit<StdioOptions, 'authorization'> {
  readonly log: Log;
  /** Profiles that restrict what the client sees. */
  readonly profiles?: readonly string[];
}

export interface ServedStdio {
  /** Resolves when the client has disconnected or close() has ended. Never rejects. */
  readonly closed: Promise<void>;
  /**
   * Refuses further requests, waits until the running ones are answered, and ends the connection. Close the server at the
   * same time: this ends its calls, and their results are still sent.
   */
  close(): Promise<void>;
}

/** Serves MCP to the one client on the other end of stdin and stdout. */
export function serveStdio(server: ServerApi, { log, profiles = [], ...options }: ServeStdioOptions): ServedStdio {
  const { mcp, detach } = createMcpServer(server, log);
  const { MessageBytes, MessageValues } = server.settings.Plugins.Limits;
  const served = serveMcp(mcp, {
    maxLineBytes: MessageBytes,
    maxMessageValues: MessageValues,
    optionNames: { maxLineBytes: 'Plugins.Limits.MessageBytes', maxMessageValues: 'Plugins.Limits.MessageValues' },
    cancelMs: STOP_MS,
    onEndOfInput: server.finishLoading,
    ...options,
    authorization: narrowPrincipal(LOCAL, profiles),
  });
  return { closed: served.closed.then(detach), close: () => served.close(STOP_MS) };
}
