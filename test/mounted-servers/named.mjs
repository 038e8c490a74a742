// A server built with the official SDK whose only tool is named by a file, the one in NAME_FILE.
import { readFileSync } from 'node:fs';
import { McpServer } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';

serveStdio(() => {
  const server = new McpServer({ name: 'named', version: '1' });
  const name = readFileSync(process.env.NAME_FILE, 'utf8');
  server.registerTool(name, { description: 'd' }, () => ({ content: [{ type: 'text', text: name }] }));
  return server;
});
