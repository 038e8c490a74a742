import { McpServer, serveHttp, serveStdio } from '@mortise/mcp';

const server = new McpServer({
  info: { name: 'echo', version: '1.0.0' },
  capabilities: { tools: {} },
  handlers: {
    'tools/list': () => ({ tools: [{ name: 'echo', inputSchema: { type: 'object' } }] }),
    'tools/call': ({ arguments: args }) => ({ content: [{ type: 'text', text: JSON.stringify(args) }] }),
  },
});

if (process.argv.includes('--http')) console.error((await serveHttp(server, { port: 0 })).url);
else serveStdio(server);
