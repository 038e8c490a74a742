import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolError,
  type RequestId,
  type Result,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import type { ServerApi } from '../../core/server-api.js';
import { MODERN_VERSION } from '../../jsonrpc/codes.js';
import { CancelSource } from '../../util/cancel-signal.js';
import { IdMap } from '../../util/id-map.js';
import type { Handler } from '../client-connection.js';
import { contained, LIST_HINT, type McpConnection, SERVER_INFO } from '../connection.js';
import type { Front } from '../front.js';
import { isLoggingLevel } from '../logging.js';
import { toolHandlers } from '../requests/tools.js';
import { isObject } from '../values.js';

/**
 * The short way of a plain `tools/call` and `tools/list` over stdio: the same handlers, without the SDK's dispatch around
 * them, which costs more than a call itself; a list is written as JSON once. Whatever is not exactly as it should be is left to the SDK, so that there is one place for errors.
 */
export interface FastLane {
  /** Whether the message is answered here. Its response goes out later. */
  take(message: unknown): boolean;
  /** The connection whose calls may be taken: it has answered a request already, so its protocol version is settled. */
  use(connection: McpConnection): void;
}

export interface FastLaneOptions {
  front: Front;
  /** Sends one line. */
  send(line: string, id: RequestId): void;
}

type Method = 'tools/call' | 'tools/list';

/** The parameters that a message may have to be taken, and which of them must be a string or an object. */
const PARAMS: Record<Method, ReadonlySet<string>> = {
  'tools/call': new Set(['name', 'arguments', '_meta']),
  'tools/list': new Set(['_meta']),
};

export function createFastLane({ front, send }: FastLaneOptions): FastLane {
  const handlers = toolHandlers(front) as Record<Method, Handler>;
  const running = new IdMap<CancelSource>();
  const serverInfo = { ...SERVER_INFO, version: front.host.version };
  const written = new WeakMap<Result, string>();
  let connection: McpConnection | undefined;

  async function answer(request: LaneRequest, on: McpConnection): Promise<void> {
    const { id, method, signal } = request;
    running.set(id, signal);
    let body: string;
    try {
      const result = await handlers[method](request.params, { mcpReq: request } as unknown as ServerContext, on);
      body = `"result":${method === 'tools/list' ? listJson(result, on) : resultJson(result, on)}`;
    } catch (error) {
      body = `"error":${errorJson(contained(front.log, method, error), front.host.redact)}`;
    }
    running.delete(id);
    if (!signal.aborted) send(`{"jsonrpc":"2.0","id":${JSON.stringify(id)},${body}}`, id);
  }

  /** The list is one object for as long as nothing changes. One connection has one protocol version. */
  function listJson(result: Result, on: McpConnection): string {
    const known = written.get(result);
    if (known !== undefined) return known;
    const json = resultJson(on.era === 'modern' ? { ...result, ...LIST_HINT } : result, on);
    written.set(result, json);
    return json;
  }

  /** With what every result of 2026-07-28 carries. */
  function resultJson(result: Result, { era }: McpConnection): string {
    if (era === 'legacy') return JSON.stringify(result);
    const meta = { ...result._meta, [SERVER_INFO_META_KEY]: serverInfo };
    return JSON.stringify({ resultType: 'complete', ...result, _meta: meta });
  }

  return {
    use(next) {
      connection = next;
    },
    take(message) {
      if (!connection?.isOpen || !isObject(message)) return false;
      if (message.method === 'notifications/cancelled') return cancel(message.params);
      const call = readCall(message, connection.era === 'modern');
      if (!call || running.has(call.id)) return false;
      void answer(new LaneRequest(call, connection), connection);
      return true;
    },
  };

  function cancel(params: unknown): boolean {
    const id = isObject(params) ? (params.requestId as RequestId) : undefined;
    const signal = id === undefined ? undefined : running.get(id);
    signal?.abort();
    return signal !== undefined;
  }
}

