// A server built with the official SDK. `--legacy`: 2025-11-25 alone. `--http=<port>`: over HTTP, else stdio; with
// `--legacy` in sessions.
import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import {
  acceptedContent,
  completable,
  createMcpHandler,
  inputRequired,
  McpServer,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';

const { values } = parseArgs({ options: { legacy: { type: 'boolean' }, http: { type: 'string' } } });
const text = (words) => ({ content: [{ type: 'text', text: words }] });
const live = new Set();
let count = 0;
let runs = 0;
/** 2026-07-28 over HTTP. */
let handler;

function create() {
  const server = new McpServer(
    { name: 'official', version: '1.0.0' },
    { capabilities: { resources: { subscribe: true, listChanged: true }, logging: {} } },
  );
  live.add(server);
  const tool = (name, config, run) => {
    const withArguments = config.inputSchema ? run : (ctx) => run({}, ctx);
    return server.registerTool(name, { description: `Does ${name}.`, ...config }, withArguments);
  };

  tool('echo', { inputSchema: z.object({ text: z.string() }) }, ({ text: words }) => text(words));
  tool(
    'add',
    {
      inputSchema: z.object({ a: z.number(), b: z.number() }),
      outputSchema: z.object({ sum: z.number() }),
      annotations: { readOnlyHint: true },
    },
    ({ a, b }) => ({ ...text(String(a + b)), structuredContent: { sum: a + b } }),
  );
  if (!values.legacy)
    tool('lines', { outputSchema: z.array(z.string()) }, () => ({ ...text('a, b'), structuredContent: ['a', 'b'] }));
  tool('fail', {}, () => ({ ...text('The disk is full'), isError: true }));
  tool('secret', {}, () => text('password=hunter2-very-secret'));
  tool('token', {}, () => text(`it is ${process.env.UPSTREAM_TOKEN}, and HIDDEN is ${process.env.HIDDEN}`));
  tool('steps', {}, async (_args, ctx) => {
    const progressToken = ctx.mcpReq._meta?.progressToken;
    const steps = ['one', 'two', 'three'];
    for (const [index, message] of steps.entries()) {
      const params = { progressToken, progress: index + 1, total: 4, message };
      await ctx.mcpReq.notify({ method: 'notifications/progress', params });
      await delay(20);
    }
    return text('done');
  });
  tool(
    'wait',
    {},
    (_args, ctx) =>
      new Promise((resolve) => {
        console.error('waiting');
        ctx.mcpReq.signal.addEventListener('abort', () => {
          console.error('told of the cancel');
          resolve(text('too late'));
        });
      }),
  );
  tool('ask', {}, (_args, ctx) => {
    const answer = acceptedContent(ctx.mcpReq.inputResponses, 'who');
    if (answer) return text(`Hello ${answer.name}`);
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    return inputRequired({ inputRequests: { who: inputRequired.elicit({ message: 'Who?', requestedSchema }) } });
  });
  tool('ask_old', {}, async () => {
    runs++;
    const requestedSchema = { type: 'object', properties: { name: { type: 'string' } } };
    const { action, content } = await server.server.elicitInput({ mode: 'form', message: 'Who?', requestedSchema });
    return text(`${action} ${content?.name ?? 'unnamed'}, run ${runs}`);
  });
  let openGate;
  tool('gate', {}, () => new Promise((resolve) => (openGate = resolve)).then(() => text('through')));
  tool('open_gate', {}, () => {
    openGate();
    return text('open');
  });
  tool('model', {}, async () => {
    const { content } = await server.server.createMessage({
      messages: [{ role: 'user', content: { type: 'text', text: 'Capital of France?' } }],
      maxTokens: 10,
    });
    return text(content.text);
  });
  tool('roots', {}, async () => text((await server.server.listRoots()).roots.map(({ uri }) => uri).join()));
  tool('grow', {}, () => {
    count++;
    for (const item of live) item.registerTool(`grown_${count}`, { description: 'New.' }, () => text('new'));
    return text('grown');
  });
  tool('touch', {}, async () => {
    if (handler) handler.notify.resourceUpdated('note://today');
    else await Promise.allSettled([...live].map((item) => item.server.sendResourceUpdated({ uri: 'note://today' })));
    return text('touched');
  });
  tool('log', {}, async (_args, ctx) => {
    await ctx.mcpReq.log('warning', { message: 'a line of the mounted server', note: 1 });
    await ctx.mcpReq.log('debug', 'a detail');
    return text('logged');
  });
  tool('die', {}, () => {
    console.error('Out of cheese');
    process.exit(7);
  });
  tool('hang', {}, () => {
    for (;;);
  });

  server.registerResource('today', 'note://today', { mimeType: 'text/plain' }, () => ({
    contents: [{ uri: 'note://today', mimeType: 'text/plain', text: 'rain, api_key=sk-aaaabbbbccccdddd' }],
  }));
  const day = (value) => (value === '' ? ['monday', 'tuesday'] : Array.from({ length: 150 }, (_, i) => `${value}${i}`));
  server.registerResource(
    'day',
    new ResourceTemplate('note://day/{day}', { list: undefined, complete: { day } }),
    {},
    (uri, { day }) => ({ contents: [{ uri: uri.href, text: `on ${day}` }] }),
  );
  server.registerPrompt(
    'greet',
    { description: 'Greets.', argsSchema: z.object({ name: completable(z.string(), () => ['Ada', 'Alan']) }) },
    ({ name }) => ({ messages: [{ role: 'user', content: { type: 'text', text: `Greet ${name}` } }] }),
  );
  return server;
}

/** An unknown session is 404, as the specification wants it. */
function inSessions() {
  const sessions = new Map();
  return async (request, response) => {
    const id = request.headers['mcp-session-id'];
    const session = sessions.get(id);
    if (session) return session.handleRequest(request, response);
    if (id !== undefined) return response.writeHead(404).end();
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (sessionId) => sessions.set(sessionId, transport),
    });
    await create().connect(transport);
    return transport.handleRequest(request, response);
  };
}

if (values.http !== undefined) {
  if (!values.legacy) handler = createMcpHandler(create);
  const handle = handler ? toNodeHandler(handler) : inSessions();
  createServer((request, response) => {
    if (request.headers.authorization !== 'Bearer top-secret-bearer') response.writeHead(401).end();
    else handle(request, response);
  }).listen(Number(values.http), '127.0.0.1', function () {
    console.log(this.address().port);
  });
} else if (values.legacy) await create().connect(new StdioServerTransport());
else serveStdio(create);
