import type { Transport } from '@modelcontextprotocol/client';
import { isJsonObject } from '@mortise/plugin/runtime';

type Message = Parameters<Transport['send']>[0];

/** A JSON-RPC message, or the reason for which it cannot be read. */
export type ReadMessage = { readonly message: Message } | { readonly fault: string };

const NO_IDS: ReadonlySet<unknown> = new Set();
const REQUEST = ['jsonrpc', 'id', 'method', 'params'];
const RESPONSE = ['jsonrpc', 'id', 'result', 'error'];

/**
 * Reads a message of a server. Accepts the mistakes that many clients overlook: a member that is null, a member that
 * JSON-RPC does not have, and a numeric id as text.
 * @param textIds the ids of requests whose id really is a text
 * @returns undefined for JSON that is not meant as a message, such as a line of a log
 */
export function readMessage(value: unknown, textIds: ReadonlySet<unknown> = NO_IDS): ReadMessage | undefined {
  if (!isJsonObject(value)) return undefined;
  const isRequest = typeof value.method === 'string';
  if (!isRequest && value.id === undefined && value.result === undefined && value.error === undefined) return undefined;
  if (value.jsonrpc !== '2.0') return { fault: 'it has no "jsonrpc": "2.0"' };
  const id = isRequest || textIds.has(value.id) ? value.id : responseId(value.id);
  if (!isRequest && id === undefined)
    return { fault: `its id ${JSON.stringify(value.id)?.slice(0, 100)} belongs to no request` };
  const known = isRequest ? REQUEST : RESPONSE;
  const isPlain = id === value.id && Object.keys(value).every((key) => known.includes(key) && value[key] !== null);
  if (isPlain) return { message: value as unknown as Message };
  const members = Object.entries({ ...value, id }).filter(([key, member]) => known.includes(key) && member != null);
  return { message: Object.fromEntries(members) as unknown as Message };
}

function responseId(id: unknown): number | undefined {
  if (typeof id === 'number') return id;
  return typeof id === 'string' && /^\d{1,15}$/.test(id) ? Number(id) : undefined;
}