interface Call {
  id: RequestId;
  method: Method;
  params: Record<string, unknown>;
  /** What the handler sees: without the members that belong to the protocol. */
  meta: Record<string, unknown> | undefined;
  envelope: Record<string, unknown> | undefined;
}

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);

/** The request, if there is nothing about it that the SDK might refuse or treat otherwise. */
function readCall(message: Record<string, unknown>, isModern: boolean): Call | undefined {
  const { jsonrpc, id, params = {} } = message;
  if (jsonrpc !== '2.0' || !isRequestId(id) || !isObject(params) || !hasOnly(message, MEMBERS)) return undefined;
  const method = message.method as Method;
  if (!Object.hasOwn(PARAMS, method) || !hasOnly(params, PARAMS[method])) return undefined;
  if (method === 'tools/call' && typeof params.name !== 'string') return undefined;
  if (params.arguments !== undefined && !isObject(params.arguments)) return undefined;
  const meta = params._meta;
  if (meta === undefined) return isModern ? undefined : { id, method, params, meta, envelope: undefined };
  if (!isObject(meta) || (meta.progressToken !== undefined && !isRequestId(meta.progressToken))) return undefined;
  const { envelope, rest } = split(meta);
  if (isModern ? !isEnvelope(envelope) : Object.keys(envelope).length > 0) return undefined;
  return { id, method, params, meta: rest, envelope: isModern ? envelope : undefined };
}

function split(meta: Record<string, unknown>): { envelope: Record<string, unknown>; rest: Record<string, unknown> } {
  const envelope: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(meta)) (key.includes('/') ? envelope : rest)[key] = meta[key];
  return { envelope, rest };
}

const ENVELOPE = new Map<string, (value: unknown) => boolean>([
  [PROTOCOL_VERSION_META_KEY, (value) => value === MODERN_VERSION],
  [
    CLIENT_INFO_META_KEY,
    (value) => isObject(value) && typeof value.name === 'string' && typeof value.version === 'string',
  ],
  [CLIENT_CAPABILITIES_META_KEY, (value) => isObject(value) && Object.values(value).every(isObject)],
  [LOG_LEVEL_META_KEY, (value) => value === undefined || isLoggingLevel(value)],
]);

/** Every member that must be there is, and nothing else. */
function isEnvelope(envelope: Record<string, unknown>): boolean {
  for (const [key, isValid] of ENVELOPE) if (!isValid(envelope[key])) return false;
  for (const key in envelope) if (!ENVELOPE.has(key)) return false;
  return true;
}

function hasOnly(object: Record<string, unknown>, names: ReadonlySet<string>): boolean {
  for (const key of Object.keys(object)) if (!names.has(key)) return false;
  return true;
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** What handlers use of the SDK's `mcpReq`. */
class LaneRequest {
  readonly id: RequestId;
  readonly method: Method;
  readonly params: Record<string, unknown>;
  readonly _meta: Record<string, unknown> | undefined;
  readonly envelope: Record<string, unknown> | undefined;
  readonly signal = new CancelSource();
  readonly #connection: McpConnection;

  constructor({ id, method, params, meta, envelope }: Call, connection: McpConnection) {
    this.id = id;
    this.method = method;
    this.params = params;
    this._meta = meta;
    this.envelope = envelope;
    this.#connection = connection;
  }

  requestState(): undefined {}

  notify(notification: Parameters<McpConnection['notification']>[0]): Promise<void> {
    return this.#connection.notification(notification, { relatedRequestId: this.id });
  }

  send(...[request, schema, options]: Parameters<McpConnection['request']>): Promise<unknown> {
    return this.#connection.request(request, schema, { ...(options as object), relatedRequestId: this.id } as never);
  }
}

/** Errors quote what the client sent. */
function errorJson({ code, message, data }: ProtocolError, redact: ServerApi['redact']): string {
  return JSON.stringify(redact({ code, message, ...(data !== undefined && { data }) }));
}
