// A server of 2025-11-25, in lines, that has resources and no templates, and whose tools/list fails while the file of its
// argument says so.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const [file] = process.argv.slice(2);
const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: {} },
    serverInfo: { name: 'broken-lists', version: '1' },
  }),
  ping: () => ({}),
  'tools/list': () =>
    readFileSync(file, 'utf8') === 'fails'
      ? undefined
      : { tools: [{ name: 'pid', description: 'Its process.', inputSchema: { type: 'object' } }] },
  'tools/call': () => ({ content: [{ type: 'text', text: `${process.pid}` }] }),
  'resources/list': () => ({ resources: [{ uri: 'thing://one', name: 'one' }] }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method } = JSON.parse(line);
  if (id === undefined) return;
  const result = METHODS[method]?.();
  const error = METHODS[method] ? { code: -32603, message: 'not now' } : { code: -32601, message: 'Method not found' };
  console.log(JSON.stringify({ jsonrpc: '2.0', id, ...(result ? { result } : { error }) }));
});
