import { isObject } from '../json/json.js';

const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** A header's value as MCP sends it: base64 if it is not plain ASCII (docs/spec/protocol.md#http-headers). */
export function toHeaderText(text: string): string {
  if (PLAIN.test(text) && !text.startsWith('=?base64?')) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  return `=?base64?${btoa(bytes)}?=`;
}

/** The headers that repeat arguments, as `x-mcp-header` in the schema of a tool asks. */
export function paramHeaders(schema: unknown, args: unknown): Record<string, string> {
  if (!isObject(schema) || !isObject(schema.properties) || !isObject(args)) return {};
  const headers: Record<string, string> = {};
  for (const [key, property] of Object.entries(schema.properties)) {
    if (!Object.hasOwn(args, key)) continue;
    const value = args[key];
    const name = isObject(property) ? property['x-mcp-header'] : undefined;
    const text = headerValue(value);
    if (typeof name === 'string' && text !== undefined) headers[`mcp-param-${name}`] = toHeaderText(text);
    Object.assign(headers, paramHeaders(property, value));
  }
  return headers;
}

function headerValue(value: unknown): string | undefined {
  if (typeof value === 'string' || typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}
