import { RPC_CODES } from '@mortise/mcp';
import { isJsonObject } from '@mortise/plugin/runtime';

/** The JSON-RPC error with which a request ended. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** Thrown if a request was answered with neither a result nor an error. */
export class MissingResultError extends Error {}

/** Thrown if the session of a request has expired. The server has done nothing, and a new session can be opened. */
export class SessionExpiredError extends Error {}

/** The error for a request of the server that no client can answer. */
export const notFound = (message: string): RpcError => new RpcError(RPC_CODES.methodNotFound, message);

/** The error for a request of the server that is malformed. */
export const invalid = (message: string): RpcError => new RpcError(RPC_CODES.invalidParams, message);

/** The error for a question of the server that got no answer. */
export const rpcRejection = (message: string): RpcError => new RpcError(RPC_CODES.internalError, message);

/** The HTTP status which means that the session has expired. */
export const SESSION_NOT_FOUND = 404;

/** The HTTP answer in an error of the SDK, if the status of the answer was not a success. */
export function httpAnswer(error: Error): { status?: unknown; text?: unknown } | undefined {
  const { data } = error as { data?: unknown };
  return isJsonObject(data) ? data : undefined;
}

/** The SDK adds this to its message about a redirect. The option is of no use to an operator. */
const SDK_OPTION = " (redirectPolicy: 'same-origin')";

export const withoutSdkOption = (message: string): string => message.replaceAll(SDK_OPTION, '');
