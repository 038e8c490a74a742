import type { RequestId } from './messages.js';
import type { RpcErrorObject } from './rpc-error.js';

/** The JSON of a response. @param result JSON */
export function resultMessage(id: RequestId, result: string): string {
  return `{"jsonrpc":"2.0","id":${typeof id === 'number' ? id : JSON.stringify(id)},"result":${result}}`;
}

/** The JSON of an error response; without `id` if there is none that can be trusted. */
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
