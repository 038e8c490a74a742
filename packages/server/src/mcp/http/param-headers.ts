import type { IncomingHttpHeaders } from 'node:http';
import type { JSONRPCErrorResponse, JSONRPCRequest } from '@modelcontextprotocol/server';
import type { JsonSchema } from '@mortise/plugin';
import { errorResponse } from '../message.js';
import { isObject } from '../values.js';

/** The specification's HeaderMismatch (2026-07-28, SEP-2243). */
const HEADER_MISMATCH = -32020;
const PERMITTED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean', 'number']);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/** A property of a tool's input whose value the header `Mcp-Param-<name>` repeats, for proxies that route by it. */
interface ParamHeader {
  path: string[];
  name: string;
}

/**
 * Compares the `Mcp-Param-*` headers of a `tools/call` with its arguments, as `x-mcp-header` in the tool's schema asks.
 * A value that is absent or null needs no header; one without its header, or with another value in it, is an error.
 */
export function paramHeaderError(
  schema: JsonSchema,
  request: JSONRPCRequest,
  headers: IncomingHttpHeaders,
): JSONRPCErrorResponse | undefined {
  for (const { path, name } of paramHeaders(schema)) {
    const value = valueAt(request.params?.arguments, path);
    const text = asHeaderText(value);
    if (text === undefined) continue;
    const header = `Mcp-Param-${name}`;
    const given = headers[header.toLowerCase()];
    const problem = mismatch(String(given ?? ''), given === undefined, text, value);
    if (problem === undefined) continue;
    const body = `${path.join('.')} and the header ${header} disagree: ${problem}`;
    return errorResponse(HEADER_MISMATCH, `Bad Request: ${body}`, request.id, { mismatch: { header, body } });
  }
  return undefined;
}

function mismatch(given: string, isMissing: boolean, text: string, value: unknown): string | undefined {
  if (isMissing) return 'the header is missing.';
  const decoded = decode(given);
  if (decoded === undefined) return 'the header is not valid base64 of UTF-8.';
  const isEqual = decoded === text || (typeof value === 'number' && DECIMAL.test(decoded) && Number(decoded) === value);
  return isEqual ? undefined : `the header says ${JSON.stringify(decoded)}.`;
}

/** Only below `properties`: anywhere else the specification does not allow the keyword. */
function paramHeaders(schema: unknown, path: string[] = []): ParamHeader[] {
  if (!isObject(schema)) return [];
  const name = schema['x-mcp-header'];
  const isDeclared =
    typeof name === 'string' && TOKEN.test(name) && PERMITTED_TYPES.has(schema.type) && path.length > 0;
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...(isDeclared ? [{ path, name }] : []),
    ...properties.flatMap(([key, property]) => paramHeaders(property, [...path, key])),
  ];
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, key) => (isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined),
    root,
  );
}

/** Undefined for what is not repeated in a header: absent, null, objects, and integers that a double cannot hold. */
function asHeaderText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}

function decode(given: string): string | undefined {
  if (!(given.startsWith('=?base64?') && given.endsWith('?='))) return given;
  const base64 = ENCODED.exec(given)?.[1];
  if (base64 === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
