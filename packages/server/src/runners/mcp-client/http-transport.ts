import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import type { McpServerEntry } from '../../settings/settings.js';
import { ProcessEnded } from '../shared/runner-errors.js';
import { type Line, NOT_NEEDED } from './server-transport.js';
import { boundedFetch } from './size-limited-fetch.js';

/** How long the end of a session may take to be told, in milliseconds. */
const GOODBYE_MS = 1000;

/** The way to a server by its URL. It ends when it is given up: others answer what is on its way in streams of their own. */
export function openHttpLine(
  { url, headers }: Extract<McpServerEntry, { url: string }>,
  maxMessageBytes: number,
): Line {
  const transport = new StreamableHTTPClientTransport(new URL(url), {
    fetch: boundedFetch(maxMessageBytes),
    ...(headers && { requestInit: { headers } }),
  });
  let giveUp = (_: ProcessEnded) => {};
  const ended = new Promise<ProcessEnded>((resolve) => {
    giveUp = resolve;
  });
  const end = (reason: string) => {
    giveUp(new ProcessEnded(reason, ''));
    void transport.close();
  };
  return {
    transport,
    ended,
    kill: end,
    async close() {
      const timer = setTimeout(() => end('it did not answer'), GOODBYE_MS);
      await transport.terminateSession().catch(() => {});
      clearTimeout(timer);
      end(NOT_NEEDED);
    },
  };
}
