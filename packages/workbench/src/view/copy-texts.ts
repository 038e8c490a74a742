import { META_KEYS } from '@mortise/mcp/protocol/meta-keys';
import { STATELESS_VERSION } from '@mortise/mcp/protocol/versions';
import { KEY_VARIABLE, MCP_PATH } from 'mortise/core/page-names';
import { isNumber, isObject, type Json, numberText, writeJson } from '../json/json.js';
import { mcpHeaders } from '../rpc/mcp-client.js';
import { hasKey } from '../state/connection.js';
import type { Run } from '../state/run.js';

export function toCommandLine({ tool, args }: Run): string {
  const entries = isObject(args) ? Object.entries(args) : [];
  const isFlat = entries.every(
    ([name, value]) => /^[\w.-]+$/.test(name) && (typeof value === 'boolean' || isNumber(value) || isPlainText(value)),
  );
  if (!isFlat) return `mortise call ${quote(tool)} --json ${quote(writeJson(args))}`;
  return [
    'mortise call',
    quote(tool),
    ...entries.map(([name, value]) => `--arg ${quote(`${name}=${isNumber(value) ? numberText(value) : value}`)}`),
  ].join(' ');
}

/** True for a text that `mortise call --arg` does not read as a value of another type. */
function isPlainText(value: Json | undefined): boolean {
  return (
    typeof value === 'string' && /^[A-Za-z]/.test(value) && !/^(true|false|null)$/.test(value) && !value.includes('\n')
  );
}

/** Instead of the access key, the command has the name of its environment variable. */
export function toCurl({ tool, args }: Run): string {
  const body = {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: tool,
      arguments: args,
      _meta: {
        [META_KEYS.protocolVersion]: STATELESS_VERSION,
        [META_KEYS.clientCapabilities]: {},
      },
    },
  };
  const headers = [
    'content-type: application/json',
    'accept: application/json, text/event-stream',
    ...Object.entries(mcpHeaders('tools/call', tool)).map(([name, value]) => `${name}: ${value}`),
  ];
  return [
    `curl ${quote(new URL(MCP_PATH, location.href).href)}`,
    ...headers.map((header) => `-H ${quote(header)}`),
    ...(hasKey() ? [`-H "authorization: Bearer $${KEY_VARIABLE}"`] : []),
    `--data ${quote(writeJson(body))}`,
  ].join(' \\\n  ');
}

/** Quotes a text for a POSIX shell. */
function quote(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`;
}
