import type { IncomingMessage, ServerResponse } from 'node:http';
import { RPC_CODES } from '../json-rpc/codes.js';
import { errorMessage, type RequestId } from '../json-rpc/messages.js';
import type { RpcErrorObject } from '../json-rpc/rpc-error.js';
import type { StatusWord } from './http-options.js';

/** One HTTP request whose address and key were checked. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  readonly principal: string;
  readonly authorization: unknown;
  readonly sessionOwner: unknown;
}

/** Headers of a response, by name. */
export type ResponseHeaders = Readonly<Record<string, string>>;

/** Responds with JSON at the end of this turn of the event loop. Does nothing if the client has disconnected. */
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
 * The responses of this turn, which are written together. Each write to a sleeping client wakes it up, which costs more
 * than the request itself; all responses in one burst wake it up once. This saves half of the processor time of a request
 * (`bench/measures/transports.mjs`).
 */
let responses: Response[] = [];

/** This many responses are written immediately: Node stops reading from a slow client only after a write to it. */
const MAX_WAITING = 64;

function writeResponses(): void {
  const batch = responses;
  responses = [];
  for (const response of batch) {
    try {
      write(response);
    } catch (error) {
      // `authenticate` has returned a header that HTTP does not allow.
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

/** Responds to GET and HEAD with one word, to other methods with 405. */
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

/** The headers of a refusal that lasts until other sessions or streams end. */
export const RETRY_LATER: ResponseHeaders = { 'retry-after': '5' };

export interface RefusalDetails {
  readonly id?: RequestId | undefined;
  readonly headers?: ResponseHeaders;
  /** The JSON-RPC code. Default −32000: the request was refused before it was read as JSON-RPC. */
  readonly code?: number;
}

/** Refuses a request with a JSON-RPC error. */
export function refuse(
  res: ServerResponse,
  status: number,
  message: string,
  { id, headers, code = RPC_CODES.refused }: RefusalDetails = {},
): void {
  respondWithError(res, status, { code, message }, id, headers);
}

/** Responds with a JSON-RPC error. @param id undefined if none is known */
export function respondWithError(
  res: ServerResponse,
  status: number,
  error: RpcErrorObject,
  id?: RequestId,
  headers?: ResponseHeaders,
): void {
  respondWithJson(res, status, errorMessage(id, error), headers);
}

/** The value of a header, or undefined. Node has trimmed it. */
export function headerOf({ req }: Exchange, name: string): string | undefined {
  return req.headers[name] as string | undefined;
}
