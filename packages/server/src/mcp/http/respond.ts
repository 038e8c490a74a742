import type { OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { JSONRPCErrorResponse, RequestId } from '@modelcontextprotocol/server';
import { JSON_RPC_CODES } from '../../jsonrpc/codes.js';
import { errorResponse } from '../message.js';

/** JSON-RPC leaves −32000 to servers: the request did not get as far as the protocol. */

/** Responds with a JSON-RPC error, without `id` if none is known. */
export function respondWithError(
  res: ServerResponse,
  status: number,
  error: JSONRPCErrorResponse,
  headers: OutgoingHttpHeaders = {},
): void {
  res.writeHead(status, { 'content-type': 'application/json', ...headers });
  res.end(JSON.stringify(error));
}

/** {@link respondWithError} for requests that are refused before or outside the protocol. */
export function refuse(
  res: ServerResponse,
  status: number,
  message: string,
  { id, headers }: { id?: RequestId; headers?: OutgoingHttpHeaders } = {},
): void {
  respondWithError(res, status, errorResponse(JSON_RPC_CODES.refused, message, id), headers);
}
