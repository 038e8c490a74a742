import type { LoggingLevel, ProtocolEra, Result, Server, ServerContext } from '@modelcontextprotocol/server';

/** The connection of a client as far as requests have to do with it. */
export interface ClientConnection
  extends Pick<Server, 'getClientCapabilities' | 'getClientVersion' | 'getNegotiatedProtocolVersion'> {
  readonly era: ProtocolEra;
  /** 2025-11-25: what `logging/setLevel` said last. */
  level?: LoggingLevel;
  /** 2025-11-25: the URIs of `resources/subscribe`. */
  readonly subscriptions: Set<string>;
  /** Logs errors that cannot be sent to the client. */
  readonly report: (error: unknown) => void;
}

/** Answers one method. `params` is as the client sent it, `{}` when it sent none. */
export type Handler = (
  params: Record<string, unknown>,
  ctx: ServerContext,
  connection: ClientConnection,
) => Promise<Result>;
