import { RPC_CODES } from '../json-rpc/codes.js';
import type { Params } from '../json-rpc/messages.js';
import { invalidParams, RpcError, unsupportedVersion } from '../json-rpc/rpc-error.js';
import { isObject, kindOf } from '../json-rpc/values.js';
import { isLoggingLevel, LOGGING_LEVELS, type LoggingLevel } from './logging-levels.js';
import { META_KEYS } from './meta-keys.js';
import { namesStateless, STATELESS_VERSIONS } from './versions.js';

/** A client's description of itself: in `initialize`, or with 2026-07-28 in the `_meta` of each request. */
export interface ClientDeclaration {
  readonly protocolVersion: string;
  readonly clientInfo: Params | undefined;
  readonly capabilities: Params;
  /** With 2026-07-28: the lowest level of log lines that the client wants for this request. */
  readonly logLevel?: LoggingLevel;
}

/** Whether the parameters name a protocol version, as those of a version without sessions do. */
export function hasDeclaration(params: Params): boolean {
  return isObject(params._meta) && META_KEYS.protocolVersion in params._meta;
}

/** Returns the problem of a member, or undefined. */
type MemberCheck = (value: unknown) => string | undefined;

const implementationProblem: MemberCheck = (value) =>
  isObject(value) && typeof value.name === 'string' && typeof value.version === 'string'
    ? undefined
    : 'must be an object with the strings name and version';

const optional =
  (check: MemberCheck): MemberCheck =>
  (value) =>
    value === undefined ? undefined : check(value);

/** The capabilities that the protocol describes. A client may declare others. */
const CAPABILITIES = ['elicitation', 'sampling', 'roots', 'experimental', 'extensions'];

const MEMBERS: readonly (readonly [key: string, check: MemberCheck])[] = [
  [
    META_KEYS.protocolVersion,
    (value) => (typeof value === 'string' ? undefined : `must be a string, but is ${kindOf(value)}`),
  ],
  [
    META_KEYS.clientCapabilities,
    (value) =>
      isObject(value) && CAPABILITIES.every((name) => value[name] === undefined || isObject(value[name]))
        ? undefined
        : `must be an object, and ${CAPABILITIES.join(', ')} objects in it`,
  ],
  [META_KEYS.clientInfo, optional(implementationProblem)],
  [
    META_KEYS.logLevel,
    optional((value) => (isLoggingLevel(value) ? undefined : `must be one of ${LOGGING_LEVELS.join(', ')}`)),
  ],
];

/**
 * Reads the declaration in the `_meta` of a request of 2026-07-28 (docs/spec/protocol.md#stateless-requests).
 * @returns an RpcError −32602 if a member is missing or wrong, −32022 if the version is not supported
 */
export function readDeclaration(params: Params): ClientDeclaration | RpcError {
  const meta = isObject(params._meta) ? params._meta : {};
  for (const [key, check] of MEMBERS) {
    const problem = check(meta[key]);
    if (problem !== undefined) {
      return invalidParams(`Invalid params: _meta["${key}"] ${problem}.`, { envelope: { key, problem } });
    }
  }
  const protocolVersion = meta[META_KEYS.protocolVersion] as string;
  if (!STATELESS_VERSIONS.includes(protocolVersion)) return unsupportedVersion(protocolVersion, STATELESS_VERSIONS);
  return {
    protocolVersion,
    capabilities: meta[META_KEYS.clientCapabilities] as Params,
    clientInfo: meta[META_KEYS.clientInfo] as Params | undefined,
    ...(meta[META_KEYS.logLevel] !== undefined && { logLevel: meta[META_KEYS.logLevel] as LoggingLevel }),
  };
}

/**
 * Whether `initialize` begins a session. It does not if it has the valid declaration of a version without sessions.
 * @param declaration what {@link readDeclaration} returned for `params`
 */
export function beginsSession(params: Params, declaration: ClientDeclaration | RpcError): boolean {
  if (!(declaration instanceof RpcError)) return false;
  if (declaration.code !== RPC_CODES.unsupportedVersion) return true;
  return !namesStateless((params._meta as Params)[META_KEYS.protocolVersion] as string);
}
