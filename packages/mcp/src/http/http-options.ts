import type { IncomingMessage, ServerResponse } from 'node:http';
import { MESSAGE_LIMITS } from '../json-rpc/messages.js';

/** The principal of a request, or the refusal. */
export type Authentication =
  | {
      readonly principal: string;
      readonly authorization?: unknown;
      /**
       * The owner of a session: only requests with the same owner and principal can use the session. They can have
       * different authorizations. Default: the authorization.
       */
      readonly sessionOwner?: unknown;
    }
  | { readonly status: number; readonly message: string; readonly headers?: Readonly<Record<string, string>> };

/** The reason for which a well-formed request is refused. Refusals by `authenticate` are not reported. */
export type RefusalReason =
  | 'HOST_NOT_ALLOWED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'SESSION_NOT_FOUND'
  /** The session belongs to another principal or authorization. The client is told that it does not exist. */
  | 'SESSION_OF_ANOTHER'
  | 'TOO_MANY_SESSIONS'
  | 'TOO_MANY_STREAMS';

/** The status of a response, and its body, which is one word. */
export type StatusWord = readonly [status: number, word: string];

/** The options that messages name. */
export type NamedOption =
  | 'host'
  | 'port'
  | 'allowedHosts'
  | 'allowedOrigins'
  | 'maxBodyBytes'
  | 'maxMessageValues'
  | 'maxSessions';

export interface HttpEndpointOptions {
  /** The path of the endpoint. Other paths get 404. Default: every path is served. */
  readonly path?: string;
  /** The operator's name of each option, for messages. Default: the name of the option. */
  readonly optionNames?: Partial<Record<NamedOption, string>>;
  /** Names of this machine that are accepted in the header Host, in addition to localhost, 127.0.0.1 and [::1]. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may call the server, in addition to those of localhost. */
  readonly allowedOrigins?: readonly string[];
  /** Also serves every path below `path`; `authenticate` refuses those that do not exist. Default: false. */
  readonly hasSubpaths?: boolean;
  /** The answers to GET by path, for health checks. Everyone gets them: neither Host nor a key is checked. */
  readonly publicRoutes?: Readonly<Record<string, () => StatusWord>>;
  /**
   * Called before the body is read. Handlers get the returned `authorization` as `context.authorization`. A session
   * belongs to the principal and the `sessionOwner` that opened it. Default: everyone is the principal ''.
   */
  authenticate?(request: IncomingMessage): Authentication | Promise<Authentication>;
  /**
   * Answers a request for another path, after the checks of Host and Origin. No key is checked.
   * @returns whether it has answered; otherwise the response is 404
   */
  serveOtherPath?(request: IncomingMessage, response: ServerResponse): boolean;
  /** The schema of a tool's arguments, to check `Mcp-Param-*` headers (2026-07-28). Default: they are not checked. */
  toolSchema?(name: string, authorization: unknown): unknown | Promise<unknown>;
  /** Default: 8 MiB. */
  readonly maxBodyBytes?: number;
  /** The maximum number of values in one message, at all levels. Default: 100,000. */
  readonly maxMessageValues?: number;
  /** The maximum number of open sessions. Default: 1,000. Mortise passes `Http.MaxSessions`. */
  readonly maxSessions?: number;
  /** The maximum of one principal. Beyond it, the principal's longest idle session is closed. Default: `maxSessions`. */
  readonly maxSessionsPerPrincipal?: number | ((authorization: unknown) => number);
  /**
   * The maximum number of streams of one principal that wait for announcements: GET and `subscriptions/listen`. A further
   * one is refused with 429. Default: no limit.
   */
  readonly maxStreamsPerPrincipal?: number | ((authorization: unknown) => number);
  /** Called for each refused request. `authorization` is undefined if it was refused before `authenticate`. */
  onRefused?(reason: RefusalReason, status: number, request: IncomingMessage, authorization: unknown): void;
  /**
   * The name of this server among its replicas. Ids of sessions begin with it and a full stop, so that a load balancer can
   * send each request to the replica that has its session. Default: '', ids have no name.
   */
  readonly replica?: string;
  /** A session is closed after this time without activity. Default: 30 minutes. */
  readonly sessionIdleMs?: number;
  /** The pause between two comments that keep a stream alive. Default: 15,000. */
  readonly keepAliveMs?: number;
  /** A request of a session that takes longer gets a stream, which can be resumed. Default: 500. */
  readonly streamAfterMs?: number;
  /** A request's stream is closed after this time, and the client polls for the rest (SEP-1699). Default: 0, never. */
  readonly pollAfterMs?: number;
  /** The pause before a client whose stream has ended should reconnect. Default: 500. */
  readonly retryMs?: number;
  /** The number of events of a session that are kept for a client that reconnects. Default: 1,000. */
  readonly maxBufferedEvents?: number;
  /** The limit for these events together, in characters of JSON. A longer event is not kept. Default: 1 Mi. */
  readonly maxBufferedChars?: number;
  /** A stream is ended if its client leaves more data unread. Default: 4 MiB. */
  readonly maxUnreadBytes?: number;
}

export const OPTION_NAMES: Readonly<Record<NamedOption, string>> = {
  host: 'host',
  port: 'port',
  allowedHosts: 'allowedHosts',
  allowedOrigins: 'allowedOrigins',
  maxBodyBytes: 'maxBodyBytes',
  maxMessageValues: 'maxMessageValues',
  maxSessions: 'maxSessions',
};

const MIB = 1024 * 1024;

const NO_ROUTES: Readonly<Record<string, () => StatusWord>> = Object.create(null);

const limitOf = (limit: number | ((authorization: unknown) => number)) =>
  typeof limit === 'number' ? () => limit : limit;

/** Fills in the defaults. */
export function withDefaults(options: HttpEndpointOptions) {
  const maxSessions = options.maxSessions ?? 1_000;
  return {
    path: options.path,
    hasSubpaths: options.hasSubpaths ?? false,
    publicRoutes: options.publicRoutes ?? NO_ROUTES,
    optionNames: { ...OPTION_NAMES, ...options.optionNames },
    allowedHosts: options.allowedHosts ?? [],
    allowedOrigins: options.allowedOrigins ?? [],
    authenticate: options.authenticate?.bind(options) ?? (() => ({ principal: '' })),
    serveOtherPath: options.serveOtherPath?.bind(options),
    toolSchema: options.toolSchema?.bind(options),
    maxBodyBytes: options.maxBodyBytes ?? MESSAGE_LIMITS.bytes,
    maxMessageValues: options.maxMessageValues ?? MESSAGE_LIMITS.values,
    maxSessions,
    maxSessionsOf: limitOf(options.maxSessionsPerPrincipal ?? maxSessions),
    maxStreamsOf: limitOf(options.maxStreamsPerPrincipal ?? Number.POSITIVE_INFINITY),
    onRefused: options.onRefused?.bind(options) ?? (() => {}),
    replica: options.replica ?? '',
    sessionIdleMs: options.sessionIdleMs ?? 30 * 60_000,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    streamAfterMs: options.streamAfterMs ?? 500,
    pollAfterMs: options.pollAfterMs ?? 0,
    retryMs: options.retryMs ?? 500,
    maxBufferedEvents: options.maxBufferedEvents ?? 1_000,
    maxBufferedChars: options.maxBufferedChars ?? MIB,
    maxUnreadBytes: options.maxUnreadBytes ?? 4 * MIB,
  };
}

export type HttpSettings = ReturnType<typeof withDefaults>;
