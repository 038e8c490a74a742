import type { IncomingMessage, ServerResponse } from 'node:http';
import { RPC_CODES } from '../json-rpc/codes.js';
import { errorMessage, type RequestId } from '../json-rpc/messages.js';
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { StatusWord } from './http-options.js';

/** One HTTP request that may be served: its address and its key are right. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly principal: string;
  readonly authorization: unknown;
}

/** Headers of a response, by name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/**
 * Responds with JSON: head and body are written at once, at the end of this turn of the event loop. Nothing happens when the
 * client is gone.
 */
export function respondWithJson(res: ServerResponse, status: number, json: string, headers?: ResponseHeaders): void {
  if (responses.length === 0) setImmediate(writeResponses);
  responses.push({ res, status, json, headers });
  if (responses.length >= MAX_WAITING) writeResponses();
}

interface Response {
  readonly res: ServerResponse;
  readonly status: number;
  readonly json: string;
  readonly headers: ResponseHeaders | undefined;
}

/**
 * The responses of this turn. They are written together: a write to a client that sleeps wakes it up, which takes longer than
 * the request itself, and it sleeps again if the next response is only being made (`bench/measures/transports.mjs`: half
 * the CPU of a request).
 */
let responses: Response[] = [];

/** More responses do not wait: only what is written makes Node stop reading from a client that does not read. */
const MAX_WAITING = 64;

function writeResponses(): void {
  const written = responses;
  responses = [];
  for (const response of written) {
    try {
      write(response);
    } catch (error) {
      // A header that HTTP does not allow, which only `authenticate` can have given.
      response.res.destroy(error as Error);
    }
  }
}

function write({ res, status, json, headers }: Response): void {
  if (res.destroyed || res.headersSent) return;
  const head = ['content-type', 'application/json', 'content-length', String(Buffer.byteLength(json))];
  if (headers) for (const name in headers) head.push(name, headers[name]!);
  res.writeHead(status, head);
  res.end(json);
}

/** Responds with one word to GET and HEAD. */
export function respondWithWord({ method }: IncomingMessage, res: ServerResponse, [status, word]: StatusWord): void {
  if (res.destroyed) return;
  const isRead = method === 'GET' || method === 'HEAD';
  const body = `${word}\n`;
  const head = {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    'cache-control': 'no-store',
  };
  if (isRead) res.writeHead(status, head).end(method === 'HEAD' ? undefined : body);
  else res.writeHead(405, { allow: 'GET, HEAD' }).end();
}

/** Responds without a body. */
export function respondWithStatus(res: ServerResponse, status: number): void {
  if (!res.destroyed) res.writeHead(status).end();
}

/** Of a request that may be served once others have ended. */
export const RETRY_LATER: ResponseHeaders = { 'retry-after': '5' };

/** What a refusal may say beside its message. */
export interface RefusalDetails {
  readonly id?: RequestId | undefined;
  readonly headers?: ResponseHeaders;
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
  headers?: ResponseHeaders,
): void {
  respondWithJson(res, status, errorMessage(id, error), headers);
}

/** A header's value; undefined if it is absent. Node has removed the spaces around it. */
export function headerOf({ req }: Exchange, name: string): string | undefined {
  return req.headers[name] as string | undefined;
}
