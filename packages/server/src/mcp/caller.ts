import {
  CLIENT_CAPABILITIES_META_KEY,
  LOG_LEVEL_META_KEY,
  type LoggingLevel,
  type ServerContext,
  type StandardSchemaV1,
} from '@modelcontextprotocol/server';
import type { ClientCapabilities } from '@mortise/plugin';
import type { InputRequest } from '@mortise/plugin/host';
import type { Caller } from '../host.js';
import type { McpConnection } from './connection.js';
import { DEFAULT_CALL_LEVEL, isLoggingLevel, logNotification } from './logging.js';
import { isObject } from './values.js';

/** A person may take any time to answer; the call's own signal ends the wait. The longest that timers can do. */
const ANSWER_TIMEOUT_MS = 2 ** 31 - 1;

/** Accepts any value: what comes in is checked by ourselves, in sentences of our own. */
export const ANYTHING: StandardSchemaV1<Record<string, unknown>> = {
  '~standard': { version: 1, vendor: 'mortise', validate: (value) => ({ value: value as Record<string, unknown> }) },
};

/** A caller, and the end of what it may be told: nothing about a request goes out after its response. */
export interface LiveCaller extends Caller {
  end(): void;
}

/** Who sent this request, with what the host may send back while it runs. */
export function createCaller(
  connection: McpConnection,
  ctx: ServerContext,
  answers: Readonly<Record<string, unknown>> = {},
): LiveCaller {
  let isEnded = false;
  const notify = (notification: Parameters<typeof ctx.mcpReq.notify>[0] | undefined) => {
    if (notification === undefined || isEnded || ctx.mcpReq.signal.aborted) return;
    ctx.mcpReq.notify(notification).catch(connection.report);
  };
  const { progressToken } = ctx.mcpReq._meta ?? {};
  const level = callLevel(connection, ctx);
  return {
    signal: ctx.mcpReq.signal,
    clientCapabilities: clientCapabilities(connection, ctx),
    ...(connection.era === 'modern'
      ? { inputMode: 'retry', answers }
      : { inputMode: 'ask', requestInput: (requests) => requestInput(ctx, requests) }),
    ...(progressToken !== undefined && {
      progress: (progress: number, message?: string) =>
        notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100, ...(message !== undefined && { message }) },
        }),
    }),
    log: (line) => notify(logNotification(line, level())),
    end() {
      isEnded = true;
    },
  };
}

function clientCapabilities(connection: McpConnection, ctx: ServerContext): ClientCapabilities {
  const declared =
    connection.era === 'modern' ? envelope(ctx)[CLIENT_CAPABILITIES_META_KEY] : connection.getClientCapabilities();
  return isObject(declared) ? declared : {};
}

/** 2026-07-28: the level in the envelope, none without. 2025-11-25: the session's, as it is when the line is written. */
function callLevel(connection: McpConnection, ctx: ServerContext): () => LoggingLevel | undefined {
  if (connection.era === 'legacy') return () => connection.level ?? DEFAULT_CALL_LEVEL;
  const level = envelope(ctx)[LOG_LEVEL_META_KEY];
  return () => (isLoggingLevel(level) ? level : undefined);
}

/** What a request of 2026-07-28 says about itself in `_meta`. */
export function envelope(ctx: ServerContext): Record<string, unknown> {
  return ctx.mcpReq.envelope ?? {};
}

/**
 * All at once; when one is refused or the call ends, the others are cancelled.
 * @throws Error with the client's own words
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
    throw new Error(`The client gave no answer: ${error instanceof Error ? error.message : String(error)}`);
  }
}
