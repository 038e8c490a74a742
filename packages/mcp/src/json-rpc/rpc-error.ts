import { RPC_CODES } from './codes.js';

/** The `error` member of a JSON-RPC response. */
export interface RpcErrorObject {
  code: number;
  message: string;
  data?: unknown;
}

/** Handlers throw this to answer with a JSON-RPC error. Any other error is answered with −32603, without its text. */
export class RpcError extends Error {
  override readonly name = 'RpcError';
  readonly code: number;
  readonly data: unknown;

  /**
   * @param code see {@link RPC_CODES}
   * @param message is sent to the client
   * @param data JSON for programs; undefined leaves it out
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

/** The error −32602. */
export function invalidParams(message: string, data?: unknown): RpcError {
  return new RpcError(RPC_CODES.invalidParams, message, data);
}

/** The error −32600. @param what completes "Invalid request: …" */
export function invalidRequest(what: string): RpcError {
  return new RpcError(RPC_CODES.invalidRequest, `Invalid request: ${what}`);
}

/** The error −32021, for a client that did not declare the capabilities that the request needs. */
export function missingCapability(required: Record<string, unknown>): RpcError {
  const names = Object.keys(required).join(', ');
  return new RpcError(RPC_CODES.missingCapability, `Missing required client capabilities: ${names}`, {
    requiredCapabilities: required,
  });
}

/** The error −32022. @param requested the version that the request named, if any */
export function unsupportedVersion(requested: unknown, supported: readonly string[]): RpcError {
  const isNamed = typeof requested === 'string';
  const text = isNamed ? requested : 'the request did not name a protocol version';
  return new RpcError(RPC_CODES.unsupportedVersion, `Unsupported protocol version: ${text}`, {
    supported: [...supported],
    ...(isNamed && { requested }),
  });
}
