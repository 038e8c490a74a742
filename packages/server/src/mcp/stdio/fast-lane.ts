import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  type JSONRPCErrorResponse,
  type JSONRPCResultResponse,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type ProtocolError,
  type RequestId,
  type Result,
  SERVER_INFO_META_KEY,
  type ServerContext,
} from '@modelcontextprotocol/server';
import { LightSignal } from '../../light-signal.js';
import { contained, type McpConnection, SERVER_INFO } from '../connection.js';
import type { Front } from '../front.js';
import { isLoggingLevel } from '../logging.js';
import { errorResponse } from '../message.js';
import { toolHandlers } from '../requests/tools.js';
import { isObject } from '../values.js';

type Response = JSONRPCResultResponse | JSONRPCErrorResponse;

/**
 * The short way of a plain `tools/call` over stdio: the same handler, without the SDK's dispatch around it, which costs more
 * than the call itself. Whatever is not exactly as it should be is left to the SDK, so that there is one place for errors.
 */
export interface FastLane {
  /** Whether the message is answered here. Its response goes out in a later turn. */
  take(message: unknown): boolean;
  /** The connection whose calls may be taken: it has answered a request already, so its protocol version is settled. */
  use(connection: McpConnection): void;
}

export interface FastLaneOptions {
  front: Front;
  send(response: Response): void;
}

const METHOD = 'tools/call';
const MODERN = '2026-07-28';

export function createFastLane({ front, send }: FastLaneOptions): FastLane {
  const handle = toolHandlers(front)[METHOD]!;
  const running = new Map<RequestId, LightSignal>();
  const serverInfo = { ...SERVER_INFO, version: front.host.version };
  let connection: McpConnection | undefined;

  function answer(call: Call, on: McpConnection): void {
    const signal = new LightSignal();
    running.set(call.id, signal);
    const respond = (response: Response) => {
      running.delete(call.id);
      if (!signal.aborted) send(response);
    };
    handle(call.params, contextOf(call, on, signal), on).then(
      (result) => respond({ jsonrpc: '2.0', id: call.id, result: on.era === 'modern' ? stamped(result) : result }),
      (error: unknown) => respond(toErrorResponse(call.id, contained(front.log, METHOD, error))),
    );
  }

  /** What every result of 2026-07-28 carries. */
  function stamped(result: Result): Result {
    return { resultType: 'complete', ...result, _meta: { ...result._meta, [SERVER_INFO_META_KEY]: serverInfo } };
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
      answer(call, connection);
      return true;
    },
  };

  function cancel(params: unknown): boolean {
    const id = isObject(params) ? (params.requestId as RequestId) : undefined;
    const signal = id === undefined ? undefined : running.get(id);
    signal?.fire();
    return signal !== undefined;
  }
}

interface Call {
  id: RequestId;
  params: Record<string, unknown>;
  /** What the handler sees: without the members that belong to the protocol. */
  meta: Record<string, unknown> | undefined;
  envelope: Record<string, unknown> | undefined;
}

const MEMBERS = new Set(['jsonrpc', 'id', 'method', 'params']);
const PARAMS = new Set(['name', 'arguments', '_meta']);

/** The call, if there is nothing about it that the SDK might refuse or treat otherwise. */
function readCall(message: Record<string, unknown>, isModern: boolean): Call | undefined {
  const { jsonrpc, id, method, params } = message;
  if (method !== METHOD || jsonrpc !== '2.0' || !isRequestId(id) || !isObject(params)) return undefined;
  if (!hasOnly(message, MEMBERS) || !hasOnly(params, PARAMS) || typeof params.name !== 'string') return undefined;
  if (params.arguments !== undefined && !isObject(params.arguments)) return undefined;
  const meta = params._meta;
  if (meta === undefined) return isModern ? undefined : { id, params, meta, envelope: undefined };
  if (!isObject(meta) || (meta.progressToken !== undefined && !isRequestId(meta.progressToken))) return undefined;
  const { envelope, rest } = split(meta);
  if (isModern ? !isEnvelope(envelope) : Object.keys(envelope).length > 0) return undefined;
  return { id, params, meta: rest, envelope: isModern ? envelope : undefined };
}

function split(meta: Record<string, unknown>): { envelope: Record<string, unknown>; rest: Record<string, unknown> } {
  const envelope: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(meta)) (key.includes('/') ? envelope : rest)[key] = meta[key];
  return { envelope, rest };
}

const ENVELOPE: Record<string, (value: unknown) => boolean> = {
  [PROTOCOL_VERSION_META_KEY]: (value) => value === MODERN,
  [CLIENT_INFO_META_KEY]: (value) =>
    isObject(value) && typeof value.name === 'string' && typeof value.version === 'string',
  [CLIENT_CAPABILITIES_META_KEY]: (value) => isObject(value) && Object.values(value).every(isObject),
  [LOG_LEVEL_META_KEY]: (value) => value === undefined || isLoggingLevel(value),
};

/** Every member that must be there is, and nothing else. */
function isEnvelope(envelope: Record<string, unknown>): boolean {
  return (
    Object.entries(ENVELOPE).every(([key, isValid]) => isValid(envelope[key])) &&
    Object.keys(envelope).every((key) => Object.hasOwn(ENVELOPE, key))
  );
}

function hasOnly(object: Record<string, unknown>, names: ReadonlySet<string>): boolean {
  for (const key of Object.keys(object)) if (!names.has(key)) return false;
  return true;
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

/** What handlers use of the SDK's context. */
function contextOf({ id, meta, envelope }: Call, connection: McpConnection, signal: LightSignal): ServerContext {
  const mcpReq = {
    id,
    method: METHOD,
    _meta: meta,
    envelope,
    signal,
    requestState: () => undefined,
    notify: (notification: Parameters<McpConnection['notification']>[0]) =>
      connection.notification(notification, { relatedRequestId: id }),
    send: (...[request, schema, options]: Parameters<McpConnection['request']>) =>
      connection.request(request, schema, { ...(options as object), relatedRequestId: id } as never),
  };
  return { mcpReq } as unknown as ServerContext;
}

function toErrorResponse(id: RequestId, { code, message, data }: ProtocolError): JSONRPCErrorResponse {
  return errorResponse(code, message, id, data);
}
