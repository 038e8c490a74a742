import {
  notificationMessage,
  type Params,
  type RequestId,
  type RpcResponse,
  requestMessage,
} from '../json-rpc/messages.js';
import { RpcError } from '../json-rpc/rpc-error.js';
import type { CancelSignal } from '../util/cancel-source.js';

interface Pending {
  resolve(result: Params): void;
  reject(error: Error): void;
}

export interface SentRequest {
  readonly method: string;
  readonly params: object | undefined;
  send(json: string): void;
  /** Cancels the request, and notifies the client of it. */
  readonly signal: CancelSignal;
}

/** The requests of the server that the client has not answered yet. */
export class PendingRequests {
  readonly #pending = new Map<RequestId, Pending>();
  #lastId = 0;

  /**
   * @returns the client's result
   * @throws RpcError with the client's error; Error if the request was cancelled or the connection has ended
   */
  send({ method, params, send, signal }: SentRequest): Promise<Params> {
    if (signal.aborted) return Promise.reject(new Error('The request was cancelled.'));
    this.#lastId += 1;
    const id = this.#lastId;
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#pending.delete(id);
        signal.removeEventListener('abort', cancel);
      };
      const cancel = () => {
        settle();
        send(notificationMessage('notifications/cancelled', { requestId: id, reason: 'The call has ended.' }));
        reject(new Error('The request was cancelled.'));
      };
      this.#pending.set(id, {
        resolve: (result) => {
          settle();
          resolve(result);
        },
        reject: (error) => {
          settle();
          reject(error);
        },
      });
      signal.addEventListener('abort', cancel);
      send(requestMessage(id, method, params));
    });
  }

  /** Settles a request with its response. @returns whether the response belongs to a pending request */
  settle({ id, result, error }: RpcResponse): boolean {
    const pending = this.#pending.get(id);
    if (error === undefined) pending?.resolve(result ?? {});
    else pending?.reject(new RpcError(error.code, error.message, error.data));
    return pending !== undefined;
  }

  /** Call this when the connection has ended. */
  rejectAll(): void {
    for (const pending of this.#pending.values()) pending.reject(new Error('The connection is closed.'));
  }
}
