import type { IncomingHttpHeaders } from 'node:http';
import { RPC_CODES } from '../json-rpc/codes.js';
import type { Params, RpcNotification, RpcRequest } from '../json-rpc/messages.js';
import { invalidParams, RpcError, unsupportedVersion } from '../json-rpc/rpc-error.js';
import {
  beginsSession,
  type ClientDeclaration,
  hasDeclaration,
  readDeclaration,
} from '../protocol/client-declaration.js';
import { META_KEYS } from '../protocol/meta-keys.js';
import { METHODS, type Method, type MethodRule } from '../protocol/methods.js';
import { headerArguments } from '../protocol/param-headers.js';
import { namesStateless, STATELESS_VERSIONS } from '../protocol/versions.js';

/**
 * The kind of a message over HTTP. `session`: it belongs to a session. `stateless`: it is of 2026-07-28, and its headers
 * agree with its body. `refused`: they do not.
 */
export type Classification =
  | { readonly kind: 'session' }
  | { readonly kind: 'stateless'; readonly declaration: ClientDeclaration }
  | { readonly kind: 'stateless-notification' }
  | { readonly kind: 'refused'; readonly error: RpcError };

/** The headers of 2026-07-28 that repeat the body. */
export interface McpHeaders {
  readonly version: string | undefined;
  readonly method: string | undefined;
  readonly name: string | undefined;
}

const SESSION: Classification = { kind: 'session' };

/** Classifies a request by its body, and compares the headers with it (docs/spec/protocol.md#http-headers). */
export function classifyRequest({ method, params }: RpcRequest, headers: McpHeaders): Classification {
  const isDeclared = hasDeclaration(params);
  const headerIsStateless = headers.version !== undefined && namesStateless(headers.version);
  const declaration = isDeclared ? readDeclaration(params) : undefined;
  if (method === 'initialize' && (declaration === undefined || beginsSession(params, declaration))) {
    return headerIsStateless
      ? mismatch(
          headers.version!,
          'initialize begins a session, but the header MCP-Protocol-Version names a version without sessions',
        )
      : SESSION;
  }
  if (declaration === undefined) return headerIsStateless ? undeclared(headers.version!) : SESSION;
  const isInvalid = declaration instanceof RpcError && declaration.code === RPC_CODES.invalidParams;
  if (isInvalid) return { kind: 'refused', error: declaration };
  const difference = versionMismatch(params, headers) ?? methodMismatch(method, headers);
  if (difference) return difference;
  if (declaration instanceof RpcError) return { kind: 'refused', error: declaration };
  return missingHeader(method, params, headers) ?? { kind: 'stateless', declaration };
}

/** As {@link classifyRequest}, for a notification. */
export function classifyNotification({ method, params }: RpcNotification, headers: McpHeaders): Classification {
  let { version } = headers;
  if (hasDeclaration(params)) {
    const declared = (params._meta as Params)[META_KEYS.protocolVersion];
    if (typeof declared !== 'string') {
      return {
        kind: 'refused',
        error: invalidParams(`Invalid params: _meta["${META_KEYS.protocolVersion}"] must be a string.`),
      };
    }
    const difference = versionMismatch(params, headers);
    if (difference) return difference;
    version = declared;
  }
  if (version === undefined || !namesStateless(version)) return SESSION;
  const difference = methodMismatch(method, headers);
  if (difference) return difference;
  if (STATELESS_VERSIONS.includes(version)) return { kind: 'stateless-notification' };
  return { kind: 'refused', error: unsupportedVersion(version, STATELESS_VERSIONS) };
}

function undeclared(version: string): Classification {
  const missing = [META_KEYS.protocolVersion, META_KEYS.clientCapabilities];
  const text = `Invalid params: the header MCP-Protocol-Version names ${version}, but _meta lacks ${missing.join(' and ')}.`;
  return { kind: 'refused', error: invalidParams(text, { envelope: { missing } }) };
}

