import type { IncomingHttpHeaders } from 'node:http';
import type { JSONRPCErrorResponse, JSONRPCRequest } from '@modelcontextprotocol/server';
import type { JsonSchema } from '@mortise/plugin';
import { JSON_RPC_CODES } from '../../jsonrpc/codes.js';
import { paramHeaders } from '../../jsonrpc/param-headers.js';
import { errorResponse } from '../message.js';

/** The specification's HeaderMismatch (2026-07-28, SEP-2243). */
const DECIMAL = /^-?\d+(\.\d+)?$/;
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/**
 * Compares the `Mcp-Param-*` headers of a `tools/call` with its arguments, as `x-mcp-header` in the tool's schema asks.
 * A value that is absent or null needs no header; one without its header, or with another value in it, is an error.
 */
export function paramHeaderError(
  schema: JsonSchema,
  request: JSONRPCRequest,
  headers: IncomingHttpHeaders,
): JSONRPCErrorResponse | undefined {
  for (const { path, header, text, value } of paramHeaders(schema, request.params?.arguments)) {
    const input = headers[header.toLowerCase()];
    const problem = mismatch(String(input ?? ''), input === undefined, text, value);
    if (problem === undefined) continue;
    const body = `${path.join('.')} and the header ${header} disagree: ${problem}`;
    return errorResponse(JSON_RPC_CODES.headerMismatch, `Bad Request: ${body}`, request.id, {
      mismatch: { header, body },
    });
  }
  return undefined;
}

function mismatch(input: string, isMissing: boolean, text: string, value: unknown): string | undefined {
  if (isMissing) return 'the header is missing.';
  const decoded = decode(input);
  if (decoded === undefined) return 'the header is not valid base64 of UTF-8.';
  const isEqual = decoded === text || (typeof value === 'number' && DECIMAL.test(decoded) && Number(decoded) === value);
  return isEqual ? undefined : `the header says ${JSON.stringify(decoded)}.`;
}

function decode(input: string): string | undefined {
  if (!(input.startsWith('=?base64?') && input.endsWith('?='))) return input;
  const base64 = ENCODED.exec(input)?.[1];
  if (base64 === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
