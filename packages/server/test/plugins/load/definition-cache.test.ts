import { existsSync, mkdirSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginDefinition } from '@mortise/plugin/runtime';
import { expect, it, vi } from 'vitest';
import { type CachedDefinition, DefinitionCache, sealed } from '../../../src/plugins/load/definition-cache.js';
import { fingerprint } from '../../../src/plugins/load/fingerprint.js';
import { makeTree } from '../../make-tree.js';

const DEFINITION: PluginDefinition = {
  tools: [{ name: 't', inputSchema: { type: 'object' }, origin: 'registerTool' }],
  resources: [],
  prompts: [],
  problems: [],
};

const quiet = () => {};
const log = { trace: quiet, debug: quiet, info: quiet, warn: vi.fn(), error: quiet };

function makeCacheFixture() {
  const root = makeTree({ 'p.js': 'one', 'q.js': 'two' });
  const cacheDir = join(root, 'deep/cache');
  const open = (key: unknown = 'key') =>
    new DefinitionCache({ cacheDir, key: () => key, ownSettings: (name) => settings[name], log });
  const settings: Record<string, unknown> = {};
  const pluginOf = (name: string) => ({ name, path: join(root, name), entry: join(root, name) });
  const store = (cache: ReturnType<typeof open>, name: string, more: Partial<PluginDefinition> = {}) => {
    const plugin = pluginOf(name);
    cache.set(plugin, fingerprint(plugin), { ...DEFINITION, ...more });
  };
  return { root, cacheDir, open, settings, pluginOf, store };
}

it('finds at the next start what was kept, until a file is written', () => {
  const { open, pluginOf, store, root } = makeCacheFixture();
  const first = open();
  expect(first.find(pluginOf('p.js'))).toBeUndefined();
  store(first, 'p.js');
  first.save();
  const second = open();
  expect(second.find(pluginOf('p.js'))).toMatchObject({ definition: DEFINITION, files: [join(root, 'p.js')] });
  expect(second.find(pluginOf('q.js'))).toBeUndefined();
  writeFileSync(join(root, 'p.js'), 'two');
  expect(second.find(pluginOf('p.js'))).toBeUndefined();
});

it('is another list for other settings', () => {
  const { open, pluginOf, store } = makeCacheFixture();
  const first = open({ Config: { a: 1 } });
  store(first, 'p.js');
  first.save();
  expect(open({ Config: { a: 2 } }).find(pluginOf('p.js'))).toBeUndefined();
  expect(open({ Config: { a: 1 } }).find(pluginOf('p.js'))).toBeDefined();
});

it('forgets a plugin whose own settings have changed, under either of its names, and keeps the others', () => {
  const { open, settings, pluginOf, store } = makeCacheFixture();
  const first = open();
  store(first, 'p.js');
  store(first, 'q.js', { settings: { name: 'queue', secrets: [] } });
  first.save();
  settings['p.js'] = { word: 'Hi' };
  expect(open().find(pluginOf('p.js'))).toBeUndefined();
  expect(open().find(pluginOf('q.js'))).toBeDefined();
  settings.queue = { size: 2 };
  expect(open().find(pluginOf('q.js'))).toBeUndefined();
});

it.each(['', '[["', '{"a": 1}', 'null', '[1, null, ["a"], ["b", null], ["c", {"files": [], "stamp": ""}]]'])(
  'is empty where its file holds %j, and is written again',
  (text) => {
    const { open, pluginOf, store, cacheDir } = makeCacheFixture();
    const first = open();
    store(first, 'p.js');
    first.save();
    for (const name of readdirSync(cacheDir)) writeFileSync(join(cacheDir, name), text);
    const second = open();
    expect(second.find(pluginOf('p.js'))).toBeUndefined();
    store(second, 'p.js');
    second.save();
    expect(open().find(pluginOf('p.js'))).toBeDefined();
  },
);

