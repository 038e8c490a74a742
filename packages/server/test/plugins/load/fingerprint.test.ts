import { execFileSync } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, symlinkSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { contentHash, fingerprint, fingerprintInTurns, rehash } from '../../../src/plugins/load/fingerprint.js';
import { makeTree } from '../../make-tree.js';
import { makeAssembly } from '../find/make-assembly.js';

const names = (root: string, files: readonly string[]) => files.map((file) => file.slice(root.length + 1));

describe('the files of a plugin', () => {
  it('follows a folder to what its package.json names', () => {
    const root = makeTree({
      'p.cjs': `require('./lib'); require('./other');`,
      'lib/package.json': '{ "main": "src/start" }',
      'lib/src/start.js': '',
      'other/package.json': '{ broken',
      'other/index.js': '',
    });
    expect(names(root, fingerprint({ entry: join(root, 'p.cjs') }).files)).toEqual([
      'lib/package.json',
      'lib/src/start.js',
      'other/index.js',
      'p.cjs',
    ]);
  });

  it('are its own and what it imports by relative names, and what those import', () => {
    const root = makeTree({
      'p.ts': `import a from './lib/a.js';\nexport * from "./b";\nrequire('./c.cjs'); import('./gone.js'); import 'zod'; require(\`./t.cjs\`); require('./words'); require('./e');`,
      'lib/a.ts': `import ( '../d' );`,
      'b/index.ts': '',
      'c.cjs': `require('./p.ts'); require('./data.json')`,
      'd.mjs': '',
      'e/index.cjs': '',
      't.cjs': '',
      'words.json': '{}',
      'data.json': '{}',
      'other.ts': '',
    });
    const { files } = fingerprint({ entry: join(root, 'p.ts') });
    expect(names(root, files)).toEqual([
      'b/index.ts',
      'c.cjs',
      'd.mjs',
      'data.json',
      'e/index.cjs',
      'lib/a.ts',
      'p.ts',
      't.cjs',
      'words.json',
    ]);
  });

  it('are found while others are served, however many imports there are', async () => {
    const imports = Array.from({ length: 2000 }, (_, at) => `import './gone-${at}.js';`).join('\n');
    const plugin = { entry: join(makeTree({ 'p.mjs': imports }), 'p.mjs') };
    let isFound = false;
    let turns = 0;
    const found = fingerprintInTurns(plugin).finally(() => {
      isFound = true;
    });
    while (!isFound) {
      turns += 1;
      await new Promise(setImmediate);
    }
    expect(await found).toEqual(fingerprint(plugin));
    expect(turns).toBeGreaterThan(3);
  });

  it('are everything in its folder, and what it imports from outside', () => {
    const root = makeTree({
      'p/index.js': `import '../shared.js'`,
      'p/deep/er/words.txt': '',
      'p/node_modules/x/index.js': '',
      'p/.cache/x': '',
      'shared.js': '',
    });
    const { files } = fingerprint({ entry: join(root, 'p/index.js'), root: join(root, 'p') });
    expect(names(root, files)).toEqual(['p/deep/er/words.txt', 'p/index.js', 'shared.js']);
  });

  it('include where a link leads, for its relative names start there', () => {
    const root = makeTree({ 'real/p.js': `require('./helper.js')`, 'real/helper.js': '', 'plugins/x': '' });
    symlinkSync(join(root, 'real/p.js'), join(root, 'plugins/p.js'));
    const { files } = fingerprint({ entry: join(root, 'plugins/p.js') });
    expect(names(root, files)).toEqual(['plugins/p.js', 'real/helper.js', 'real/p.js']);
  });

  it.each(['a file', 'a folder'])(
    'are those of a C# plugin that is %s, which are unchanged until one changes',
    (kind) => {
      const root = makeTree({ 'p/Tool.dll': makeAssembly({ references: ['Json'] }), 'p/Other.dll': '' });
      const plugin = { entry: join(root, 'p/Tool.dll'), ...(kind === 'a folder' && { root: join(root, 'p') }) };
      const { files, stateHash } = fingerprint(plugin);
      expect(rehash(plugin, files)).toBe(stateHash);
      writeFileSync(join(root, 'p/Json.dll'), makeAssembly());
      expect(rehash(plugin, files)).not.toBe(stateHash);
      const withIt = fingerprint(plugin);
      writeFileSync(join(root, 'p/Other.dll'), 'changed');
      expect(rehash(plugin, withIt.files) === withIt.stateHash).toBe(kind === 'a file');
    },
  );

  it('may be unreadable, go in circles or be gone', () => {
    const root = makeTree({ 'p/index.js': `import './index.js'` });
    symlinkSync(join(root, 'p/loop'), join(root, 'p/loop'));
    const entry = { entry: join(root, 'p/index.js'), root: join(root, 'p') };
    expect(names(root, fingerprint(entry).files)).toEqual(['p/index.js', 'p/loop']);
    rmSync(join(root, 'p'), { recursive: true });
    expect(names(root, fingerprint(entry).files)).toEqual(['p/index.js']);
  });
});

