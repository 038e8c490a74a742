import {
  isInitializeRequest,
  isJSONRPCNotification,
  isJSONRPCRequest,
  isJSONRPCResponse,
  type JSONRPCErrorResponse,
  type JSONRPCMessage,
  type JSONRPCRequest,
  PROTOCOL_VERSION_META_KEY,
  ProtocolErrorCode,
  type RequestId,
} from '@modelcontextprotocol/server';
import { isObject } from './values.js';

const INITIALIZE_NEEDS =
  'Invalid params: initialize needs params.protocolVersion (a string), params.capabilities (an object) and params.clientInfo (an object with name and version).';

/**
 * What was received: a message; something that gets an error response (without `id` if none can be trusted, because official
 * clients refuse `id: null`); or a malformed response, which gets no response, because two peers could otherwise continue forever.
 */
export type Inbound =
  | { kind: 'message'; message: JSONRPCMessage }
  | { kind: 'refused'; error: JSONRPCErrorResponse }
  | { kind: 'dropped'; reason: string };

/** A JSON-RPC error response. */
export function errorResponse(code: number, message: string, id?: RequestId, data?: unknown): JSONRPCErrorResponse {
  return {
    jsonrpc: '2.0',
    ...(id !== undefined && { id }),
    error: { code, message, ...(data !== undefined && { data }) },
  };
}

/** Reads one JSON text as one message (docs/spec/contract.md#protocol-errors: −32700, −32600). */
export function parseMessage(text: string): Inbound {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'refused', error: notJson() };
  }
  return checkMessage(value);
}

/** The response to a line that is not JSON (docs/spec/contract.md#protocol-errors). */
export function notJson(): JSONRPCErrorResponse {
  return errorResponse(ProtocolErrorCode.ParseError, 'Parse error: this is not JSON.');
}

/** Checks whether a JSON value is one JSON-RPC message of MCP; otherwise returns the problem. */
export function checkMessage(value: unknown): Inbound {
  if (Array.isArray(value)) return invalid('batches are not part of the protocol; send one message at a time.');
  if (!isObject(value)) return invalid('a message is a JSON object.');
  if (!('method' in value) && ('result' in value || 'error' in value)) return checkResponse(value);
  if (value.jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0".');
  if ('id' in value && !isRequestId(value.id)) return invalid('id must be a string or an integer, and never null.');
  if (typeof value.method !== 'string' || value.method === '') return invalid('method must be a string.');
  return checkCall(value as { method: string; id?: RequestId; params?: unknown });
}

function checkResponse(value: Record<string, unknown>): Inbound {
  return isJSONRPCResponse(value)
    ? { kind: 'message', message: value }
    : { kind: 'dropped', reason: 'Malformed JSON-RPC response.' };
}

/** Members that JSON-RPC does not know are left out: the SDK ignores messages that have any. */
function checkCall({ method, id, params }: { method: string; id?: RequestId; params?: unknown }): Inbound {
  if (params !== undefined && !isObject(params)) return invalid('params must be an object.', id);
  const problem = metaProblem(params?._meta);
  if (problem) return refused(ProtocolErrorCode.InvalidParams, `Invalid params: ${problem}`, id);
  const message = { jsonrpc: '2.0' as const, ...(id !== undefined && { id }), method, ...(params && { params }) };
  if (!isJSONRPCRequest(message) && !isJSONRPCNotification(message)) {
    return refused(
      ProtocolErrorCode.InvalidParams,
      'Invalid params: _meta has a reserved member of the wrong type.',
      id,
    );
  }
  if (method === 'initialize' && !isInitializeRequest(message) && !isStateless(message.params)) {
    return refused(ProtocolErrorCode.InvalidParams, INITIALIZE_NEEDS, id);
  }
  return { kind: 'message', message };
}

/** Protocol 2026-07-28, which has no initialize: the SDK reports that. */
function isStateless(params: JSONRPCRequest['params']): boolean {
  return params?._meta !== undefined && PROTOCOL_VERSION_META_KEY in params._meta;
}

function metaProblem(meta: unknown): string | undefined {
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return '_meta must be an object.';
  const token = meta.progressToken;
  return token === undefined || isRequestId(token) ? undefined : '_meta.progressToken must be a string or an integer.';
}

function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function invalid(what: string, id?: RequestId): Inbound {
  return refused(ProtocolErrorCode.InvalidRequest, `Invalid request: ${what}`, id);
}

function refused(code: number, message: string, id?: RequestId): Inbound {
  return { kind: 'refused', error: errorResponse(code, message, id) };
}
