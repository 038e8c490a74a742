import { isObject } from '../json-rpc/values.js';

const PERMITTED_TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean', 'number']);
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/** An argument of a call that a header repeats, for proxies that route by it. */
export interface ParamHeader {
  readonly header: string;
  /** The value as text. {@link encodeHeader} makes it fit for a header. */
  readonly text: string;
  readonly value: unknown;
  /** The property names that lead to the value in the arguments. */
  readonly path: readonly string[];
}

/**
 * The `Mcp-Param-*` headers that a `tools/call` must have according to `x-mcp-header` in the tool's schema (2026-07-28,
 * SEP-2243). A missing value, null, an object, or an integer that a double cannot hold needs no header.
 */
export function paramHeaders(schema: unknown, args: unknown): ParamHeader[] {
  return headerArguments(schema, args).flatMap(({ text, ...rest }) => (text === undefined ? [] : [{ ...rest, text }]));
}

/** As {@link paramHeaders}, with the arguments that need no header but may have one: `text` is undefined for these. */
export function headerArguments(
  schema: unknown,
  args: unknown,
): (Omit<ParamHeader, 'text'> & { readonly text: string | undefined })[] {
  return declarationsOf(schema).map(({ path, name }) => {
    const value = valueAt(args, path);
    return { header: `Mcp-Param-${name}`, text: asHeaderText(value), value, path };
  });
}

interface Declaration {
  readonly path: readonly string[];
  readonly name: string;
}

const NO_DECLARATIONS: readonly Declaration[] = [];
const declarationsBySchema = new WeakMap<object, readonly Declaration[]>();

function declarationsOf(schema: unknown): readonly Declaration[] {
  if (!isObject(schema)) return NO_DECLARATIONS;
  const declarations = declarationsBySchema.get(schema) ?? declared(schema, []);
  declarationsBySchema.set(schema, declarations);
  return declarations;
}

const PLAIN = /^(?:[!-~](?:[ -~]*[!-~])?)?$/;

/** Encodes a text as the value of a header: plain ASCII stays as it is, anything else becomes base64. Runs in browsers too. */
export function encodeHeader(text: string): string {
  if (PLAIN.test(text) && !text.startsWith('=?base64?')) return text;
  const bytes = Array.from(new TextEncoder().encode(text), (byte) => String.fromCharCode(byte)).join('');
  return `=?base64?${btoa(bytes)}?=`;
}

/** Searches only `properties`, because the specification allows `x-mcp-header` nowhere else. */
function declared(schema: unknown, path: readonly string[]): Declaration[] {
  if (!isObject(schema)) return [];
  const name = schema['x-mcp-header'];
  const isDeclared =
    typeof name === 'string' && TOKEN.test(name) && PERMITTED_TYPES.has(schema.type) && path.length > 0;
  const properties = isObject(schema.properties) ? Object.entries(schema.properties) : [];
  return [
    ...(isDeclared ? [{ path, name }] : []),
    ...properties.flatMap(([key, property]) => declared(property, [...path, key])),
  ];
}

function valueAt(root: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>(
    (node, key) => (isObject(node) && Object.hasOwn(node, key) ? node[key] : undefined),
    root,
  );
}

function asHeaderText(value: unknown): string | undefined {
  if (typeof value === 'string') return value;
  if (typeof value === 'boolean') return String(value);
  if (typeof value !== 'number') return undefined;
  return Number.isInteger(value) && !Number.isSafeInteger(value) ? undefined : String(value);
}
