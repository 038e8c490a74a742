// A server of 2026-07-28 alone that needs as many milliseconds to start as its argument says.
import { setTimeout as delay } from 'node:timers/promises';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

await delay(Number(process.argv[2]));
const create = () => {
  const server = new McpServer({ name: 'slow-start', version: '1' });
  server.registerTool('hello', { description: 'd' }, () => ({ content: [{ type: 'text', text: 'at last' }] }));
  return server;
};
serveStdio(create, { legacy: 'reject' });
