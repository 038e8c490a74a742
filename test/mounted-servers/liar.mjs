// A server that breaks promises, in lines: MCP 2025-11-25 as far as it goes.
import { createInterface } from 'node:readline';

const object = { type: 'object' };
const TOOLS = [
  { name: 'good', description: 'Is as it says.', inputSchema: object },
  { name: 'no_object', description: 'Takes a text.', inputSchema: { type: 'string' } },
  {
    name: 'no_schema',
    description: 'Says it is one.',
    inputSchema: { type: 'object', properties: { a: { type: 'txt' } } },
  },
  { name: 'bad name!', description: 'Has a name that MCP does not allow.', inputSchema: object },
  {
    name: 'breaks',
    description: 'Breaks its schema.',
    inputSchema: object,
    outputSchema: { type: 'object', required: ['sum'] },
  },
  { name: 'empty', description: 'Gives nothing.', inputSchema: object },
  { name: 'no_block', description: 'Gives no block.', inputSchema: object },
  { name: 'refuses', description: 'Answers with an error.', inputSchema: object },
  { name: 'floods', description: 'Says much.', inputSchema: object },
  ...['nothing', 'a_list', 'a_text'].map((name) => ({ name, description: 'Gives no result.', inputSchema: object })),
  ...['babbles', 'answers_unasked', 'shouts'].map((name) => ({ name, description: 'Says much.', inputSchema: object })),
  { name: 'vague', description: 'Does not know how far it is.', inputSchema: object },
];
const RESULTS = {
  good: { content: [{ type: 'text', text: 'good' }] },
  breaks: { content: [{ type: 'text', text: 'five' }], structuredContent: { total: 5 } },
  empty: {},
  no_block: { content: [{ type: 'image', data: 'no base64!', mimeType: 'image/png' }] },
};

const NO_ANSWERS = { nothing: {}, a_list: { result: [] }, a_text: { result: 'five' } };
const lineOf = (message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const write = (message) => process.stdout.write(lineOf(message));
const logLine = (data) => lineOf({ method: 'notifications/message', params: { level: 'info', data } });

/** More than a server reads in a second: 5,000 messages after 5,000 that it reads immediately, or 16 MiB of them. */
const MESSAGES = 30_000;
const CHARS = 17 * 1024 * 1024;
const FLOODS = {
  floods: logLine('x').repeat(MESSAGES),
  shouts: logLine({ words: 'x'.repeat(CHARS) }),
  // Lines that belong to nothing.
  babbles: 'bla bla bla\n'.repeat(MESSAGES),
  answers_unasked: lineOf({ id: 7_000_000_000, result: {} }).repeat(MESSAGES),
};
/** In milliseconds: it is a flood for a server too that had no processor for most of a second. */
const AGAIN_MS = 1500;
const METHODS = {
  initialize: () => ({
    protocolVersion: '2025-11-25',
    capabilities: { tools: {}, prompts: {}, resources: {} },
    serverInfo: { name: 'liar', version: '1' },
  }),
  'tools/list': () => ({ tools: TOOLS }),
  'prompts/list': () => ({ prompts: 'none' }),
  'resources/list': ({ cursor = '0' }) => ({ resources: [{ uri: `lie://${cursor}`, name: 'r' }], nextCursor: cursor }),
  'resources/templates/list': () => ({ resourceTemplates: [{ uriTemplate: 'lie://{', name: 't' }] }),
};

console.log('Welcome to the liar!');
const requests = createInterface({ input: process.stdin });
requests.on('close', () => console.error('Goodbye'));
requests.on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined) return;
  if (method === 'server/discover') process.exit(1);
  if (method !== 'tools/call') {
    const answer = METHODS[method]?.(params ?? {});
    write(answer ? { id, result: answer } : { id, error: { code: -32601, message: 'Method not found' } });
    return;
  }
  const { name, _meta } = params;
  if (name in NO_ANSWERS) return write({ id, ...NO_ANSWERS[name] });
  if (name in FLOODS) {
    const flood = () => process.stdout.write(FLOODS[name]);
    flood();
    setInterval(flood, AGAIN_MS);
    return;
  }
  if (name === 'refuses') return write({ id, error: { code: -32602, message: 'The moon is full' } });
  if (name === 'vague' && !_meta) return write({ id, result: { content: [{ type: 'text', text: 'no one listens' }] } });
  if (name === 'vague')
    for (const report of [{ progress: 10 }, { progress: 20, total: 30 }])
      write({ method: 'notifications/progress', params: { progressToken: _meta.progressToken, ...report } });
  setTimeout(() => write({ id, result: RESULTS[name] ?? { content: [] } }), 30);
});
