import { readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { connect, type stdioTransport, VERSIONS, type Version } from './support/clients.js';
import { logOf } from './support/observe.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace, type Workplace } from './support/workplace.js';

const plugin = (name: string, words: string, more = '') => `
import { helper } from './lib/helper.mjs';
let ticks = 0;
const timer = setInterval(() => { ticks += 1; }, 10);
export function register(api) {
  api.registerTool({ name: '${name}', description: '${words}', inputSchema: { type: 'object' }, run: async ({ waitMs = 0 }) => {
    await new Promise((resolve) => setTimeout(resolve, waitMs));
    return '${words} ' + helper;
  } });
  ${more}
}`;
const helper = (words: string) => `export const helper = '${words}';`;

async function watched(workplace: Workplace, version: Version) {
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

const textOf = async (client: Client, name: string, args: Record<string, unknown> = {}) => {
  const { content } = await client.callTool({ name, arguments: args });
  return (content[0] as { text: string }).text;
};

describe.each(VERSIONS)('a plugin that is edited while a client is connected (%s)', (version) => {
  it('takes over, stays when it is broken, comes back when it is repaired, and goes when it is deleted', async () => {
    const workplace = createWorkplace({
      'plugins/a/index.mjs': plugin('a', 'one'),
      'plugins/a/lib/helper.mjs': helper('first'),
    });
    const { client, changes } = await watched(workplace, version);
    expect(await textOf(client, 'a')).toBe('one first');

    const running = textOf(client, 'a', { waitMs: 600 });
    workplace.write('plugins/a/lib/helper.mjs', helper('second'));
    await waitFor(async () => (await textOf(client, 'a')) === 'one second');
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
  });
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
  it('is a tool, and is done at SIGHUP where there is no terminal', async () => {
    const workplace = createWorkplace({
      'plugins/a.mjs': plugin('a', 'one').replace("import { helper } from './lib/helper.mjs';", "const helper = '';"),
    });
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const reload = () => client.callTool({ name: 'builtin.plugins', arguments: { action: 'Reload' } });
    expect(await reload()).toMatchObject({
      content: [{ text: 'Nothing has changed' }],
      structuredContent: { changed: [], failed: [] },
    });
    workplace.write(
      'plugins/c.cjs',
      "module.exports.register = (api) => api.registerTool({ name: 'c', description: 'c', run: () => 1 });",
    );
    expect(await reload()).toMatchObject({ structuredContent: { added: ['c'] } });
    expect(await textOf(client, 'c')).toBe('1');
    const listed = await client.callTool({ name: 'builtin.plugins', arguments: { action: 'List' } });
    expect(listed.structuredContent).toMatchObject({
      plugins: [
        { name: 'a', state: 'loaded' },
        { name: 'c', tools: ['c'] },
      ],
    });

    workplace.write(
      'plugins/d.cjs',
      "module.exports.register = (api) => api.registerTool({ name: 'd', description: 'd', run: () => 1 });",
    );
    process.kill((client.transport as ReturnType<typeof stdioTransport>).pid!, 'SIGHUP');
    await waitFor(async () => (await client.listTools()).tools.some(({ name }) => name === 'd'));
  });

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

describe('a call that waits for its turn while its plugin is reloaded', () => {
  it('is done by the newer code, with the others, or ends where there is none', async () => {
    const source = (words: string, property: string) => `module.exports.register = (api) => api.registerTool({
      name: 'say', description: '${words}',
      inputSchema: { type: 'object', properties: { ${property}: { type: 'string' } }, additionalProperties: false },
      run: async ({ until }) => {
        console.error('saying ' + until);
        while (until && !require('node:fs').existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 10));
        return '${words} ' + process.pid;
      },
    });`;
    const workplace = createWorkplace(
      { 'plugins/a.cjs': source('old', 'until') },
      { Plugins: { Directory: 'plugins', MaxConcurrentCalls: 1 } },
    );
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const reload = () => client.callTool({ name: 'builtin.plugins', arguments: { action: 'Reload' } });
    const log = logOf(client);
    const waiting = async (goOn: string, changed: () => void) => {
      const until = `${workplace.folder}/${goOn}`;
      const running = textOf(client, 'say', { until });
      await waitFor(() => log().includes(`saying ${until}`));
      const responses = [{}, {}, { until }].map((args) => textOf(client, 'say', args));
      // The server has them when it answers what was sent after them.
      await client.ping();
      changed();
      await reload();
      workplace.write(goOn, '');
      return { running: await running, responses: await Promise.all(responses) };
    };
    expect(await textOf(client, 'say')).toMatch(/^old/);
    const changed = await waiting('first', () => workplace.write('plugins/a.cjs', source('new', 'other')));
    expect(changed.running).toMatch(/^old/);
    const [first, second, refused] = changed.responses;
    expect(first).toMatch(/^new/);
    expect(second).toBe(first);
    expect(refused).toContain('INVALID_PARAMS');
    workplace.write('plugins/a.cjs', source('newer', 'until'));
    await reload();
    expect(await textOf(client, 'say')).toMatch(/^newer/);
    const removed = await waiting('second', () => rmSync(`${workplace.folder}/plugins/a.cjs`));
    expect(removed.running).toMatch(/^newer/);
    for (const text of removed.responses) expect(text).toMatch(/PLUGIN_UNAVAILABLE/);
  });
});

describe('a reload that names a plugin', () => {
  it('is done although another one is loading it', async () => {
    const workplace = createWorkplace({ words: 'one' });
    const source = (more: string) => `const { readFileSync } = require('node:fs');
module.exports.register = async (api) => {
  const words = readFileSync(${JSON.stringify(`${workplace.folder}/words`)}, 'utf8');
  console.error('read${more}');
  await new Promise((resolve) => setTimeout(resolve, 800));
  api.registerTool({ name: 'say', description: words, inputSchema: { type: 'object' }, run: () => words });
};${more}`;
    workplace.write('plugins/a.cjs', source(''));
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const reload = (args: object) =>
      client.callTool({ name: 'builtin.plugins', arguments: { action: 'Reload', ...args } });
    expect(await textOf(client, 'say')).toBe('one');
    workplace.write('plugins/a.cjs', source('// edited'));
    const log = logOf(client);
    const running = reload({});
    await waitFor(() => log().includes('read// edited'));
    workplace.write('words', 'two');
    const named = reload({ plugin: 'a' });
    await running;
    expect(await named).toMatchObject({ structuredContent: { changed: ['a'] } });
    expect(await textOf(client, 'say')).toBe('two');
  });
});

describe('what --watch sees', () => {
  it('includes helpers outside of the plugins folder, and a plugins folder that comes later', async () => {
    const workplace = createWorkplace({ 'shared/helper.mjs': helper('first') });
    const { client, changes, log } = await watched(workplace, '2025-11-25');
    // What is made in one piece elsewhere is moved in whole.
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
