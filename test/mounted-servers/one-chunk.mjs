// A server by hand (2025-11-25) that answers a call of `chunk` in one write with messages of all kinds before the response,
// and one of `deep` with a result that is nested too deeply for JSON.stringify.
import { createInterface } from 'node:readline';

const OWN = 'own://one';
const RESULTS = {
  initialize: {
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, resources: { subscribe: true } },
    serverInfo: { name: 'one-chunk', version: '1' },
  },
  'tools/list': { tools: ['chunk', 'deep'].map((name) => ({ name, inputSchema: { type: 'object' } })) },
  'resources/list': { resources: [{ uri: OWN, name: 'one' }] },
  'resources/templates/list': { resourceTemplates: [{ uriTemplate: 'own://item/{id}', name: 'items' }] },
};

const updated = (uri) => JSON.stringify({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } });
const DEPTH = 25_000;
const DEEP = `${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}`;
const BAD = [
  'no JSON',
  '[]',
  '{}',
  '{"jsonrpc":"2.0","id":null}',
  '{"jsonrpc":"2.0","id":{},"method":7,"params":[]}',
  '{"jsonrpc":"2.0","method":"notifications/message","params":{"level":7,"data":null}}',
  '{"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":{}}}',
  '{"jsonrpc":"2.0","id":1,"method":"elicitation/create","params":null}',
  `{"jsonrpc":"2.0","method":"notifications/x","params":{"deep":${DEEP}}}`,
  `{"jsonrpc":"2.0","method":"notifications/message","params":{"level":"info","data":${DEEP}}}`,
  `{"jsonrpc":"2.0","id":${DEEP},"method":"roots/list"}`,
  `{"jsonrpc":"2.0","id":"x","method":"elicitation/create","params":{"message":"m","requestedSchema":{"properties":{"x":${DEEP}}}}}`,
];

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  const result = RESULTS[method] ?? { content: [{ type: 'text', text: 'answered' }] };
  if (params?.name === 'deep') {
    process.stdout.write(`{"jsonrpc":"2.0","id":${id},"result":{"resultType":${DEEP}}}\n${updated(OWN)}\n`);
    return;
  }
  const before =
    method === 'tools/call' ? [...BAD, updated('foreign://one'), updated(OWN), updated('own://item/7')] : [];
  process.stdout.write(`${[...before, JSON.stringify({ jsonrpc: '2.0', id, result })].join('\n')}\n`);
});
