import { randomUUID } from 'node:crypto';
import { NodeStreamableHTTPServerTransport } from '@modelcontextprotocol/node';
import { McpConnection } from '../connection.js';
import type { Front } from '../front.js';
import type { LiveConnections } from '../live-connections.js';
import { handlersOf } from '../requests/index.js';
import { authorized, type Exchange } from './exchange.js';

/** One 2025-11-25 client over HTTP. */
export interface Session {
  readonly id: string;
  /** The name of the key that it was opened with; requests with other keys are refused. */
  readonly owner: string;
  handle(exchange: Exchange): Promise<void>;
}

/** The open sessions: bounded in number, and closed when nothing has happened in them for `Http.SessionIdleMs`. */
export interface SessionTable {
  /** Undefined when the table is full of sessions that are at work; otherwise the one idle for longest makes room. */
  open(owner: string): Promise<Session | undefined>;
  /** Undefined for an id that is unknown, ended, or another owner's. */
  find(id: string | undefined, owner: string): Session | undefined;
  close(): Promise<void>;
}

interface Entry extends Session {
  /** HTTP requests that are open, the GET stream included. */
  active: number;
  idleTimer: NodeJS.Timeout | undefined;
  readonly transport: NodeStreamableHTTPServerTransport;
}

/** Sessions idle for longest come first: an entry moves to the end when it is used. */
export function createSessionTable(front: Front, live: LiveConnections): SessionTable {
  const { MaxSessions, SessionIdleMs } = front.host.settings.Http;
  const entries = new Map<string, Entry>();

  const leave = (entry: Entry) => {
    entry.active -= 1;
    if (entry.active === 0 && entries.has(entry.id)) {
      entry.idleTimer = setTimeout(() => void entry.transport.close(), SessionIdleMs).unref();
    }
  };
  const enter = (entry: Entry) => {
    clearTimeout(entry.idleTimer);
    entry.active += 1;
    entries.delete(entry.id);
    entries.set(entry.id, entry);
  };
  const makeRoom = async (): Promise<boolean> => {
    if (entries.size < MaxSessions) return true;
    const idle = [...entries.values()].find((entry) => entry.active === 0);
    await idle?.transport.close();
    return idle !== undefined;
  };

  return {
    async open(owner) {
      if (!(await makeRoom())) return undefined;
      const id = randomUUID();
      const transport = new NodeStreamableHTTPServerTransport({ sessionIdGenerator: () => id });
      const connection = new McpConnection(front, {
        era: 'legacy',
        handlers: handlersOf(front),
        // Without a response the SDK would keep the stream of the request open forever.
        onCancelled: (requestId) => transport.closeSSEStream(requestId),
      });
      const entry: Entry = {
        id,
        owner,
        active: 0,
        idleTimer: undefined,
        transport,
        async handle(exchange) {
          const { res, message } = exchange;
          enter(entry);
          res.once('close', () => leave(entry));
          await transport.handleRequest(authorized(exchange), res, message);
        },
      };
      connection.onclose = () => {
        clearTimeout(entry.idleTimer);
        live.delete(connection);
        entries.delete(id);
      };
      await connection.connect(transport);
      live.add(connection);
      entries.set(id, entry);
      return entry;
    },
    find(id, owner) {
      const entry = id === undefined ? undefined : entries.get(id);
      return entry?.owner === owner ? entry : undefined;
    },
    async close() {
      await Promise.all([...entries.values()].map(({ transport }) => transport.close()));
    },
  };
}
