import { RPC_CODES } from './codes.js';

/** The `error` member of a JSON-RPC response. */
export interface RpcErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** A handler throws it to answer with this JSON-RPC error; any other error is answered with −32603 and its text is kept back. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  /**
   * @param code see {@link RPC_CODES}
   * @param message is sent to the client
   * @param data further members for programs; undefined: none
   */
  constructor(code: number, message: string, data?: unknown) {
    super(message);
    this.code = code;
    this.data = data;
  }

  toObject(): RpcErrorObject {
    const { code, message, data } = this;
    return data === undefined ? { code, message } : { code, message, data };
  }
}

/** −32602. */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message, data);
}

/** −32600. */
export function invalidRequest(what: string): RpcError {
  return new RpcError(RPC_CODES.invalidRequest, `Invalid request: ${what}`);
}

/** −32021: the client did not declare what the request needs. */
export function missingCapability(required: Record<string, unknown>): RpcError {
  const names = Object.keys(required).join(', ');
  return new RpcError(RPC_CODES.missingCapability, `Missing required client capabilities: ${names}`, {
    requiredCapabilities: required,
  });
}

/** −32022, with the versions that there are. */
export function unsupportedVersion(requested: unknown, supported: readonly string[]): RpcError {
  const isNamed = typeof requested === 'string';
  const text = isNamed ? requested : 'the request did not name a protocol version';
  return new RpcError(RPC_CODES.unsupportedVersion, `Unsupported protocol version: ${text}`, {
    supported: [...supported],
    ...(isNamed && { requested }),
  });
}