const CHANGES: Record<string, (root: string) => void> = {
  'other contents of the same size at the same time': (root) => {
    writeFileSync(join(root, 'p/words.js'), 'new');
    utimesSync(join(root, 'p/words.js'), 1, 1);
  },
  'another size': (root) => writeFileSync(join(root, 'p/words.js'), 'longer'),
  'another file in its place': (root) => {
    writeFileSync(join(root, 'other'), 'old');
    utimesSync(join(root, 'other'), 1, 1);
    renameSync(join(root, 'other'), join(root, 'p/words.js'));
  },
  'a new file': (root) => writeFileSync(join(root, 'p/new.js'), ''),
  'a file less': (root) => rmSync(join(root, 'p/words.js')),
  'a change of what it imports from outside': (root) => writeFileSync(join(root, 'shared.js'), '1'),
  'a change of what it imports from a folder that is ignored': (root) =>
    writeFileSync(join(root, 'p/.made/table.js'), '1'),
};

describe('the stamp of a plugin', () => {
  const make = () => {
    const root = makeTree({
      'p/index.js': `import '../shared.js'; import './.made/table.js';`,
      'p/.made/table.js': '',
      'p/words.js': 'old',
      'shared.js': '',
    });
    utimesSync(join(root, 'p/words.js'), 1, 1);
    return { root, plugin: { entry: join(root, 'p/index.js'), root: join(root, 'p') } };
  };

  it('is the same as long as nothing was written', () => {
    const { root, plugin } = make();
    const { files, stateHash } = fingerprint(plugin);
    writeFileSync(join(root, 'unrelated.js'), '');
    expect(rehash(plugin, files)).toBe(stateHash);
    expect(fingerprint(plugin)).toMatchObject({ files, stateHash });
  });

  it.each(Object.keys(CHANGES))('is another after %s', (change) => {
    const { root, plugin } = make();
    const { files, stateHash } = fingerprint(plugin);
    CHANGES[change]!(root);
    expect(rehash(plugin, files)).not.toBe(stateHash);
    expect(fingerprint(plugin).stateHash).not.toBe(stateHash);
  });
});

describe('the hash of contents', () => {
  it('goes by what the files hold, and which file holds it', async () => {
    const root = makeTree({ a: 'one', b: 'two', c: 'absent' });
    const files = [join(root, 'a'), join(root, 'b')];
    const hash = await contentHash(files);
    utimesSync(files[0]!, 1, 1);
    expect(await contentHash(files)).toBe(hash);
    expect(await contentHash([...files].reverse())).not.toBe(hash);
    writeFileSync(files[0]!, 'two');
    expect(await contentHash(files)).not.toBe(hash);
    mkdirSync(join(root, 'folder'));
    expect(await contentHash([join(root, 'folder'), join(root, 'gone')])).toMatch(/^[0-9a-f]{64}$/);
  });

  it('does not read what is large: its times are enough', async () => {
    const root = makeTree({ 'a.bin': '', b: 'one' });
    const [large, small] = [join(root, 'a.bin'), join(root, 'b')];
    truncateSync(large, 1.5 * 2 ** 30);
    const before = process.memoryUsage().rss;
    let most = before;
    const timer = setInterval(() => {
      most = Math.max(most, process.memoryUsage().rss);
    }, 5);
    const hash = await contentHash([large, small]);
    clearInterval(timer);
    expect(most - before).toBeLessThan(200e6);
    expect(await contentHash([large, small])).toBe(hash);
    writeFileSync(small, 'two');
    const other = await contentHash([large, small]);
    expect(other).not.toBe(hash);
    utimesSync(large, 1, 1);
    expect(await contentHash([large, small])).not.toBe(other);
  });

  it.skipIf(process.platform === 'win32')('does not wait for what is not a file', async () => {
    const root = makeTree({ a: 'one' });
    execFileSync('mkfifo', [join(root, 'pipe'), join(root, 'Some.dll')]);
    symlinkSync('/dev/zero', join(root, 'zero'));
    const files = ['a', 'pipe', 'Some.dll', 'zero'].map((name) => join(root, name));
    expect(await contentHash(files)).toBe(await contentHash(files));
    writeFileSync(join(root, 'entry.dll'), makeAssembly({ references: ['Some'] }));
    expect(names(root, fingerprint({ entry: join(root, 'entry.dll') }).files)).toContain('Some.dll');
  });
});
