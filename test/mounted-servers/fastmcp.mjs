// A server built with fastmcp 4, as `npm ci --prefix bench` installs it.
import { createRequire } from 'node:module';

const require = createRequire(new URL('../../bench/package.json', import.meta.url));
const { FastMCP } = await import(require.resolve('fastmcp'));
const { z } = await import(require.resolve('zod'));

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
server.addTool({
  name: 'echo',
  description: 'Gives the text back.',
  parameters: z.object({ text: z.string() }),
  execute: async ({ text }, { reportProgress }) => {
    await reportProgress({ progress: 1, total: 2 });
    return text;
  },
});
server.addPrompt({ name: 'hello', description: 'Says hello.', load: async () => 'Hello!' });
server.addResource({ uri: 'fast://one', name: 'One', mimeType: 'text/plain', load: async () => ({ text: 'one' }) });
await server.start({ transportType: 'stdio' });
