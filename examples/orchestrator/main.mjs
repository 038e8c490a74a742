// node examples/orchestrator/main.mjs <project> [<url of a Mortise server>]: repairs and builds a .NET project.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { repair } from './repair.mjs';

const [project, url] = process.argv.slice(2);
const client = new Client({ name: 'orchestrator', version: '1' });
await client.connect(
  url === undefined
    ? new StdioClientTransport({ command: 'npx', args: ['mortise', 'serve'] })
    : new StreamableHTTPClientTransport(new URL(url)),
);
const onStep = (call, result) => {
  const { action, ...args } = call.arguments;
  console.log(`${action} ${JSON.stringify(args)}: ${result.ok ? 'succeeded' : result.errors[0].code}`);
};
try {
  await repair(client, { name: 'dotnet_project', arguments: { action: 'Build', project } }, onStep);
} catch (error) {
  console.error(error.message);
  process.exitCode = 1;
} finally {
  await client.close();
}
