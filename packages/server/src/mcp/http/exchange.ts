import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AuthInfo, JSONRPCMessage, JSONRPCRequest, RequestId } from '@modelcontextprotocol/server';

/** One HTTP request that may be served: its address and its key are right. */
export interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
  /** The name of the key that it came with, or '' when none are needed. */
  readonly owner: string;
  /** The body of a POST. */
  readonly message?: JSONRPCMessage;
}

/** The exchange's request as the SDK's transports take it: with the owner, and without the key itself. */
export function authorized({ req, owner }: Exchange): IncomingMessage & { auth: AuthInfo } {
  return Object.assign(req, { auth: { token: '', clientId: owner, scopes: [] } });
}

/** The message, if it is one that wants a response. */
export function requestOf({ message }: Exchange): JSONRPCRequest | undefined {
  return message !== undefined && 'method' in message && 'id' in message ? message : undefined;
}

/** The id that an error should carry. */
export function idOf(exchange: Exchange): { id?: RequestId } {
  const request = requestOf(exchange);
  return request ? { id: request.id } : {};
}

/** A header's first value. */
export function headerOf({ req }: Exchange, name: string): string | undefined {
  const value = req.headers[name];
  return Array.isArray(value) ? value[0] : value;
}
