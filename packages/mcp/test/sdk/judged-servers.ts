import { once } from 'node:events';
import { PassThrough } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ProtocolError, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio as serveSdk } from '@modelcontextprotocol/server/stdio';
import { invalidParams, McpServer, serveStdio } from '@mortise/mcp';

const INFO = { name: 'judged', version: '1' };
const CAPABILITIES = { tools: {}, resources: { subscribe: true }, prompts: {}, completions: {}, logging: {} };
/** The tool that both have. Over HTTP two of its arguments are repeated in headers. */
export const TOOL = {
  name: 'echo',
  inputSchema: {
    type: 'object' as const,
    properties: {
      a: { type: 'integer', 'x-mcp-header': 'A' },
      b: { type: 'object', properties: { d: { type: 'string', 'x-mcp-header': 'D' } } },
    },
  },
};
const INVALID_PARAMS = -32602;

const lists = {
  'tools/list': () => ({ tools: [TOOL] }),
  'resources/list': () => ({ resources: [{ uri: 'test://a', name: 'a' }] }),
  'resources/templates/list': () => ({ resourceTemplates: [] }),
  'prompts/list': () => ({ prompts: [{ name: 'greet' }] }),
};
const called = { content: [{ type: 'text' as const, text: 'done' }] };
const got = { messages: [{ role: 'user' as const, content: { type: 'text' as const, text: 'hello' } }] };
const completed = { completion: { values: ['a'] } };
const read = (uri: string) => ({ contents: [{ uri, text: 'text' }] });

/** Our server and the SDK's, with the same handlers. */
export function createOurs(): McpServer {
  return new McpServer({
    info: INFO,
    capabilities: CAPABILITIES,
    handlers: {
      ...lists,
      'tools/call'({ name }) {
        if (name !== TOOL.name) throw invalidParams('Unknown tool');
        return called;
      },
      'resources/read': ({ uri }) => read(uri),
      'prompts/get': () => got,
      'completion/complete': () => completed,
    },
  });
}

export const SDK_OPTIONS: ConstructorParameters<typeof Server> = [INFO, { capabilities: CAPABILITIES }];

export function createSdk(): Server {
  const server = new Server(...SDK_OPTIONS);
  setSdkHandlers(server);
  return server;
}

export function setSdkHandlers(server: Server): void {
  server.setRequestHandler('tools/list', lists['tools/list']);
  server.setRequestHandler('resources/list', lists['resources/list']);
  server.setRequestHandler('resources/templates/list', lists['resources/templates/list']);
  server.setRequestHandler('prompts/list', lists['prompts/list']);
  server.setRequestHandler('tools/call', ({ params }) => {
    if (params.name !== TOOL.name) throw new ProtocolError(INVALID_PARAMS, 'Unknown tool');
    return called;
  });
  server.setRequestHandler('resources/read', ({ params }) => read(params.uri));
  server.setRequestHandler('resources/subscribe', () => ({}));
  server.setRequestHandler('resources/unsubscribe', () => ({}));
  server.setRequestHandler('prompts/get', () => got);
  server.setRequestHandler('completion/complete', () => completed);
}

const OF_REQUESTS = ['jsonrpc', 'id', 'method', 'params'];
const OF_RESPONSES = ['jsonrpc', 'id', 'result', 'error'];

/**
 * A line without members that JSON-RPC does not know. Our server ignores them, as JSON-RPC's successors and the
 * specification of MCP do; the SDK drops the whole message, so that it gets the line without them.
 */
export function withoutUnknownMembers(line: string): string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return line;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return line;
  const members = 'method' in value ? OF_REQUESTS : OF_RESPONSES;
  return JSON.stringify(Object.fromEntries(Object.entries(value).filter(([name]) => members.includes(name))));
}

interface Served {
  close(): Promise<void>;
}

type Serve = (input: PassThrough, output: PassThrough) => Served;

export const OURS: Serve = (input, output) => serveStdio(createOurs(), { input, output });
export const SDK: Serve = (input, output) =>
  serveSdk(createSdk, { transport: new StdioServerTransport(input, output) });

const LAST_ID = 'last';
const LAST = JSON.stringify({
  jsonrpc: '2.0',
  id: LAST_ID,
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    },
  },
});

/** How a message is answered: `result`, the code of an error, or `silence`. Several responses are separated by spaces. */
export type Verdict = string;

/**
 * Opens a connection, sends one line, and waits until a further request is answered.
 * @param opening lines before, with their answers
 */
export async function verdictOf(serve: Serve, opening: readonly string[], line: string): Promise<Verdict> {
  const input = new PassThrough();
  const output = new PassThrough();
  const messages: { id?: unknown; error?: { code: number }; method?: string }[] = [];
  let rest = '';
  output.on('data', (chunk: Buffer) => {
    const lines = (rest + chunk.toString()).split('\n');
    rest = lines.pop()!;
    messages.push(...lines.map((text) => JSON.parse(text)));
  });
  const isAnswered = () => messages.some(({ id, method }) => id === LAST_ID && method === undefined);
  const served = serve(input, output);
  let before = 0;
  for (const text of opening) {
    input.write(`${text}\n`);
    const expected = text.includes('"id"') ? before + 1 : before;
    while (messages.length < expected) await once(output, 'data');
    before = expected;
  }
  input.write(`${line}\n${LAST}\n`);
  while (!isAnswered()) await once(output, 'data');
  for (let turn = 0; turn < 3; turn += 1) await nextTurn();
  void served.close();
  const responses = messages.slice(before).filter(({ id, method }) => id !== LAST_ID && method === undefined);
  const notified = messages.slice(before).filter(({ method }) => method !== undefined);
  return (
    [
      ...notified.map(({ method }) => method),
      ...responses.map(({ error }) => (error ? String(error.code) : 'result')),
    ].join(' ') || 'silence'
  );
}
