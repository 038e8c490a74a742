import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { CallerInfo, ClientCapabilities, ProgressReport } from '@mortise/plugin';
import type { InputRequest, OnceResults } from '@mortise/plugin/runtime';
import type { Caller } from '../core/server-api.js';
import type { CancelSignal } from '../util/cancel-signal.js';
import { errorMessage } from '../util/error-message.js';
import type { ClientConnection } from './client-connection.js';
import type { InputRound } from './input.js';
import { DEFAULT_CALL_LEVEL, isLoggingLevel, logNotification } from './logging.js';
import { isObject } from './values.js';

/** A person may take any time to answer; the call's own signal ends the wait. The longest that timers can do. */
const ANSWER_TIMEOUT_MS = 2 ** 31 - 1;

/** Accepts any value: what comes in is checked by ourselves, in sentences of our own. */
export const ANYTHING: StandardSchemaV1<Record<string, unknown>> = {
  '~standard': { version: 1, vendor: 'mortise', validate: (value) => ({ value: value as Record<string, unknown> }) },
};

/** A caller, and the end of its notifications: nothing about a request is sent after its response. */
export interface LiveCaller extends Caller {
  end(): void;
}

/** Who sent this request, with what the host may send back while it runs. */
export function createCaller(
  connection: ClientConnection,
  ctx: ServerContext,
  round?: Pick<InputRound, 'answers' | 'onceResults'>,
): LiveCaller {
  return connection.era === 'modern' ? new RetryingCaller(connection, ctx, round) : new AskedCaller(connection, ctx);
}

/** Its parts are methods: closures for each call would cost more than most calls use of them. */
abstract class RequestCaller implements LiveCaller {
  abstract readonly inputMode: Caller['inputMode'];
  readonly signal: CancelSignal;
  readonly progress?: (report: ProgressReport) => void;
  protected readonly connection: ClientConnection;
  protected readonly ctx: ServerContext;
  #isEnded = false;

  constructor(connection: ClientConnection, ctx: ServerContext) {
    this.connection = connection;
    this.ctx = ctx;
    this.signal = ctx.mcpReq.signal;
    const { progressToken } = ctx.mcpReq._meta ?? {};
    if (progressToken === undefined) return;
    this.progress = ({ done: progress, ...rest }) =>
      this.#notify({ method: 'notifications/progress', params: { progressToken, progress, ...rest } });
  }

  get client(): object {
    return this.connection;
  }

  get info(): CallerInfo {
    const { sessionId, http, mcpReq } = this.ctx;
    const principal = http?.authInfo?.clientId;
    return {
      client: clientInfo(this.connection, this.ctx),
      ...(sessionId !== undefined && { sessionId }),
      ...(principal && { principal }),
      requestId: String(mcpReq.id),
    };
  }

  get protocolVersion(): string | undefined {
    return this.connection.getNegotiatedProtocolVersion();
  }

  get clientCapabilities(): ClientCapabilities {
    return clientCapabilities(this.connection, this.ctx);
  }

  log(line: Parameters<NonNullable<Caller['log']>>[0]): void {
    this.#notify(logNotification(line, this.level()));
  }

  end(): void {
    this.#isEnded = true;
  }

  /** The least level of the log lines that the client wants, as it is when the line is written. */
  protected abstract level(): LoggingLevel | undefined;

  #notify(notification: Parameters<ServerContext['mcpReq']['notify']>[0] | undefined): void {
    if (notification === undefined || this.#isEnded || this.signal.aborted) return;
    this.ctx.mcpReq.notify(notification).catch(this.connection.report);
  }
}

/** 2025-11-25: questions go out while the call waits, and the log level is the session's. */
class AskedCaller extends RequestCaller {
  readonly inputMode = 'ask';

  requestInput(requests: Record<string, InputRequest>): Promise<Record<string, unknown>> {
    return requestInput(this.ctx, requests);
  }

  protected level(): LoggingLevel {
    return this.connection.level ?? DEFAULT_CALL_LEVEL;
  }
}

/** 2026-07-28: answers come with the request, and so does the log level; without one there are no log lines. */
class RetryingCaller extends RequestCaller {
  readonly inputMode = 'retry';

  readonly answers: Readonly<Record<string, unknown>>;
  readonly onceResults: OnceResults | undefined;

  constructor(connection: ClientConnection, ctx: ServerContext, round: Parameters<typeof createCaller>[2]) {
    super(connection, ctx);
    this.answers = round?.answers ?? {};
    this.onceResults = round?.onceResults;
  }

  protected level(): LoggingLevel | undefined {
    const level = envelope(this.ctx)[LOG_LEVEL_META_KEY];
    return isLoggingLevel(level) ? level : undefined;
  }
}

function clientCapabilities(connection: ClientConnection, ctx: ServerContext): ClientCapabilities {
  const declared =
    connection.era === 'modern' ? envelope(ctx)[CLIENT_CAPABILITIES_META_KEY] : connection.getClientCapabilities();
  return isObject(declared) ? declared : {};
}

const MAX_INFO_CHARS = 200;
const clipped = (text: unknown): string => (typeof text === 'string' ? text.slice(0, MAX_INFO_CHARS) : '');

function clientInfo(connection: ClientConnection, ctx: ServerContext): CallerInfo['client'] {
  const said = connection.era === 'modern' ? envelope(ctx)[CLIENT_INFO_META_KEY] : connection.getClientVersion();
  const { name, version, title }: Record<string, unknown> = isObject(said) ? said : {};
  return { name: clipped(name), version: clipped(version), ...(title !== undefined && { title: clipped(title) }) };
}

/** The `_meta` of a request of 2026-07-28. */
export function envelope(ctx: ServerContext): Record<string, unknown> {
  return ctx.mcpReq.envelope ?? {};
}

/**
 * Sends all requests concurrently; if one is refused or the call ends, the others are cancelled.
 * @throws Error with the client's message
 */
async function requestInput(
  ctx: ServerContext,
  requests: Record<string, InputRequest>,
): Promise<Record<string, unknown>> {
  const others = new AbortController();
  const { signal } = others;
  const giveUp = () => others.abort();
  ctx.mcpReq.signal.addEventListener('abort', giveUp);
  if (ctx.mcpReq.signal.aborted) giveUp();
  const ask = async ([key, { method, params }]: [string, InputRequest]) =>
    [key, await ctx.mcpReq.send({ method, params }, ANYTHING, { signal, timeout: ANSWER_TIMEOUT_MS })] as const;
  try {
    return Object.fromEntries(await Promise.all(Object.entries(requests).map(ask)));
  } catch (error) {
    others.abort();
    throw new Error(`The client gave no answer: ${errorMessage(error)}`);
  }
}
