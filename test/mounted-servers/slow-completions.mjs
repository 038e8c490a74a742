// 2025-11-25 over stdio: completes nothing, ever; the tool `heard` says how many completions were cancelled.
import { createInterface } from 'node:readline';

const schema = { type: 'object' };
let cancelled = 0;
const results = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, completions: {} },
    serverInfo: { name: 'slow-completions', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () => ({ tools: [{ name: 'heard', description: 'Counts.', inputSchema: schema }] }),
  'prompts/list': () => ({ prompts: [{ name: 'q', arguments: [{ name: 'a' }] }] }),
  'tools/call': () => ({ content: [{ type: 'text', text: String(cancelled) }] }),
};

for await (const line of createInterface({ input: process.stdin })) {
  const { id, method } = JSON.parse(line);
  if (method === 'notifications/cancelled') cancelled += 1;
  if (id === undefined || method === 'completion/complete') continue;
  const result = results[method]?.();
  const answer = result ? { result } : { error: { code: -32601, message: 'Method not found' } };
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', id, ...answer })}\n`);
}
