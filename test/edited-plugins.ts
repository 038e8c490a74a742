import { rmSync } from 'node:fs';
import type { Client } from '@modelcontextprotocol/client';
import { expect } from 'vitest';
import { connect, type Version } from './support/clients.js';
import { logOf } from './support/observe.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace, type Workplace } from './support/workplace.js';

export const plugin = (name: string, words: string, more = '') => `
import { existsSync } from 'node:fs';
import { helper } from './lib/helper.mjs';
let ticks = 0;
const timer = setInterval(() => { ticks += 1; }, 10);
export function register(api) {
  api.registerTool({ name: '${name}', description: '${words}', inputSchema: { type: 'object' }, run: async ({ until }) => {
    if (until) console.error('waiting until ' + until);
    while (until && !existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 10));
    return '${words} ' + helper;
  } });
  ${more}
}`;
export const helper = (words: string) => `export const helper = '${words}';`;

export async function watched(workplace: Workplace, version: Version) {
  const changes: string[][] = [];
  const listening: { wake(): void } = { wake() {} };
  const onChanged = (_error: unknown, tools: { name: string }[] | null) => {
    changes.push((tools ?? []).map(({ name }) => name));
    listening.wake();
  };
  const client = await connect(
    workplace,
    { transport: 'stdio', version },
    { listChanged: { tools: { onChanged, debounceMs: 0 } } },
    undefined,
    ['--watch'],
  );
  const log = logOf(client);
  // The watch is there before the first list is answered, and renewed before a reload is in the log.
  await client.listTools();
  return { client, changes, log };
}

/** What a named tool says. */
export const textOf = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content[0] as { text: string }).text;
};

/** A plugin is edited, broken, repaired and deleted while a client of this version is connected. */
export async function editAllAlong(version: Version): Promise<void> {
  const workplace = createWorkplace({
    'plugins/a/index.mjs': plugin('a', 'one'),
    'plugins/a/lib/helper.mjs': helper('first'),
  });
  const { client, changes, log } = await watched(workplace, version);
  expect(await textOf(client, 'a')).toBe('one first');

  const until = `${workplace.folder}/go-on`;
  const running = textOf(client, 'a', { until });
  await waitFor(() => log().includes(`waiting until ${until}`));
  workplace.write('plugins/a/lib/helper.mjs', helper('second'));
  await waitFor(async () => (await textOf(client, 'a')) === 'one second');
  workplace.write('go-on', '');
  expect(await running).toBe('one first');
  expect(changes).toEqual([]);

  workplace.write(
    'plugins/b.mjs',
    "export const b = { name: 'b', description: 'b', inputSchema: { type: 'object' }, executeAsync: async () => ({ content: [] }) };",
  );
  await waitFor(() => changes.some((names) => names.includes('b')));

  const before = changes.length;
  workplace.write('plugins/a/index.mjs', 'export function register( {');
  await waitFor(async () =>
    /PLUGIN_SYNTAX_ERROR/.test(await textOf(client, 'builtin_plugins', { action: 'Status', plugin: 'a' })),
  );
  expect(await textOf(client, 'a')).toBe('one second');
  expect(changes).toHaveLength(before);

  workplace.write(
    'plugins/a/index.mjs',
    plugin('a', 'repaired', "api.registerTool({ name: 'a2', description: 'more', run: () => 1 });"),
  );
  await waitFor(() => changes.some((names) => names.includes('a2')));
  expect(await textOf(client, 'a')).toBe('repaired second');

  rmSync(`${workplace.folder}/plugins/a`, { recursive: true });
  await waitFor(() => changes.at(-1)?.includes('a') === false);
  await expect(client.callTool({ name: 'a', arguments: {} })).rejects.toMatchObject({ code: -32602 });
}
