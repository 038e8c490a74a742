import { createServer } from 'node:http';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { z } from 'zod';
import { httpPort, toolCount } from './arguments.mjs';

const echo = {
  description: 'Gives the text back.',
  inputSchema: z.object({ text: z.string().describe('What to give back') }),
};
const lookup = {
  description: 'Looks a record up and gives its fields.',
  inputSchema: z.object({ key: z.string().describe('Its key'), limit: z.int().optional() }),
};

function create() {
  const server = new McpServer({ name: 'official', version: '1.0.0' });
  server.registerTool('echo', echo, ({ text }) => ({ content: [{ type: 'text', text }] }));
  for (let index = 1; index < toolCount; index++) {
    server.registerTool(`look_up_${index}`, lookup, ({ key }) => ({ content: [{ type: 'text', text: key }] }));
  }
  return server;
}

if (httpPort === undefined) serveStdio(create);
else {
  const http = createServer(toNodeHandler(createMcpHandler(create)));
  http.listen(httpPort, '127.0.0.1', () => console.error(`http://127.0.0.1:${httpPort}/mcp`));
}
