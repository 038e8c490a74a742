// A server built with the official SDK whose resource changes all the time, and which tells those of it who have asked.
// `--legacy`: 2025-11-25 alone, and `tock://a` in place of `tick://a`.
import { McpServer, ResourceTemplate } from '@modelcontextprotocol/server';
import { StdioServerTransport, serveStdio } from '@modelcontextprotocol/server/stdio';

const isLegacy = process.argv.includes('--legacy');
const SCHEME = isLegacy ? 'tock' : 'tick';
const URI = `${SCHEME}://a`;

function create() {
  const server = new McpServer({ name: 'ticks', version: '1' }, { capabilities: { resources: { subscribe: true } } });
  server.registerResource(
    'tick',
    new ResourceTemplate(`${SCHEME}://{name}`, { list: undefined }),
    {},
    ({ href: uri }) => ({
      contents: [{ uri, text: 'tick' }],
    }),
  );
  server.registerTool('die', { description: 'd' }, () => process.exit(7));
  let isSubscribed = !isLegacy;
  if (isLegacy) {
    server.server.setRequestHandler('resources/subscribe', ({ params }) => {
      isSubscribed ||= params.uri === URI;
      return {};
    });
  }
  // With 2026-07-28 the SDK knows who wants it.
  setInterval(() => isSubscribed && server.server.sendResourceUpdated({ uri: URI }).catch(() => {}), 50).unref();
  return server;
}

if (isLegacy) await create().connect(new StdioServerTransport());
else serveStdio(create);
