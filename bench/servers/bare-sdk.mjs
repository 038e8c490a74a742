import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, Server } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';
import { httpPort, isStateless } from './arguments.mjs';

const inputSchema = {
  type: 'object',
  properties: { text: { type: 'string', description: 'What to give back' } },
  required: ['text'],
};
const tools = [{ name: 'echo', description: 'Gives the text back.', inputSchema }];

/** The least that the SDK needs for a tool: arguments are not validated. */
function create() {
  const server = new Server({ name: 'bare-sdk', version: '1.0.0' }, { capabilities: { tools: {} } });
  server.setRequestHandler('tools/list', () => ({ tools }));
  server.setRequestHandler('tools/call', ({ params }) => ({
    content: [{ type: 'text', text: params.arguments.text }],
  }));
  return server;
}

if (httpPort !== undefined) serveHttp(isStateless ? toNodeHandler(createMcpHandler(create)) : createSessionHandler());
else if (isStateless) serveStdio(create);
else await create().connect(new StdioServerTransport());

function serveHttp(handle) {
  createServer(handle).listen(httpPort, '127.0.0.1', () => console.error(`http://127.0.0.1:${httpPort}/mcp`));
}

/** A transport for each session, with its defaults: responses are streams of events, which cost the SDK no more than JSON. */
function createSessionHandler() {
  const transports = new Map();
  return async (request, response) => {
    const known = transports.get(request.headers['mcp-session-id']);
    if (known !== undefined) return known.handleRequest(request, response);
    const transport = new NodeStreamableHTTPServerTransport({
      sessionIdGenerator: randomUUID,
      onsessioninitialized: (id) => void transports.set(id, transport),
    });
    await create().connect(transport);
    return transport.handleRequest(request, response);
  };
}
