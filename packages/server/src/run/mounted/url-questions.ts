import { RPC_CODES } from '@mortise/mcp';
import type { JsonObject } from '@mortise/plugin';
import { type InputRequest, isInputRequest, isJsonObject } from '@mortise/plugin/runtime';
import { RpcError } from './rpc-errors.js';

/** Converts the error −32042 to questions that ask the user to open its pages; undefined for any other error. */
export function urlQuestions(error: unknown): Record<string, InputRequest> | undefined {
  if (!(error instanceof RpcError) || error.code !== RPC_CODES.urlElicitationRequired) return undefined;
  const list = isJsonObject(error.data) ? error.data.elicitations : undefined;
  if (!Array.isArray(list)) return undefined;
  const requests = list.map((params) => ({ method: 'elicitation/create' as const, params: params as JsonObject }));
  const isAskable = requests.length > 0 && requests.every(isInputRequest);
  return isAskable ? Object.fromEntries(requests.map((request, at) => [`url_${at}`, request])) : undefined;
}
