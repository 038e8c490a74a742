// A server of 2025-11-25, in lines, that asks for roots when it starts and when they change. Its resources can be subscribed to.
import { createInterface } from 'node:readline';

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words, more) => ({ content: [{ type: 'text', text: words }], ...more });
const subscribed = [];
let known = 'not asked';
let waiting;

const TOOLS = {
  known: () => text(known),
  subscribed: () => text(subscribed.join()),
  // They ask first, and fail after the answer.
  fails_for_another_reason: () => text('Disk full', { isError: true }),
  repeats_the_reason: (error) => text(`Stopped: ${error?.message}`, { isError: true }),
};
const ASKING = ['fails_for_another_reason', 'repeats_the_reason'];
const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    serverInfo: { name: 'roots', version: '1' },
    capabilities: { tools: {}, resources: { subscribe: true } },
  }),
  'tools/list': () => ({
    tools: Object.keys(TOOLS).map((name) => ({ name, description: 'd', inputSchema: { type: 'object' } })),
  }),
  'resources/list': () => ({ resources: ['root://a', 'root://b'].map((uri) => ({ uri, name: uri })) }),
  'resources/read': ({ uri }) => ({ contents: [{ uri, text: 'x' }] }),
  'resources/subscribe': ({ uri }) => void subscribed.push(uri) ?? {},
  'tools/call': ({ name }) => TOOLS[name](),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params, result, error } = JSON.parse(line);
  if (method === 'notifications/initialized' || method === 'notifications/roots/list_changed')
    return write({ id: 'outside', method: 'roots/list' });
  if (id === 'outside') {
    known = error ? `refused: ${error.message}` : result.roots.map(({ uri }) => uri).join();
    return;
  }
  if (id === 'inside') return write({ id: waiting.id, result: TOOLS[waiting.name](error) });
  if (id === undefined) return;
  if (method === 'tools/call' && ASKING.includes(params.name)) {
    waiting = { id, name: params.name };
    return write({ id: 'inside', method: 'roots/list' });
  }
  write(METHODS[method] ? { id, result: METHODS[method](params) } : { id, error: { code: -32601, message: 'No' } });
});
