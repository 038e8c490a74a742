// A server whose questions are not as they should be, in lines. `--modern`: MCP 2026-07-28, else 2025-11-25; as far as it goes.
import { closeSync } from 'node:fs';
import { createInterface } from 'node:readline';

const isModern = process.argv.includes('--modern');
const serverInfo = { name: 'askers', version: '1' };
const capabilities = { tools: {} };
const tool = (name) => ({ name, description: 'd', inputSchema: { type: 'object' } });
const COMMON = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
const METHODS = {
  ...(isModern
    ? { 'server/discover': () => ({ supportedVersions: ['2026-07-28'], serverInfo, capabilities }) }
    : { initialize: () => ({ protocolVersion: '2025-11-25', serverInfo, capabilities }) }),
  'tools/list': () => ({ tools: ['again', 'closes_input', 'closes_output', 'malformed', 'works'].map(tool) }),
};
const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const malformed = { method: 'elicitation/create', params: { message: 5 } };
const text = (words) => ({ ...COMMON, content: [{ type: 'text', text: words }] });
let rounds = 0;
let asking;

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, error } = JSON.parse(line);
  if (id === 'question') return write({ id: asking, result: text(`refused with ${error.code}`) });
  if (id === undefined) return;
  if (METHODS[method]) return write({ id, result: { ...COMMON, ...METHODS[method]() } });
  if (method !== 'tools/call') return write({ id, error: { code: -32601, message: 'Method not found' } });
  if (params.name === 'works') return write({ id, result: text(`asked ${rounds} times`) });
  if (params.name === 'closes_output') {
    closeSync(1);
    return setInterval(() => {}, 1000);
  }
  if (params.name === 'closes_input') {
    closeSync(0);
    write({ id, result: text('closed') });
    return setInterval(() => {}, 1000);
  }
  if (params.name === 'again') {
    rounds += 1;
    return write({ id, result: { resultType: 'input_required', requestState: 'wait' } });
  }
  if (isModern) return write({ id, result: { resultType: 'input_required', inputRequests: { who: malformed } } });
  asking = id;
  write({ id: 'question', ...malformed });
});