it('is not used where its file was edited by hand', () => {
  const { open, pluginOf, store, cacheDir } = makeCacheFixture();
  const first = open();
  store(first, 'p.js');
  first.save();
  const [file] = readdirSync(cacheDir).map((name) => join(cacheDir, name));
  const text = readFileSync(file!, 'utf8');
  writeFileSync(file!, text.replace('"name":"t"', '"name":5'));
  expect(open().find(pluginOf('p.js'))).toBeUndefined();
  writeFileSync(file!, text);
  expect(open().find(pluginOf('p.js'))).toBeDefined();
});

it('forgets what no one asked for by the time all plugins have loaded, and what it is told to', async () => {
  const { open, pluginOf, store } = makeCacheFixture();
  const first = open();
  for (const name of ['p.js', 'q.js']) store(first, name);
  first.save();
  const second = open();
  second.find(pluginOf('p.js'));
  second.save();
  expect(open().find(pluginOf('q.js'))).toBeDefined();
  await second.verify();
  second.save();
  const third = open();
  expect(third.find(pluginOf('q.js'))).toBeUndefined();
  expect(third.find(pluginOf('p.js'))).toBeDefined();
  third.delete(pluginOf('p.js'));
  third.save();
  expect(open().find(pluginOf('p.js'))).toBeUndefined();
});

it('tells which contents changed although sizes and times are the same', async () => {
  const { open, pluginOf, store, cacheDir } = makeCacheFixture();
  const first = open();
  for (const name of ['p.js', 'q.js']) store(first, name);
  expect(await first.verify()).toEqual([]);
  first.save();
  const [file] = readdirSync(cacheDir).map((name) => join(cacheDir, name));
  const kept: [string, CachedDefinition][] = JSON.parse(readFileSync(file!, 'utf8')).plugins;
  const other = kept.map(([path, { hash, ...rest }]) => {
    return [path, path.endsWith('p.js') ? { ...rest, hash: 'other' } : rest] as const;
  });
  writeFileSync(file!, sealed(other));
  const second = open();
  for (const name of ['p.js', 'q.js']) second.find(pluginOf(name));
  expect(await second.verify()).toEqual([pluginOf('p.js').path]);
  expect(second.find(pluginOf('p.js'))).toBeUndefined();
  expect(second.find(pluginOf('q.js'))?.hash).toMatch(/^[0-9a-f]{64}$/);
});

it('is written by itself a moment after a change, and not without one', () => {
  vi.useFakeTimers();
  try {
    const { open, store, cacheDir } = makeCacheFixture();
    const first = open();
    first.save();
    expect(existsSync(cacheDir)).toBe(false);
    store(first, 'p.js');
    vi.advanceTimersByTime(1000);
    expect(readdirSync(cacheDir)).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

it('clears away lists of long ago and nothing else, and leaves no half-written file', () => {
  const { open, store, cacheDir } = makeCacheFixture();
  mkdirSync(cacheDir, { recursive: true });
  const old = ['plugins-0123456789abcdef.json', 'plugins-0123456789abcdef.json.aa', 'other.json'];
  for (const name of [...old, 'plugins-fedcba9876543210.json']) writeFileSync(join(cacheDir, name), '[]');
  for (const name of old) utimesSync(join(cacheDir, name), 1, 1);
  const first = open();
  store(first, 'p.js');
  first.save();
  const left = readdirSync(cacheDir);
  expect(left).toHaveLength(3);
  expect(left).toEqual(expect.arrayContaining(['other.json', 'plugins-fedcba9876543210.json']));
});

it('costs a warning only when it cannot be written, and nothing without a folder', () => {
  const { root, pluginOf } = makeCacheFixture();
  const plugin = pluginOf('p.js');
  for (const cacheDir of [join(root, 'p.js'), undefined]) {
    log.warn.mockClear();
    const cache = new DefinitionCache({ cacheDir, key: () => 1, ownSettings: () => undefined, log });
    cache.set(plugin, fingerprint(plugin), DEFINITION);
    cache.save();
    expect(cache.find(plugin)).toBeDefined();
    expect(log.warn).toHaveBeenCalledTimes(cacheDir === undefined ? 0 : 1);
  }
});
