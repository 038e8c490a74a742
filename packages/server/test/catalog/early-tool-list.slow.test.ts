import { appendFileSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { LOCAL } from '../../src/core/principal.js';
import { createToolListCache } from '../../src/plugin-loading/tool-list-cache.js';
import type { Server, ServerOptions } from '../../src/server-interface.js';
import { loadSettings } from '../../src/settings/load.js';
import { built } from '../built.js';
import { makeTree } from '../make-tree.js';

const { createServer } = built<typeof import('../../src/server.js')>('server');

const tool = (name: string) =>
  `api.registerTool({ name: '${name}', description: 'Is ${name}.', inputSchema: { type: 'object' }, run: () => '${name}' });`;
const plugin = (...names: string[]) => `exports.register = (api) => { ${names.map(tool).join('\n')} };`;

const FILES = {
  'plugins/one.cjs': plugin('one'),
  'plugins/folder/index.js': `const { name } = require('./deep/name.js'); ${plugin('folder')}`,
  'plugins/folder/deep/name.js': `exports.name = 'name';`,
  'plugins/empty/readme.txt': 'Not a plugin yet.',
};

const quiet = () => {};
const log = { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet };

interface Fixture {
  readonly folder: string;
  readonly cacheDir: string;
  path(name: string): string;
  write(name: string, text: string): void;
  configure(settings: { Plugins?: object; Tools?: object }): void;
  start(options?: Partial<ServerOptions>): Server;
  /** The names of the tools that a whole life of a server lists at its end. */
  live(): Promise<string[]>;
  cacheFile(): string | undefined;
}

function createFixture(files: Record<string, string> = FILES): Fixture {
  const folder = makeTree(files);
  const cacheDir = join(folder, 'home/cache');
  const configPath = join(folder, 'appsettings.json');
  const path = (name: string) => join(folder, name);
  const fixture: Fixture = {
    folder,
    cacheDir,
    path,
    write(name, text) {
      mkdirSync(join(path(name), '..'), { recursive: true });
      writeFileSync(path(name), text);
    },
    configure: ({ Plugins, ...rest }) =>
      writeFileSync(
        configPath,
        JSON.stringify({
          ...{ Plugins: { StartWaitMs: 60_000, LoadTimeoutMs: 60_000, ...Plugins }, Dotnet: { Enabled: false } },
          ...rest,
        }),
      ),
    start(options) {
      const loaded = loadSettings({ configPath, cwd: folder, env: {}, userConfigDir: path('home') });
      const server = createServer({ loaded, cacheDir, log, ...options });
      onTestFinished(() => server.close());
      return server;
    },
    async live() {
      const server = fixture.start();
      await server.ready();
      const names = namesOf(server);
      await server.close();
      return names;
    },
    cacheFile() {
      const names = existsSync(cacheDir) ? readdirSync(cacheDir) : [];
      const [name] = names.filter((item) => /^tools-[0-9a-f]{16}\.json$/.test(item));
      return name === undefined ? undefined : join(cacheDir, name);
    },
  };
  fixture.configure({});
  return fixture;
}

/** One that has learnt the definitions, and then the list of them. */
async function createKnownFixture(files?: Record<string, string>): Promise<Fixture> {
  const fixture = createFixture(files);
  await fixture.live();
  expect(fixture.cacheFile()).toBeUndefined();
  await fixture.live();
  expect(fixture.cacheFile()).toBeDefined();
  return fixture;
}

const namesOf = (server: Server) => server.mcpLists().tools.map(({ name }) => name);

const listOf = (server: Server) => JSON.stringify({ tools: server.mcpLists(LOCAL).tools });

function toolsChangedIn(server: Server): string[] {
  const changed: string[] = [];
  server.on('listChanged', (list, isFor) => isFor(LOCAL) && changed.push(list));
  return changed;
}

it('is there at once, and is what the plugins then provide', async () => {
  const { start } = await createKnownFixture();
  const server = start();
  const early = server.earlyToolList(LOCAL);
  const changed = toolsChangedIn(server);
  await server.ready();
  expect(early).toBe(listOf(server));
  expect(early).toContain('"name":"folder"');
  expect(server.earlyToolList(LOCAL)).toBeUndefined();
  await server.close();
  expect(changed).toEqual([]);
});

const CHANGES: Record<string, { change(fixture: Fixture): void; tools: string[] }> = {
  'a file of a plugin was written': {
    change: ({ write }) => write('plugins/one.cjs', plugin('two')),
    tools: ['folder', 'two'],
  },
  'a plugin was added': {
    change: ({ write }) => write('plugins/three.cjs', plugin('three')),
    tools: ['folder', 'one', 'three'],
  },
  'a plugin was removed': { change: ({ path }) => rmSync(path('plugins/one.cjs')), tools: ['folder'] },
  'a helper of a plugin was written': {
    change: ({ write }) => write('plugins/folder/deep/name.js', `exports.name = 'other';`),
    tools: ['folder', 'one'],
  },
  'a file was put deep into a plugin': {
    change: ({ write }) => write('plugins/folder/deep/more.js', ''),
    tools: ['folder', 'one'],
  },
  'a folder became a plugin': {
    change: ({ write }) => write('plugins/empty/index.js', plugin('full')),
    tools: ['folder', 'full', 'one'],
  },
  'settings of plugins were changed': {
    change: ({ configure }) => configure({ Plugins: { Settings: { one: { a: 1 } } } }),
    tools: ['folder', 'one'],
  },
  'other settings were changed': {
    change: ({ configure }) => configure({ Tools: { NameStyle: 'exact' } }),
    tools: ['folder', 'one'],
  },
  'what is trusted was changed': {
    change: ({ path }) => appendFileSync(path('mortise.lock.json'), '\n'),
    tools: ['folder', 'one'],
  },
};

it.each(Object.entries(CHANGES))('is not taken from the cache after %s', async (_, { change, tools }) => {
  const fixture = await createKnownFixture();
  change(fixture);
  const server = fixture.start();
  expect(server.earlyToolList(LOCAL)).toBeUndefined();
  await server.ready();
  expect(namesOf(server).filter((name) => !name.startsWith('builtin.') && name !== 'builtin_plugins')).toEqual(tools);
});

it('is another one for another version of Mortise, and none where nothing may be written', () => {
  const folder = makeTree({ file: '' });
  const cacheOf = (version: string) => createToolListCache(join(folder, 'cache'), [version], log);
  const inputs = { paths: [], stateHash: 'other' };
  cacheOf('1').set('{}', inputs);
  expect(cacheOf('1').find()).toBeUndefined();
  createToolListCache(join(folder, 'file'), [], log).set('{}', inputs);
  expect(readdirSync(join(folder, 'cache'))).toHaveLength(1);
  cacheOf('2').set('{}', inputs);
  expect(readdirSync(join(folder, 'cache'))).toHaveLength(2);
});

it.each([
  ['is empty', () => ''],
  ['was written in half', (text: string) => text.slice(0, text.length / 2)],
  ['has another list', (text: string) => text.replace('Is one.', 'Is two.')],
  ['has other inputs', (text: string) => text.replace('"paths":[', '"paths":["/",')],
  ['holds something else', () => '[]'],
])('is not taken from a file that %s, which is written again', async (_, damage) => {
  const fixture = await createKnownFixture();
  const file = fixture.cacheFile()!;
  const text = readFileSync(file, 'utf8');
  writeFileSync(file, damage(text));
  const server = fixture.start();
  expect(server.earlyToolList(LOCAL)).toBeUndefined();
  await server.ready();
  await server.close();
  expect(readFileSync(file, 'utf8')).toBe(text);
});

it('is corrected when it is not what the plugins provide', async () => {
  const fixture = await createKnownFixture();
  const file = fixture.cacheFile()!;
  const [, inputs, json] = readFileSync(file, 'utf8').split('\n');
  const wrong = json!.replace('Is one.', 'Is two.');
  const other = join(fixture.folder, 'other');
  createToolListCache(other, [], log).set(wrong, JSON.parse(inputs!));
  const [made] = readdirSync(other);
  writeFileSync(file, readFileSync(join(other, made!)));

  const server = fixture.start();
  const changed = toolsChangedIn(server);
  expect(server.earlyToolList(LOCAL)).toBe(wrong);
  await server.ready();
  await expect.poll(() => changed).toEqual(['tools']);
  expect(listOf(server)).toContain('Is one.');
  await server.close();
  expect(fixture.start().earlyToolList(LOCAL)).toBe(json);
});

it('is whole whichever of two servers wrote it last', async () => {
  const fixture = createFixture();
  await fixture.live();
  const servers = [fixture.start(), fixture.start()];
  await Promise.all(servers.map((server) => server.ready()));
  const list = listOf(servers[0]!);
  await Promise.all(servers.map((server) => server.close()));
  expect(readdirSync(fixture.cacheDir).filter((name) => name.startsWith('tools-'))).toHaveLength(1);
  expect(fixture.start().earlyToolList(LOCAL)).toBe(list);
});

it('is cached without waiting for the end of the server', async () => {
  const fixture = createFixture();
  await fixture.live();
  await fixture.start().ready();
  await expect.poll(() => fixture.cacheFile()).toBeDefined();
});

it('is not for a principal who sees something else', async () => {
  const { start } = await createKnownFixture();
  const server = start();
  expect(server.earlyToolList({ ...LOCAL, profiles: ['readOnly'] })).toBeUndefined();
  expect(server.earlyToolList(undefined)).toBeUndefined();
  expect(server.earlyToolList(LOCAL)).toBeDefined();
});

it.each([
  ['a list with pages', { Tools: { PageSize: 1 } }],
  ['plugins that are reviewed first', { Plugins: { OnChange: 'refuse' } }],
  ['plugins that run in the server', { Plugins: { Isolation: 'none' } }],
])('is not cached for %s', async (_, settings) => {
  const fixture = createFixture();
  fixture.configure(settings);
  for (const _life of [1, 2]) await fixture.live();
  expect(fixture.cacheFile()).toBeUndefined();
});

it('is not the list of one plugin', async () => {
  const fixture = await createKnownFixture();
  expect(fixture.start({ only: 'one' }).earlyToolList(LOCAL)).toBeUndefined();
});

it('is not cached while a plugin does not load', async () => {
  const fixture = createFixture({ ...FILES, 'plugins/bad.cjs': 'throw new Error("bad");' });
  for (const _life of [1, 2]) await fixture.live();
  expect(fixture.cacheFile()).toBeUndefined();
});

it('is given before any plugin is read if it is long, and plugins are read when they are needed', async () => {
  const names = Array.from({ length: 1000 }, (_, index) => `tool_${index}_${'x'.repeat(50)}`);
  const { start } = await createKnownFixture({ 'plugins/many.cjs': plugin(...names) });
  const [asked, unasked, calling] = [start(), start(), start()];
  expect(asked.plugins()).toEqual([]);
  expect(asked.earlyToolList(LOCAL)).toContain('tool_999');
  await expect.poll(() => asked.plugins()).toMatchObject([{ name: 'many', state: 'loaded' }]);
  await expect.poll(() => unasked.plugins()).toMatchObject([{ name: 'many', state: 'loaded' }]);
  await calling.listed();
  expect(calling.plugins()).toMatchObject([{ name: 'many', state: 'loaded' }]);

  // What they learn of the files is written before the next one reads it.
  await Promise.all([asked, unasked, calling].map((server) => server.close()));
  const ended = start();
  await ended.close();
  expect(start().earlyToolList(LOCAL)).toContain('tool_999');
});
