import {
  chmodSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { PIN_FILE, readPinFile } from '../../../src/plugins/pins/pin-file.js';
import { PinStore } from '../../../src/plugins/pins/pin-store.js';
import { type PluginPins, pinTools } from '../../../src/plugins/pins/plugin-pins.js';
import { setUp } from './pin-stores.js';
import { asIs, temporaryFolder, tool } from './tools.js';

const pinsOf = (description: string): PluginPins => pinTools([tool('t', { description })], asIs);
const [one, two] = [pinsOf('one'), pinsOf('two')];

describe('a store of pins', () => {
  it('writes what was added in one go, and nothing before it is told to', async () => {
    const { folder, file, pins, store } = setUp();
    for (const key of ['./a', './b']) store.add(key, () => one);
    expect(store.get('./a')).toBe(one);
    expect(store.get('./c')).toBeUndefined();
    expect(readdirSync(folder)).toEqual([]);
    expect(await store.flush()).toBeUndefined();
    expect(pins()).toEqual(
      new Map([
        ['./a', one],
        ['./b', one],
      ]),
    );
    expect(readdirSync(folder)).toEqual([PIN_FILE]);
    const { mtimeMs } = statSync(file);
    expect(await store.flush()).toBeUndefined();
    expect(statSync(file).mtimeMs).toBe(mtimeMs);
  });

  it('makes the pins of a new plugin once, when they are needed', async () => {
    const { store } = setUp();
    let made = 0;
    store.add('./a', () => {
      made += 1;
      return one;
    });
    expect(made).toBe(0);
    store.get('./a');
    await store.flush();
    expect(made).toBe(1);
  });

  it('leaves to another server what that one pinned first, and replaces what is trusted', async () => {
    const { file, pins, store } = setUp();
    const other = new PinStore(file);
    for (const key of ['./first', './trusted']) {
      expect(store.get(key)).toBeUndefined();
      other.add(key, () => one);
    }
    await other.flush();
    store.add('./first', () => two);
    store.set('./trusted', two);
    await store.flush();
    expect(pins()).toEqual(
      new Map([
        ['./first', one],
        ['./trusted', two],
      ]),
    );
    expect(store.get('./first')).toEqual(one);
  });

  it('knows what another server wrote once it reads again', async () => {
    const { file, store } = setUp();
    expect(store.get('./a')).toBeUndefined();
    const other = new PinStore(file);
    other.add('./a', () => one);
    await other.flush();
    expect(store.get('./a')).toBeUndefined();
    store.reload();
    expect(store.get('./a')).toEqual(one);
  });

  it('makes the folder', async () => {
    const file = join(temporaryFolder(), 'new', 'folder', PIN_FILE);
    const store = new PinStore(file);
    store.add('./a', () => one);
    expect(await store.flush()).toBeUndefined();
    expect(readPinFile(file)).toEqual({ pins: new Map([['./a', one]]) });
  });

  it('writes through a symbolic link', async () => {
    const { folder, file, store } = setUp();
    mkdirSync(join(folder, 'dotfiles'));
    const target = join(folder, 'dotfiles', 'pins.json');
    writeFileSync(target, '{"version": 1, "plugins": {}}');
    symlinkSync(target, file);
    store.add('./a', () => one);
    expect(await store.flush()).toBeUndefined();
    expect(readPinFile(target)).toEqual({ pins: new Map([['./a', one]]) });
    expect(readdirSync(dirname(target))).toEqual(['pins.json']);
  });

  it('never overwrites a file that it cannot read', async () => {
    const { folder, file, store } = setUp();
    store.add('./a', () => one);
    writeFileSync(file, '{"version": 1,');
    expect(await store.flush()).toMatchObject({ code: 'PIN_FILE_INVALID', location: { line: 1, column: 15 } });
    expect(readFileSync(file, 'utf8')).toBe('{"version": 1,');
    expect(readdirSync(folder)).toEqual([PIN_FILE]);
    expect(new PinStore(file).problem()).toMatchObject({ code: 'PIN_FILE_INVALID' });
  });

  it('writes what it could not write before as soon as it can', async () => {
    const { file, pins, store } = setUp();
    writeFileSync(file, 'broken');
    store.add('./a', () => one);
    expect(await store.flush()).toBeDefined();
    writeFileSync(file, '{"version": 1, "plugins": {}}');
    expect(await store.flush()).toBeUndefined();
    expect(pins()).toEqual(new Map([['./a', one]]));
  });

  it.skipIf(process.platform === 'win32' || process.getuid?.() === 0)(
    'knows its pins although the folder is read-only, and says that they are not kept',
    async () => {
      const { folder, file, store } = setUp();
      chmodSync(folder, 0o500);
      store.add('./a', () => one);
      expect(await store.flush()).toMatchObject({
        severity: 'warning',
        code: 'PIN_FILE_NOT_WRITTEN',
        message: expect.stringContaining('(EACCES)'),
        hint: expect.stringContaining('writable'),
        location: { file },
      });
      expect(store.get('./a')).toBe(one);
      chmodSync(folder, 0o700);
    },
  );

  it('says that the folder cannot be made', async () => {
    const folder = temporaryFolder();
    writeFileSync(join(folder, 'in-the-way'), '');
    const store = new PinStore(join(folder, 'in-the-way', PIN_FILE));
    store.add('./a', () => one);
    expect(await store.flush()).toMatchObject({
      code: 'PIN_FILE_NOT_WRITTEN',
      hint: expect.stringContaining('writable'),
    });
  });
});

describe('servers that write at the same time', () => {
  it('wait for each other, and name what to delete when no one comes', async () => {
    const { file, store } = setUp();
    writeFileSync(`${file}.new`, '');
    store.add('./a', () => one);
    expect(await store.flush()).toMatchObject({
      code: 'PIN_FILE_NOT_WRITTEN',
      hint: expect.stringContaining(`delete ${file}.new`),
    });
    expect(readdirSync(dirname(file))).toEqual([`${PIN_FILE}.new`]);
  });

  it('take over from one that died', async () => {
    const { file, pins, store } = setUp();
    writeFileSync(`${file}.new`, '{"half');
    utimesSync(`${file}.new`, 0, 0);
    store.add('./a', () => one);
    expect(await store.flush()).toBeUndefined();
    expect(pins()).toEqual(new Map([['./a', one]]));
    expect(readdirSync(dirname(file))).toEqual([PIN_FILE]);
  });
});
