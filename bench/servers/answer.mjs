import { readFileSync } from 'node:fs';
import { listFile } from './arguments.mjs';

const list = listFile === undefined ? '{"tools":[{"name":"echo"}]}' : readFileSync(listFile, 'utf8');

/** The response to a JSON-RPC message, as text; undefined for a notification. Only what the measures need of MCP is done. */
export function answer(text) {
  const { id, method, params } = JSON.parse(text);
  if (id === undefined) return undefined;
  if (method !== 'tools/call') return `{"jsonrpc":"2.0","id":${id},"result":${list}}`;
  const result = { content: [{ type: 'text', text: params.arguments.text }] };
  return JSON.stringify({ jsonrpc: '2.0', id, result });
}
