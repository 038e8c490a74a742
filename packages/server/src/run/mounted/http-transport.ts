import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import type { McpServerEntry } from '../../settings/settings.js';
import { NOT_NEEDED, type ServerTransport } from './server-transport.js';
import { boundedFetch } from './size-limited-fetch.js';

/** The time limit of the request that ends a session. */
const SHUTDOWN_MS = 1000;

/** Creates the transport to a server by its URL. `ended` resolves when the transport is closed or killed. */
export function createHttpTransport(
  { url, headers }: Extract<McpServerEntry, { url: string }>,
  limits: PluginLimits,
): ServerTransport {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: boundedFetch(limits),
    ...(headers && { requestInit: { headers } }),
  });
  let giveUp = (_: ProcessExitedError) => {};
  const ended = new Promise<ProcessExitedError>((resolve) => {
    giveUp = resolve;
  });
  const end = (reason: string) => {
    giveUp(new ProcessExitedError(reason, ''));
    void transport.close();
  };
  return {
    transport,
    ended,
    kill: end,
    async close() {
      const timer = setTimeout(() => end('it did not answer'), SHUTDOWN_MS);
      await transport.terminateSession().catch(() => {});
      clearTimeout(timer);
      end(NOT_NEEDED);
    },
  };
}
