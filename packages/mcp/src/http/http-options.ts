import type { IncomingMessage, ServerResponse } from 'node:http';
import { MESSAGE_LIMITS } from '../json-rpc/messages.js';

/** Who a request is from, or how it is refused. */
export type Authentication =
  | { readonly principal: string; readonly authorization?: unknown }
  | { readonly status: number; readonly message: string; readonly headers?: Readonly<Record<string, string>> };

/** Why a request is refused that is well formed; `authenticate` knows of its own refusals. */
export type RefusalReason =
  | 'HOST_NOT_ALLOWED'
  | 'ORIGIN_NOT_ALLOWED'
  | 'SESSION_NOT_FOUND'
  /** The session of another principal, or of another authorization. The client is told that it does not exist. */
  | 'SESSION_OF_ANOTHER'
  | 'TOO_MANY_SESSIONS'
  | 'TOO_MANY_STREAMS';

/** The status of a response, and the word that it consists of. */
export type StatusWord = readonly [status: number, word: string];

/** Options whose names are in messages. */
export type NamedOption =
  | 'host'
  | 'port'
  | 'allowedHosts'
  | 'allowedOrigins'
  | 'maxBodyBytes'
  | 'maxMessageValues'
  | 'maxSessions';

export interface HttpEndpointOptions {
  /** The path of the endpoint; any other is 404. Default: every path. */
  readonly path?: string;
  /** What the operator calls an option, for messages. Default: the name of the option. */
  readonly optionNames?: Partial<Record<NamedOption, string>>;
  /** Names of this machine that the header Host may have, beside localhost, 127.0.0.1 and [::1]. Default: none. */
  readonly allowedHosts?: readonly string[];
  /** Origins of web pages that may call the server, beside those of localhost. Default: none. */
  readonly allowedOrigins?: readonly string[];
  /** Also serves every path below `path`; `authenticate` refuses those that do not exist. Default: false. */
  readonly hasSubpaths?: boolean;
  /** What GET answers on other paths, to everyone: neither Host nor the key is checked. For health checks. Default: none. */
  readonly publicRoutes?: Readonly<Record<string, () => StatusWord>>;
  /**
   * Called before anything of the body is read. `authorization` is the server's own: `context.authorization`. A session belongs to
   * the principal and the authorization that it was opened with. Default: everyone is the principal ''.
   */
  authenticate?(request: IncomingMessage): Authentication | Promise<Authentication>;
  /**
   * Answers a request for another path than {@link path}, once Host and Origin are checked: anyone may read what it answers.
   * @returns whether it did; otherwise the response is 404
   */
  serveOtherPath?(request: IncomingMessage, response: ServerResponse): boolean;
  /** The JSON Schema of a tool's arguments, for the headers `Mcp-Param-*` (2026-07-28). Default: they are not checked. */
  toolSchema?(name: string, authorization: unknown): unknown | Promise<unknown>;
  /** Default: 8 MiB. */
  readonly maxBodyBytes?: number;
  /** Values at all levels that one message may have. Default: 100,000. */
  readonly maxMessageValues?: number;
  /** Sessions that can be open at once. Default: 1,000. */
  readonly maxSessions?: number;
  /** Sessions of one principal; beyond it, the principal's own session that is idle for longest is closed. Default: maxSessions. */
  readonly maxSessionsPerPrincipal?: number | ((authorization: unknown) => number);
  /**
   * Streams of one principal that wait for what belongs to no request (GET) or for changes (`subscriptions/listen`); a further
   * one is refused (429). Default: they are not limited.
   */
  readonly maxStreamsPerPrincipal?: number | ((authorization: unknown) => number);
  /** Called for each request that is refused. `authorization` is undefined where no one has asked for it yet. */
  onRefused?(reason: RefusalReason, status: number, request: IncomingMessage, authorization: unknown): void;
  /** A session in which nothing happens for so long is closed, in milliseconds. Default: 30 minutes. */
  readonly sessionIdleMs?: number;
  /** A comment is sent on a stream so often, in milliseconds. Default: 15,000. */
  readonly keepAliveMs?: number;
  /** A request of a session that is not answered in this time gets a stream, which can be resumed, in milliseconds. Default: 500. */
  readonly streamAfterMs?: number;
  /** The stream of a request is closed after this time, and its client comes back for the rest (SEP-1699), in milliseconds. 0 (default): never. */
  readonly pollAfterMs?: number;
  /** When a client whose stream has ended should come back, in milliseconds. Default: 500. */
  readonly retryMs?: number;
  /** Events of the streams of a session that are kept for a client that comes back. Default: 1,000. */
  readonly maxBufferedEvents?: number;
  /** What these events may have together, in characters of JSON; a longer one is not kept. Default: 1 Mi. */
  readonly maxBufferedBytes?: number;
  /** A stream whose client has not read so much is ended, in bytes. Default: 4 MiB. */
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

/** @returns the options with their defaults */
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
    sessionIdleMs: options.sessionIdleMs ?? 30 * 60_000,
    keepAliveMs: options.keepAliveMs ?? 15_000,
    streamAfterMs: options.streamAfterMs ?? 500,
    pollAfterMs: options.pollAfterMs ?? 0,
    retryMs: options.retryMs ?? 500,
    maxBufferedEvents: options.maxBufferedEvents ?? 1_000,
    maxBufferedBytes: options.maxBufferedBytes ?? MIB,
    maxUnreadBytes: options.maxUnreadBytes ?? 4 * MIB,
  };
}

export type HttpSettings = ReturnType<typeof withDefaults>;
