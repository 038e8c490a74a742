// A server that uses what the protocol lets a server say, in lines. `--modern`: MCP 2026-07-28, else 2025-11-25.
import { createInterface } from 'node:readline';

const isModern = process.argv.includes('--modern');
const COMMON = isModern ? { resultType: 'complete', ttlMs: 0, cacheScope: 'private' } : {};
const LEVELS = ['debug', 'info', 'notice', 'warning', 'error', 'critical', 'alert', 'emergency'];
const scheme = isModern ? 'new' : 'old';
const introduction = {
  serverInfo: { name: 'transparent', version: '1' },
  instructions: `Use meta of ${scheme} first. password=hunter2-very-secret`,
  capabilities: { tools: {}, resources: {}, prompts: {}, logging: {} },
};
const _meta = { 'com.example/origin': { by: 'the server', note: 'password=hunter2-very-secret' } };
const icons = [{ src: 'https://example.com/icon.png', mimeType: 'image/png', sizes: ['48x48'], theme: 'dark' }];
const annotations = { audience: ['user'], priority: 0.5, lastModified: '2026-01-02T03:04:05Z' };
const PAGE = { mode: 'url', url: 'https://auth.example/x', elicitationId: 'e1', message: 'Log in' };

const write = (message) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (words, more) => ({ content: [{ type: 'text', text: words }], ...more });
const tool = (name) => ({
  name,
  title: `The ${name}`,
  description: 'd',
  inputSchema: { type: 'object' },
  icons,
  _meta,
});
const NUMBERS = { type: 'array', items: { $ref: '#/$defs/number' }, $defs: { number: { type: 'number' } } };
const OUTPUTS = isModern ? { numbers: NUMBERS, wrong_numbers: NUMBERS } : {};
const TIME = '2026-01-02T03:04:05Z';
let isLoggedIn = false;

const TOOLS = {
  meta: ({ _meta: { progressToken: _, ...meta } = {} }) => text(JSON.stringify(meta), { _meta }),
  fails: () => text('No such note', { isError: true, _meta }),
  numbers: () => text('1, 2', { structuredContent: [1, 2] }),
  wrong_numbers: () => text('one', { structuredContent: ['one'] }),
  research: ({ task }) => {
    if (!task) throw { code: -32601, message: 'It must be called as a task' };
    return { task: { taskId: 't1', status: 'working', createdAt: TIME, lastUpdatedAt: TIME, ttl: null } };
  },
  value: () => text('none', { structuredContent: 0 }),
  picture: () => ({ content: [{ type: 'image', mimeType: 'image/png', data: 'iVBO\nRw0' }] }),
  nulls: () => ({
    content: [
      { type: 'text', text: 'a', annotations: { audience: null, priority: 1 }, _meta: null },
      { type: 'resource', resource: { uri: 'a://b', mimeType: null, text: 'b', _meta: null } },
    ],
    structuredContent: null,
    isError: null,
    _meta: null,
  }),
  levels() {
    for (const level of LEVELS)
      write({ method: 'notifications/message', params: { level, logger: 'db', data: level } });
    write({ method: 'notifications/message', params: { level: 'emergency', data: { rows: 1 } } });
    return text('logged');
  },
  broken() {
    throw { code: -32000, message: 'Broken', data: { reason: 'rust', auth: 'password=hunter2-very-secret' } };
  },
  needs_login() {
    if (!isLoggedIn) throw { code: -32042, message: 'Needs a login', data: { elicitations: [PAGE] } };
    return text('in');
  },
  log_in() {
    isLoggedIn = true;
    write({ method: 'notifications/elicitation/complete', params: { elicitationId: 'e1' } });
    write({ method: 'notifications/elicitation/complete', params: { elicitationId: 'unknown' } });
    return text('done');
  },
  log_out() {
    isLoggedIn = false;
    return text('out');
  },
};

const METHODS = {
  ...(isModern
    ? { 'server/discover': () => ({ supportedVersions: ['2026-07-28'], ...introduction }) }
    : { initialize: () => ({ protocolVersion: '2025-11-25', ...introduction }) }),
  'tools/list': () => ({
    tools: Object.keys(TOOLS).map((name) => ({
      ...tool(name),
      outputSchema: OUTPUTS[name],
      ...(name === 'research' && { execution: { taskSupport: 'required' } }),
    })),
  }),
  'resources/list': () => ({
    resources: [
      { uri: `${scheme}://a`, name: 'a', title: 'A', mimeType: 'text/plain', size: 1234, annotations, icons, _meta },
      { uri: `${scheme}://bad`, name: 'bad', size: 'large', annotations: { priority: 7 }, _meta: 'none' },
    ],
  }),
  'resources/templates/list': () => ({
    resourceTemplates: [{ uriTemplate: `${scheme}://{id}`, name: 't', title: 'T', annotations, icons, _meta }],
  }),
  'prompts/list': () => ({
    prompts: [{ name: 'p', title: 'P', icons, _meta, arguments: [{ name: 'x', title: 'The x', description: null }] }],
  }),
  'tools/call': (params) => TOOLS[params.name](params),
  'tasks/result': ({ taskId }) => text(`The result of ${taskId}`),
  'resources/read': ({ uri }) => {
    if (uri.endsWith('gone')) throw { code: -32002, message: 'Gone', data: { since: 'monday' } };
    return { contents: [{ uri, text: 'words', _meta }], _meta };
  },
  'prompts/get': () => ({
    description: 'A prompt',
    messages: [{ role: 'user', content: { type: 'text', text: 'Hi' } }],
    _meta,
  }),
};

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined) return;
  try {
    if (!METHODS[method]) throw { code: -32601, message: 'Method not found' };
    write({ id, result: { ...COMMON, ...METHODS[method](params) } });
  } catch (error) {
    write({ id, error });
  }
});