function versionMismatch(params: Params, { version }: McpHeaders): Classification | undefined {
  const declared = (params._meta as Params)[META_KEYS.protocolVersion] as string;
  if (version === undefined || version === declared) return undefined;
  return mismatch(
    version,
    `the body names protocol version ${declared}, but the header MCP-Protocol-Version names ${version}`,
  );
}

function methodMismatch(method: string, headers: McpHeaders): Classification | undefined {
  if (headers.method === undefined || headers.method === method) return undefined;
  return mismatch(headers.method, `the body names method ${method}, but the header Mcp-Method names ${headers.method}`);
}

function missingHeader(method: string, params: Params, headers: McpHeaders): Classification | undefined {
  if (headers.version === undefined) return missing('MCP-Protocol-Version');
  if (headers.method === undefined) return missing('Mcp-Method');
  const rule: MethodRule | undefined = Object.hasOwn(METHODS, method) ? METHODS[method as Method] : undefined;
  if (rule?.nameParam === undefined) return undefined;
  const value = params[rule.nameParam];
  if (headers.name === undefined) return typeof value === 'string' ? missing('Mcp-Name') : undefined;
  const decoded = decodeHeader(headers.name);
  if (decoded === undefined) return mismatch(headers.name, 'the header Mcp-Name is not valid base64 of UTF-8');
  if (typeof value !== 'string' || decoded === value) return undefined;
  return mismatch(
    headers.name,
    `the body names ${rule.nameParam} ${JSON.stringify(value)}, but the header Mcp-Name names ${JSON.stringify(decoded)}`,
  );
}

function missing(header: string): Classification {
  return mismatch('(missing)', `the header ${header} is missing`);
}

/** @param header the value of the header @param problem how the body differs from it */
function mismatch(header: string, problem: string): Classification {
  return { kind: 'refused', error: mismatchError(header, problem) };
}

function mismatchError(header: string, problem: string): RpcError {
  const text = `Bad Request: the headers and the body of the request disagree: ${problem}.`;
  return new RpcError(RPC_CODES.headerMismatch, text, { mismatch: { header, body: problem } });
}

const DECIMAL = /^-?\d+(\.\d+)?$/;
const ENCODED = /^=\?base64\?((?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?)\?=$/;

/**
 * Compares the headers `Mcp-Param-*` of a `tools/call` with its arguments, as `x-mcp-header` in the tool's schema requires.
 * A value that is missing or null, or an integer that a double cannot hold, needs no header; if an integer has one, it
 * must be equal.
 * @param schema of the tool's arguments
 */
export function paramHeaderError(
  schema: unknown,
  { params }: RpcRequest,
  headers: IncomingHttpHeaders,
): RpcError | undefined {
  for (const expected of headerArguments(schema, params.arguments)) {
    const input = headers[expected.header.toLowerCase()];
    const problem = paramProblem(input === undefined ? undefined : String(input), expected);
    if (problem === undefined) continue;
    const body = `${expected.path.join('.')} and the header ${expected.header} disagree: ${problem}`;
    return new RpcError(RPC_CODES.headerMismatch, `Bad Request: ${body}`, {
      mismatch: { header: expected.header, body },
    });
  }
  return undefined;
}

function paramProblem(
  input: string | undefined,
  { text, value }: ReturnType<typeof headerArguments>[number],
): string | undefined {
  if (text === undefined && (input === undefined || typeof value !== 'number')) return undefined;
  if (input === undefined) return 'the header is missing.';
  const decoded = decodeHeader(input);
  if (decoded === undefined) return 'the header is not valid base64 of UTF-8.';
  const isEqual = decoded === text || (typeof value === 'number' && DECIMAL.test(decoded) && Number(decoded) === value);
  return isEqual ? undefined : `the header says ${JSON.stringify(decoded)}.`;
}

function decodeHeader(input: string): string | undefined {
  if (!(input.startsWith('=?base64?') && input.endsWith('?='))) return input;
  const base64 = ENCODED.exec(input)?.[1];
  if (base64 === undefined) return undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(base64, 'base64'));
  } catch {
    return undefined;
  }
}
