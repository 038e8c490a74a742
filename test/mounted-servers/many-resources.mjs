// A server of 2025-11-25, in lines, with more resources than are watched unasked. It refuses the first subscription of
// `job://late`; `touch` tells of a resource that is subscribed to, and says whether it is.
import { createInterface } from 'node:readline';

const resources = Array.from({ length: 2100 }, (_, index) => ({ uri: `thing://${index}`, name: `${index}` }));
const subscribed = new Set();
let hasRefused = false;
const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }));
const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: { subscribe: true } },
    serverInfo: { name: 'many-resources', version: '1' },
  }),
  'tools/list': () => ({ tools: [{ name: 'touch', description: 'd', inputSchema: { type: 'object' } }] }),
  'resources/list': () => ({ resources }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'job://{id}', name: 'job' }] }),
  'resources/subscribe': ({ uri }) => {
    const isRefused = uri === 'job://late' && !hasRefused;
    if (isRefused) hasRefused = true;
    else subscribed.add(uri);
    return isRefused ? undefined : {};
  },
  'tools/call': ({ arguments: { uri } }) => {
    if (subscribed.has(uri)) write({ method: 'notifications/resources/updated', params: { uri } });
    return { content: [{ type: 'text', text: String(subscribed.has(uri)) }] };
  },
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  const result = METHODS[method]?.(params ?? {});
  write(result ? { id, result } : { id, error: { code: -32601, message: 'not now' } });
});
