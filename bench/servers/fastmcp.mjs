import { FastMCP } from 'fastmcp';
import { z } from 'zod';
import { httpPort, toolCount } from './arguments.mjs';

const server = new FastMCP({ name: 'fastmcp', version: '1.0.0' });
server.addTool({
  name: 'echo',
  description: 'Gives the text back.',
  parameters: z.object({ text: z.string().describe('What to give back') }),
  execute: async ({ text }) => text,
});
for (let index = 1; index < toolCount; index++) {
  server.addTool({
    name: `look_up_${index}`,
    description: 'Looks a record up and gives its fields.',
    parameters: z.object({ key: z.string().describe('Its key'), limit: z.int().optional() }),
    execute: async ({ key }) => key,
  });
}

if (httpPort === undefined) await server.start({ transportType: 'stdio' });
else {
  await server.start({ transportType: 'httpStream', httpStream: { port: httpPort, host: '127.0.0.1' } });
  console.error(`http://127.0.0.1:${httpPort}/mcp`);
}
