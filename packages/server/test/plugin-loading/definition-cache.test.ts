import { existsSync, mkdirSync, readdirSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PluginDefinition } from '@mortise/plugin/runtime';
import { expect, it, vi } from 'vitest';
import { createDefinitionCache } from '../../src/plugin-loading/definition-cache.js';
import { fingerprint } from '../../src/plugin-loading/fingerprint.js';
import { makeTree } from '../make-tree.js';

const DEFINITION: PluginDefinition = {
  tools: [{ name: 't', inputSchema: { type: 'object' }, origin: 'registerTool' }],
  resources: [],
  prompts: [],
  problems: [],
};

const quiet = () => {};
const log = { trace: quiet, debug: quiet, info: quiet, warn: vi.fn(), error: quiet };

function makePlace() {
  const root = makeTree({ 'p.js': 'one', 'q.js': 'two' });
  const cacheDir = join(root, 'deep/cache');
  const open = (key: unknown = 'key') => createDefinitionCache({ cacheDir, key, log });
  const placeOf = (name: string) => ({ path: join(root, name), entry: join(root, name) });
  const keep = (remembered: ReturnType<typeof open>, name: string) => {
    const place = placeOf(name);
    remembered.keep(place, fingerprint(place), DEFINITION);
  };
  return { root, cacheDir, open, placeOf, keep };
}

it('finds at the next start what was kept, until a file is written', () => {
  const { open, placeOf, keep, root } = makePlace();
  const first = open();
  expect(first.find(placeOf('p.js'))).toBeUndefined();
  keep(first, 'p.js');
  first.save();
  const second = open();
  expect(second.find(placeOf('p.js'))).toMatchObject({ definition: DEFINITION, files: [join(root, 'p.js')] });
  expect(second.find(placeOf('q.js'))).toBeUndefined();
  writeFileSync(join(root, 'p.js'), 'two');
  expect(second.find(placeOf('p.js'))).toBeUndefined();
});

it('is another list for other settings', () => {
  const { open, placeOf, keep } = makePlace();
  const first = open({ Config: { a: 1 } });
  keep(first, 'p.js');
  first.save();
  expect(open({ Config: { a: 2 } }).find(placeOf('p.js'))).toBeUndefined();
  expect(open({ Config: { a: 1 } }).find(placeOf('p.js'))).toBeDefined();
});

it('forgets what nobody asked for, and what it is told to', () => {
  const { open, placeOf, keep } = makePlace();
  const first = open();
  for (const name of ['p.js', 'q.js']) keep(first, name);
  first.save();
  const second = open();
  second.find(placeOf('p.js'));
  second.save();
  const third = open();
  expect(third.find(placeOf('q.js'))).toBeUndefined();
  expect(third.find(placeOf('p.js'))).toBeDefined();
  third.forget(placeOf('p.js'));
  third.save();
  expect(open().find(placeOf('p.js'))).toBeUndefined();
});

it('tells which contents changed although the files stand as they did', async () => {
  const { open, placeOf, keep, cacheDir } = makePlace();
  const first = open();
  for (const name of ['p.js', 'q.js']) keep(first, name);
  expect(await first.verify()).toEqual([]);
  first.save();
  const [file] = readdirSync(cacheDir).map((name) => join(cacheDir, name));
  const text = JSON.stringify(
    [placeOf('p.js'), placeOf('q.js')].map(({ path, entry }) => [
      path,
      { ...fingerprint({ entry }), hash: path.endsWith('p.js') ? 'other' : undefined, definition: DEFINITION },
    ]),
  );
  writeFileSync(file!, text);
  const second = open();
  expect(await second.verify()).toEqual([placeOf('p.js').path]);
  expect(second.find(placeOf('p.js'))).toBeUndefined();
  expect(second.find(placeOf('q.js'))?.hash).toMatch(/^[0-9a-f]{64}$/);
});

it('is written by itself a moment after a change, and not without one', () => {
  vi.useFakeTimers();
  try {
    const { open, keep, cacheDir } = makePlace();
    const first = open();
    first.save();
    expect(existsSync(cacheDir)).toBe(false);
    keep(first, 'p.js');
    vi.advanceTimersByTime(1000);
    expect(readdirSync(cacheDir)).toHaveLength(1);
  } finally {
    vi.useRealTimers();
  }
});

it('clears away lists of long ago and nothing else, and leaves no half-written file', () => {
  const { open, keep, cacheDir } = makePlace();
  mkdirSync(cacheDir, { recursive: true });
  const old = ['plugins-0123456789abcdef.json', 'plugins-0123456789abcdef.json.aa', 'other.json'];
  for (const name of [...old, 'plugins-fedcba9876543210.json']) writeFileSync(join(cacheDir, name), '[]');
  for (const name of old) utimesSync(join(cacheDir, name), 1, 1);
  const first = open();
  keep(first, 'p.js');
  first.save();
  const left = readdirSync(cacheDir);
  expect(left).toHaveLength(3);
  expect(left).toEqual(expect.arrayContaining(['other.json', 'plugins-fedcba9876543210.json']));
});

it('costs a warning only when it cannot be written, and nothing without a folder', () => {
  const { root, placeOf } = makePlace();
  const place = placeOf('p.js');
  for (const cacheDir of [join(root, 'p.js'), undefined]) {
    log.warn.mockClear();
    const remembered = createDefinitionCache({ cacheDir, key: 1, log });
    remembered.keep(place, fingerprint(place), DEFINITION);
    remembered.save();
    expect(remembered.find(place)).toBeDefined();
    expect(log.warn).toHaveBeenCalledTimes(cacheDir === undefined ? 0 : 1);
  }
});
