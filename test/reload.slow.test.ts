import { readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { editAllAlong, helper, plugin, textOf, watched } from './edited-plugins.js';
import { connect } from './support/clients.js';
import { logOf } from './support/observe.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace } from './support/workplace.js';

describe('a plugin that is edited while a client is connected', () => {
  const TITLE = 'takes over, stays when it is broken, comes back when it is repaired, and goes when it is deleted';

  it(`${TITLE} (2026-07-28)`, () => editAllAlong('2026-07-28'));
});

describe('a plugin that is edited', () => {
  it('may be a link, lie behind one, or be where another was', async () => {
    const workplace = createWorkplace({
      'elsewhere/file/a.mjs': plugin('a', 'one').replace('./lib', './'),
      'elsewhere/file/helper.mjs': helper('first'),
      'elsewhere/b/index.mjs': plugin('b', 'one'),
      'elsewhere/b/lib/helper.mjs': helper('first'),
      'plugins/c/index.mjs': plugin('c', 'one'),
      'plugins/c/lib/helper.mjs': helper('first'),
      'elsewhere/c/index.mjs': plugin('c', 'two'),
      'elsewhere/c/lib/helper.mjs': helper('first'),
    });
    const at = (path: string) => `${workplace.folder}/${path}`;
    symlinkSync(at('elsewhere/file/a.mjs'), at('plugins/a.mjs'));
    symlinkSync(at('elsewhere/b'), at('plugins/b'));
    const { client } = await watched(workplace, '2025-11-25');
    for (const name of ['a', 'b', 'c']) expect(await textOf(client, name)).toBe('one first');

    workplace.write('elsewhere/file/helper.mjs', helper('second'));
    await waitFor(async () => (await textOf(client, 'a')) === 'one second');
    workplace.write('elsewhere/b/lib/helper.mjs', helper('second'));
    await waitFor(async () => (await textOf(client, 'b')) === 'one second');

    renameSync(at('plugins/c'), at('elsewhere/old'));
    renameSync(at('elsewhere/c'), at('plugins/c'));
    await waitFor(async () => (await textOf(client, 'c')) === 'two first');
    workplace.write('plugins/c/lib/helper.mjs', helper('second'));
    await waitFor(async () => (await textOf(client, 'c')) === 'two second');
  });
});

describe('reload', () => {
  it('is what a plugin may ask for', async () => {
    const asking =
      "module.exports.register = (api) => api.registerTool({ name: 'ask', description: 'asks', run: async () => { await api.reloadPlugins(); return 'asked'; } });";
    const workplace = createWorkplace({ 'plugins/ask.cjs': asking });
    const client = await connect(workplace, { transport: 'stdio', version: '2026-07-28' });
    expect(await textOf(client, 'ask')).toBe('asked');
    workplace.write(
      'plugins/e.cjs',
      "module.exports.register = (api) => api.registerTool({ name: 'e', description: 'e', run: () => 1 });",
    );
    expect(await textOf(client, 'ask')).toBe('asked');
    await waitFor(async () =>
      (await client.listTools(undefined, { cacheMode: 'reload' } as object)).tools.some(({ name }) => name === 'e'),
    );
  });
});

describe('a reload that names a plugin', () => {
  it('is done although another one is loading it', async () => {
    const workplace = createWorkplace({ words: 'one', 'go-on': '' });
    const source = (more: string) => `const { existsSync, readFileSync } = require('node:fs');
module.exports.register = async (api) => {
  const words = readFileSync(${JSON.stringify(`${workplace.folder}/words`)}, 'utf8');
  console.error('read${more}');
  while (!existsSync(${JSON.stringify(`${workplace.folder}/go-on`)})) await new Promise((resolve) => setTimeout(resolve, 10));
  api.registerTool({ name: 'say', description: words, inputSchema: { type: 'object' }, run: () => words });
};${more}`;
    workplace.write('plugins/a.cjs', source(''));
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const reload = (args: object) =>
      client.callTool({ name: 'builtin.plugins', arguments: { action: 'Reload', ...args } });
    expect(await textOf(client, 'say')).toBe('one');
    rmSync(`${workplace.folder}/go-on`);
    workplace.write('plugins/a.cjs', source('// edited'));
    const log = logOf(client);
    const running = reload({});
    await waitFor(() => log().includes('read// edited'));
    workplace.write('words', 'two');
    const named = reload({ plugin: 'a' });
    // The server has it when it answers what was sent after it.
    await client.ping();
    workplace.write('go-on', '');
    await running;
    expect(await named).toMatchObject({ structuredContent: { changed: ['a'] } });
    expect(await textOf(client, 'say')).toBe('two');
  });
});

describe('what --watch sees', () => {
  it('includes helpers outside of the plugins folder, and a plugins folder that comes later', async () => {
    const workplace = createWorkplace({ 'shared/helper.mjs': helper('first') });
    const { client, changes, log } = await watched(workplace, '2025-11-25');
    // The new folder is complete before it is renamed, so the server sees all of it in one step.
    workplace.write('made/a.mjs', plugin('a', 'one').replace('./lib/', '../shared/'));
    renameSync(`${workplace.folder}/made`, `${workplace.folder}/plugins`);
    await waitFor(() => changes.at(-1)?.includes('a') ?? false);
    expect(await textOf(client, 'a')).toBe('one first');
    await waitFor(() => log().includes('plugins reloaded'));
    workplace.write('shared/helper.mjs', helper('second'));
    await waitFor(async () => (await textOf(client, 'a')) === 'one second');
  });
});

describe('a plugin that writes into its own folder while it loads', () => {
  it('is not loaded forever, and continues to be loaded when its author changes it', async () => {
    const source = (words: string) => `import { readFileSync, writeFileSync } from 'node:fs';
const file = new URL('./count.txt', import.meta.url);
let count = 0;
try { count = Number(readFileSync(file)); } catch {}
writeFileSync(file, String(count + 1));
export function register(api) {
  api.registerTool({ name: '${words}', description: 'd', inputSchema: { type: 'object' }, run: () => 'done' });
}`;
    const workplace = createWorkplace({ 'plugins/writer/index.mjs': source('first') });
    const { changes } = await watched(workplace, '2025-11-25');
    const count = () => Number(readFileSync(`${workplace.folder}/plugins/writer/count.txt`));
    workplace.write('plugins/writer/index.mjs', source('second'));
    await waitFor(() => changes.at(-1)?.includes('second') ?? false);
    await waitFor(async () => {
      const before = count();
      // It is not loaded again meanwhile.
      await delay(1_000);
      return count() === before;
    });
    expect(count()).toBeLessThan(8);
    workplace.write('plugins/writer/index.mjs', source('third'));
    await waitFor(() => changes.at(-1)?.includes('third') ?? false);
  });

  it('is not what one is whose author saves it while it loads', async () => {
    const source = (words: string) => `console.error('loading ${words}');
await new Promise((resolve) => setTimeout(resolve, 1000));
export function register(api) {
  api.registerTool({ name: '${words}', description: 'd', inputSchema: { type: 'object' }, run: () => 'done' });
}`;
    const workplace = createWorkplace({ 'plugins/slow.mjs': source('v1') });
    const { changes, log } = await watched(workplace, '2025-11-25');
    for (const version of ['v2', 'v3', 'v4']) {
      workplace.write('plugins/slow.mjs', source(version));
      await waitFor(() => log().includes(`loading ${version}`));
    }
    await waitFor(() => changes.at(-1)?.includes('v4') ?? false);
  });
});
