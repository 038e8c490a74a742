import type { IncomingMessage } from 'node:http';
import { type Exchange, headerOf } from './exchange.js';

export const EVENT_STREAM = 'text/event-stream';

/** What the headers of 2026-07-28 say that the body says too. */
export function mcpHeaders(exchange: Exchange) {
  return {
    version: headerOf(exchange, 'mcp-protocol-version'),
    method: headerOf(exchange, 'mcp-method'),
    name: headerOf(exchange, 'mcp-name'),
  };
}

/** Without the query; nothing is decoded, and no part is resolved. */
export function pathOf({ url = '/' }: IncomingMessage): string {
  const end = url.indexOf('?');
  return end === -1 ? url : url.slice(0, end);
}

/** Whether a Content-Type is that of JSON in UTF-8. */
export function isJson(contentType: string | undefined): boolean {
  if (contentType === 'application/json') return true;
  const [type, ...parameters] = (contentType ?? '').split(';').map((part) => part.trim().toLowerCase());
  return type === 'application/json' && !parameters.some((part) => part.startsWith('charset=') && !UTF8.test(part));
}

const UTF8 = /^charset="?utf-?8"?$/;

/** Whether a body is sent as it is, not compressed. */
export function isIdentity(contentEncoding: string | undefined): boolean {
  return contentEncoding === undefined || /^(?:\s*identity\s*)?$/i.test(contentEncoding);
}

/** Whether a client of a session takes both forms of a response. */
export function acceptsBoth(accept: string | undefined): boolean {
  return accept?.includes('application/json') === true && accept.includes(EVENT_STREAM);
}
