import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import { RPC_CODES } from '../json-rpc/codes.js';
import type { RequestId } from '../json-rpc/messages.js';
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import { errorMessage } from '../json-rpc/write.js';

/** One HTTP request that may be served: its address and its key are right. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly principal: string;
}

/** Responds with JSON. */
export function respondWithJson(
  res: ServerResponse,
  status: number,
  json: string,
  headers: OutgoingHttpHeaders = {},
): void {
  if (res.destroyed || res.headersSent) return;
  res.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(json),
    ...headers,
  });
  res.end(json);
}

/** What a refusal may say beside its message. */
export interface RefusalDetails {
  readonly id?: RequestId | undefined;
  readonly headers?: OutgoingHttpHeaders;
  /** Default: −32000, which JSON-RPC leaves to servers: the request did not get as far as the protocol. */
  readonly code?: number;
}

/** Responds with a JSON-RPC error to a request that is refused before or outside the protocol. */
export function refuse(
  res: ServerResponse,
  status: number,
  message: string,
  { id, headers, code = RPC_CODES.refused }: RefusalDetails = {},
): void {
  respondWithError(res, status, { code, message }, id, headers);
}

/** Responds with a JSON-RPC error, without `id` if none is known. */
export function respondWithError(
  res: ServerResponse,
  status: number,
  error: RpcErrorObject,
  id?: RequestId,
  headers?: OutgoingHttpHeaders,
): void {
  respondWithJson(res, status, errorMessage(id, error), headers);
}

/** A header's value without the spaces around it; undefined if it is absent. */
export function headerOf({ req }: Exchange, name: string): string | undefined {
  const value = req.headers[name];
  return typeof value === 'string' ? value.trim() : value?.[0];
}
