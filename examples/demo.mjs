// Starts the real server on examples/plugins, as an MCP client does, and calls a tool of each kind.
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { styleText } from 'node:util';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

/** The demo fails after this time. It takes about three seconds on an idle machine. */
const DEADLINE_MS = 60_000;

/** The title of each call, the tool, its arguments, and the code of the expected error. */
const CALLS = [
  ['A class tool', 'hello', { name: 'Ada' }],
  ['A class tool that reads its configuration', 'welcome', { name: 'Ada' }],
  ['A registered tool, with metadata', 'weather_temperature', { city: 'Tokyo' }],
  ['A TypeScript tool, without a build', 'convert_units', { value: 26.2, from: 'mile', to: 'km' }],
  ['A long call, with progress', 'countdown', { from: 4, stepMs: 50 }],
  ["An error in the tool's own words", 'weather_temperature', { city: 'Atlantis' }, 'TOOL_ERROR'],
  ["An error with the tool's own code", 'convert_units', { value: 1, from: 'kg', to: 'km' }, 'UNITS_INCOMPATIBLE'],
  ['An error that the server finds: the tool is not run', 'hello', { name: 42 }, 'INVALID_PARAMS'],
];

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url));
const hasColours = process.stdout.isTTY && process.env.NO_COLOR === undefined;
const paint = (style, text) => (hasColours ? styleText(style, text) : text);
const row = (label, text) =>
  console.log(`  ${paint('dim', label.padEnd(10))} ${text.replaceAll('\n', `\n${' '.repeat(13)}`)}`);

async function listTools(client) {
  const { tools } = await client.listTools();
  const { name, version } = client.getServerVersion() ?? {};
  console.log(`${paint('bold', `${name} ${version}`)} serves ${tools.length} tools from examples/plugins\n`);
  const width = Math.max(...tools.map((tool) => tool.name.length));
  for (const tool of tools) console.log(`  ${paint('cyan', tool.name.padEnd(width))}  ${tool.description}`);
}

async function callTool(client, [title, name, args, expectedCode]) {
  console.log(`\n${paint('bold', title)}`);
  row('call', `${paint('cyan', name)} ${JSON.stringify(args)}`);
  const onprogress = ({ progress, message }) =>
    row('progress', `${String(Math.round(progress)).padStart(3)} % ${message}`);
  const result = await client.callTool({ name, arguments: args }, { onprogress });
  const text = result.content.map((block) => block.text ?? `(${block.type})`).join('\n');
  row(result.isError ? 'error' : 'text', result.isError ? paint('red', text) : text);
  const structured = result.structuredContent;
  const code = result.isError ? (structured?.errors[0].code ?? 'an error without a code') : undefined;
  if (code) row('code', code);
  else if (structured) row('structured', JSON.stringify(structured));
  if (code !== expectedCode)
    throw new Error(`${name} ended with ${code ?? 'a success'}, not ${expectedCode ?? 'a success'}`);
}

async function demo(transport) {
  const client = new Client({ name: 'mortise-demo', version: '1' });
  try {
    await client.connect(transport);
    await listTools(client);
    for (const call of CALLS) await callTool(client, call);
  } finally {
    await client.close();
  }
}

async function failAfterDeadline() {
  await new Promise((resolve) => setTimeout(resolve, DEADLINE_MS).unref());
  throw new Error(`the demo was not done after ${DEADLINE_MS / 1000} seconds`);
}

if (!existsSync(path('../packages/server/dist/cli.js'))) {
  console.error('The demo needs the built server: run `npm run build` first.');
  process.exit(1);
}
const transport = new StdioClientTransport({
  command: process.execPath,
  args: [path('../packages/server/bin/mortise.mjs'), 'serve', '--config', path('appsettings.json')],
  // On a slow machine too, the list of tools waits until every plugin has loaded.
  env: { ...process.env, Plugins__StartWaitMs: '60000' },
  stderr: 'pipe',
});
let log = '';
transport.stderr.on('data', (chunk) => {
  log += chunk;
});
try {
  await Promise.race([demo(transport), failAfterDeadline()]);
} catch (error) {
  await transport.close();
  console.error(`The demo failed: ${error.message}`);
  if (log) console.error(`The server's log:\n${log.trimEnd()}`);
  process.exitCode = 1;
}
