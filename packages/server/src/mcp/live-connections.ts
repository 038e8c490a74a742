import type { HostEvents, ServerApi } from '../core/server-api.js';
import type { McpConnection } from './connection.js';
import { logNotification } from './logging.js';

type ListChange = HostEvents['listChanged'][0];

const ANNOUNCE: Record<ListChange, (connection: McpConnection) => Promise<void>> = {
  tools: (connection) => connection.sendToolListChanged(),
  resources: (connection) => connection.sendResourceListChanged(),
  prompts: (connection) => connection.sendPromptListChanged(),
};

/** The connections that stay open, and the notifications that they get. */
export interface LiveConnections {
  add(connection: McpConnection): void;
  delete(connection: McpConnection): void;
  /** Stops listening to the host. */
  close(): void;
}

/** Passes the host's events on to every open connection that wants them. */
export function createLiveConnections(host: ServerApi): LiveConnections {
  const connections = new Set<McpConnection>();
  const tell = (send: (connection: McpConnection) => Promise<void> | undefined) => {
    for (const connection of connections) {
      if (connection.isOpen) send(connection)?.catch(connection.report);
    }
  };
  const stops = [
    host.on('listChanged', (what) => tell(ANNOUNCE[what])),
    host.on('resourceUpdated', (uri) =>
      tell((connection) => (wantsResource(connection, uri) ? connection.sendResourceUpdated({ uri }) : undefined)),
    ),
    host.on('log', (line) =>
      tell((connection) => {
        const notification = connection.era === 'legacy' ? logNotification(line, connection.level) : undefined;
        return notification && connection.notification(notification);
      }),
    ),
  ];
  return {
    add: (connection) => void connections.add(connection),
    delete: (connection) => void connections.delete(connection),
    close() {
      for (const stop of stops) stop();
    },
  };
}

/** With 2026-07-28 the SDK's listen router knows who wants what. */
function wantsResource({ era, subscriptions }: McpConnection, uri: string): boolean {
  return era === 'modern' || subscriptions.has(uri);
}
