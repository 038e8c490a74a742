import { RPC_CODES } from '@mortise/mcp';
import { isJsonObject } from '@mortise/plugin/runtime';

/** A request ended with an error, as JSON-RPC has it. */
export class RpcError extends Error {
  constructor(
    readonly code: number,
    message: string,
    readonly data?: unknown,
  ) {
    super(message);
  }
}

/** A request was answered with neither a result nor an error. */
export class MissingResultError extends Error {}

/** The session that the request belonged to is gone: nothing was done, and a new one can be opened. */
export class SessionExpiredError extends Error {}

/** The server sent a request that no client can answer. */
export const notFound = (message: string): RpcError => new RpcError(RPC_CODES.methodNotFound, message);

/** The server asks for something in a form that MCP does not have. */
export const invalid = (message: string): RpcError => new RpcError(RPC_CODES.invalidParams, message);

/** The client that was asked did not answer. */
export const rpcRejection = (message: string): RpcError => new RpcError(RPC_CODES.internalError, message);

/** The HTTP status which means that the session has expired. */
export const SESSION_NOT_FOUND = 404;

/** What a server by URL has answered with a status that is not a success. */
export function httpAnswer(error: Error): { status?: unknown; text?: unknown } | undefined {
  const { data } = error as { data?: unknown };
  return isJsonObject(data) ? data : undefined;
}

/** What the SDK's client adds to the message for a redirect that it does not follow: an option that only programs have. */
const SDK_OPTION = " (redirectPolicy: 'same-origin')";

export const withoutSdkOption = (message: string): string => message.replaceAll(SDK_OPTION, '');
