import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { ROOT } from '../../../../test/support/workplace.js';
import { createQuickWorkplace, runMortise } from './run-mortise.js';

const SERVER = (more: string) => `import { McpServer } from '@modelcontextprotocol/server';
${more} server = new McpServer({ name: 's', version: '1' });
server.registerTool('hello', { description: 'd' }, () => ({ content: [] }));
`;

it('shows how to mount an MCP server that lies in the plugins folder', async () => {
  const files = { 'plugins/my server.mjs': SERVER('const'), 'plugins/shown.mjs': SERVER('export const') };
  const workplace = createQuickWorkplace(files);
  symlinkSync(`${ROOT}node_modules`, join(workplace.folder, 'node_modules'));
  const { stdout } = await runMortise(workplace, ['validate', '--json']);
  const { problems } = JSON.parse(stdout) as { problems: { code: string; hint: string; plugin: string }[] };
  expect(problems.map(({ code }) => code)).toEqual(['EXPORTS_MISSING', 'EXPORTS_MISSING']);
  const [entry] = /\{"Plugins".*\}\}\}\}/.exec(problems[0]!.hint)!;
  const file = join(workplace.folder, 'plugins/my server.mjs');
  expect(JSON.parse(entry)).toEqual({
    Plugins: { McpServers: { my_server: { command: 'node', args: [file] } } },
  });
});

it('does not miss the default plugins folder where only servers are named', async () => {
  const workplace = createQuickWorkplace();
  const server = { command: process.execPath, args: [`${ROOT}test/mounted-servers/doubtful.mjs`] };
  workplace.write('appsettings.json', JSON.stringify({ Plugins: { McpServers: { s: server } } }));
  const { stdout } = await runMortise(workplace, ['validate', '--json']);
  const { problems } = JSON.parse(stdout) as { problems: { code: string }[] };
  expect(problems.map(({ code }) => code)).not.toContain('PLUGIN_UNREADABLE');
});

const UNPORTABLE = (name: string) => `export const register = (api) => {
  const add = (name, inputSchema) => api.registerTool({ name, title: 'T', description: 'd', inputSchema, run: () => 'ok' });
  add('${name}.choice', { type: 'object', properties: {}, anyOf: [{ required: [] }] });
  add('${name}.list', { type: 'object', properties: { a: { type: 'object', properties: { b: { type: 'array' } } } } });
  add('${name}.tuple', { type: 'object', properties: { a: { type: 'array', prefixItems: [{}] } } });
  add('${name}.${'long'.repeat(12)}', { type: 'object' });
  add('${name}.bare', { type: 'object' });
};`;

it.each([
  ['validate', []],
  ['validate', ['first']],
  ['doctor', []],
])('warns once for each kind of what some hosts refuse: %s %j', async (command, argument) => {
  const files = { 'plugins/first.mjs': UNPORTABLE('first'), 'plugins/second.mjs': UNPORTABLE('second') };
  const { stdout, code } = await runMortise(createQuickWorkplace(files), [command, ...argument, '--json']);
  const { problems, checks } = JSON.parse(stdout) as Record<string, { code?: string; message: string }[]>;
  const found = (problems ?? checks)!.filter((one) => one.code === 'TOOL_NOT_PORTABLE').map(({ message }) => message);
  expect(code).toBe(0);
  expect(found).toHaveLength(3);
  const names = (what: string) => (argument.length > 0 ? `first_${what}` : `first_${what}, second_${what}`);
  for (const [index, what] of ['choice', 'list', 'long'.repeat(12)].entries())
    expect(found[index]).toMatch(new RegExp(`: ${names(what)}$`));
});
