import type { IncomingMessage } from 'node:http';
import { HEADER_NAMES } from '../protocol/header-names.js';
import { type Exchange, headerOf } from './exchange.js';

export const EVENT_STREAM = 'text/event-stream';

/** The headers of 2026-07-28 that repeat parts of the body. */
export function mcpHeaders(exchange: Exchange) {
  return {
    version: headerOf(exchange, HEADER_NAMES.version),
    method: headerOf(exchange, HEADER_NAMES.method),
    name: headerOf(exchange, HEADER_NAMES.name),
  };
}

/** The path without the query. Nothing in it is decoded or resolved. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Whether the Content-Type is JSON in UTF-8. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return type === 'application/json' && !parameters.some((part) => part.startsWith('charset=') && !UTF8.test(part));
}

const UTF8 = /^charset="?utf-?8"?$/;

/** Whether the body is not compressed. */
export function isIdentity(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || /^(?:\s*identity\s*)?$/i.test(contentEncoding);
}

/** Whether the client accepts both JSON and an event stream, as clients of sessions must. */
export function acceptsJsonAndEventStream(accept: string | undefined): boolean {
  return accept?.includes('application/json') === true && accept.includes(EVENT_STREAM);
}
