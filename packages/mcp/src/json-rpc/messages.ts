import { hasMoreValues } from '../util/count-values.js';
import { hasInfiniteNumber } from '../util/infinite-number.js';
import { RPC_CODES } from './codes.js';
import { invalidParams, invalidRequest, RpcError, type RpcErrorObject } from './rpc-error.js';
import { isObject } from './values.js';

export type RequestId = string | number;
export type Params = Record<string, unknown>;

/** A message that expects a response. `params` is `{}` if none were sent. */
export interface RpcRequest {
  readonly kind: 'request';
  readonly id: RequestId;
  readonly method: string;
  readonly params: Params;
}

export interface RpcNotification {
  readonly kind: 'notification';
  readonly method: string;
  readonly params: Params;
}

/** The client's response to a request of the server. */
export interface RpcResponse {
  readonly kind: 'response';
  readonly id: RequestId;
  readonly result?: Params;
  readonly error?: RpcErrorObject;
}

/** A message that is answered with an error. It has no `id` if none can be trusted: official clients refuse `id: null`. */
export interface InvalidMessage {
  readonly kind: 'invalid';
  readonly id?: RequestId;
  readonly error: RpcError;
}

/** A malformed response or notification. It gets no answer, because two peers could answer each other forever. */
export interface IgnoredMessage {
  readonly kind: 'ignored';
  readonly reason: string;
}

export type Inbound = RpcRequest | RpcNotification | RpcResponse | InvalidMessage | IgnoredMessage;

const NO_PARAMS: Params = {};
const MALFORMED_NOTIFICATION: IgnoredMessage = { kind: 'ignored', reason: 'Malformed JSON-RPC notification.' };
const MALFORMED_RESPONSE: IgnoredMessage = { kind: 'ignored', reason: 'Malformed JSON-RPC response.' };

/** The default limits of one message, on both transports. */
export const MESSAGE_LIMITS = { bytes: 8 * 1024 * 1024, values: 100_000 };

/** The maximum number of values in one message, and the name of the setting for it, for error messages. */
export interface ValueLimit {
  readonly maxMessageValues: number;
  readonly optionNames: { readonly maxMessageValues: string };
}

/**
 * Reads one JSON text as one message of MCP (docs/spec/contract.md#protocol-errors: −32700, −32600). A message with too
 * many values is refused before it is parsed (docs/spec/protocol.md#large-messages). Unknown members are ignored. Never
 * throws.
 */
export function parseMessage(text: string, { maxMessageValues, optionNames }: ValueLimit): Inbound {
  if (hasMoreValues(text, maxMessageValues))
    return invalid(`a message may have ${maxMessageValues} values at most (${optionNames.maxMessageValues}).`);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return { kind: 'invalid', error: new RpcError(RPC_CODES.parseError, 'Parse error: this is not JSON.') };
  }
  const message = readMessage(value);
  return hasInfiniteNumber(text, value) ? refuseNumber(message) : message;
}

/** Refuses a number that is too large for a double: JSON.parse makes it Infinity, which JSON.stringify turns into null. */
function refuseNumber(message: Inbound): Inbound {
  if (message.kind === 'notification') return MALFORMED_NOTIFICATION;
  if (message.kind === 'response') return MALFORMED_RESPONSE;
  return message.kind === 'request' ? invalid('a number in it is larger than a double can hold.', message.id) : message;
}

/** As {@link parseMessage}, for a value that is parsed already. */
export function readMessage(value: unknown): Inbound {
  if (!isObject(value)) {
    const isBatch = Array.isArray(value);
    return invalid(
      isBatch ? 'batches are not part of the protocol; send one message at a time.' : 'a message is a JSON object.',
    );
  }
  const { jsonrpc, id, method, params } = value;
  if (method === undefined && (value.result !== undefined || value.error !== undefined)) return readResponse(value);
  if (jsonrpc !== '2.0') return invalid('jsonrpc must be "2.0".');
  if (id !== undefined && !isRequestId(id)) return invalid('id must be a string or an integer, and never null.');
  if (typeof method !== 'string') return invalid('method must be a string.');
  if (params !== undefined && !isObject(params)) {
    return id === undefined ? MALFORMED_NOTIFICATION : invalid('params must be an object.', id);
  }
  const problem = params === undefined ? undefined : metaProblem(params._meta);
  if (problem !== undefined) {
    if (id === undefined) return MALFORMED_NOTIFICATION;
    return { id, kind: 'invalid', error: invalidParams(`Invalid params: ${problem}`) };
  }
  return id === undefined
    ? { kind: 'notification', method, params: params ?? NO_PARAMS }
    : { kind: 'request', id, method, params: params ?? NO_PARAMS };
}

function readResponse({ jsonrpc, id, result, error }: Params): RpcResponse | IgnoredMessage {
  const isValid =
    jsonrpc === '2.0' &&
    isRequestId(id) &&
    (result === undefined ? isErrorObject(error) : isObject(result) && error === undefined);
  if (!isValid) return MALFORMED_RESPONSE;
  return result === undefined
    ? { kind: 'response', id, error: error as RpcErrorObject }
    : { kind: 'response', id, result: result as Params };
}

function isErrorObject(error: unknown): boolean {
  return isObject(error) && Number.isSafeInteger(error.code) && typeof error.message === 'string';
}

function metaProblem(meta: unknown): string | undefined {
  if (meta === undefined) return undefined;
  if (!isObject(meta)) return '_meta must be an object.';
  const { progressToken } = meta;
  return progressToken === undefined || isRequestId(progressToken)
    ? undefined
    : '_meta.progressToken must be a string or an integer.';
}

export function isRequestId(value: unknown): value is RequestId {
  return typeof value === 'string' || Number.isSafeInteger(value);
}

function invalid(what: string, id?: RequestId): InvalidMessage {
  return { ...withId(id), kind: 'invalid', error: invalidRequest(what) };
}

function withId(id: RequestId | undefined): { id?: RequestId } {
  return id === undefined ? {} : { id };
}

/** The JSON of a response. @param result JSON */
export function resultMessage(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":${result}}`;
}

/** The JSON of an error response. @param id undefined if none can be trusted */
export function errorMessage(id: RequestId | undefined, error: RpcErrorObject): string {
  return JSON.stringify({ jsonrpc: '2.0', ...(id !== undefined && { id }), error });
}

/** The JSON of a notification. */
export function notificationMessage(method: string, params?: object): string {
  return JSON.stringify({ jsonrpc: '2.0', method, params });
}

/** The JSON of a request to the client. */
export function requestMessage(id: RequestId, method: string, params: object | undefined): string {
  return JSON.stringify({ jsonrpc: '2.0', id, method, params });
}
