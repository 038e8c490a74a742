import { truncateSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseAssembly } from '../../../src/plugins/find/assembly.js';
import { findPlugins } from '../../../src/plugins/find/discover-plugins.js';
import { isDotnetPlugin } from '../../../src/plugins/find/plugin-assembly.js';
import { contentHash, fingerprint } from '../../../src/plugins/load/fingerprint.js';
import { moduleProblem } from '../../../src/plugins/load/module-size.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';
import { makeTree } from '../../make-tree.js';
import { makeAssembly, makeNative } from '../find/make-assembly.js';

/** More than a Buffer or a string can hold, so that reading it would fail. It takes no room on the disk. */
const GIGABYTES = 9_000_000_000;

/** A folder with these files, of which those that are named become gigabytes long. */
function treeWith(files: Record<string, string | Buffer>, ...large: string[]) {
  const root = makeTree(files);
  for (const path of large) truncateSync(join(root, path), GIGABYTES);
  return root;
}

const loadProblemOf = (root: string, entry: string) =>
  moduleProblem(fingerprint({ entry: join(root, entry), root: join(root, 'p') }), DEFAULT_LIMITS);

describe('code of gigabytes is refused by its size', () => {
  it.each([
    ['as the entry', { 'p/index.mjs': '' }, 'p/index.mjs', 'p/index.mjs'],
    ['where the entry imports it', { 'p/index.mjs': "import './b.mjs';", 'p/b.mjs': '' }, 'p/index.mjs', 'p/b.mjs'],
    [
      'where an import leads to it by another file',
      { 'p/index.ts': "import './a';", 'p/a.ts': "export * from './b.js'", 'p/b.ts': '' },
      'p/index.ts',
      'p/b.ts',
    ],
    [
      'where it is required as JSON',
      { 'p/index.cjs': "require('./b.json');", 'p/b.json': '' },
      'p/index.cjs',
      'p/b.json',
    ],
    ['as an assembly', { 'p/p.dll': makeAssembly({ references: ['Other'] }) }, 'p/p.dll', 'p/p.dll'],
    [
      'as an assembly that the plugin refers to',
      { 'p/p.dll': makeAssembly({ references: ['Other'] }), 'p/Other.dll': makeAssembly() },
      'p/p.dll',
      'p/Other.dll',
    ],
  ])('%s', (_, files, entry, large) => {
    const root = treeWith(files as Record<string, string>, large);
    expect(loadProblemOf(root, entry)).toEqual({
      severity: 'error',
      code: 'LIMIT_EXCEEDED',
      message: `The file '${join(root, large)}' has 9,000,000,000 bytes; Plugins.Limits.ModuleBytes allows 67,108,864`,
      hint: 'Reduce it, or raise Plugins.Limits.ModuleBytes if you trust the plugin.',
      location: { file: join(root, large) },
    });
  });

  it('and code whose imports name too many files, however few of them exist', () => {
    const imports = (count: number) => Array.from({ length: count }, (_, at) => `import './gone-${at}.js';`).join('\n');
    const root = makeTree({ 'p/index.mjs': imports(10_001) });
    expect(loadProblemOf(root, 'p/index.mjs')).toMatchObject({
      code: 'LIMIT_EXCEEDED',
      message: expect.stringContaining('imports more than 10,000 different files by relative names'),
      location: { file: join(root, 'p/index.mjs') },
    });
  });

  it('but not code that imports the same file many times', () => {
    const root = makeTree({ 'p/index.mjs': "import './b.js';\n".repeat(50_000), 'p/b.js': '' });
    expect(loadProblemOf(root, 'p/index.mjs')).toBeUndefined();
  });

  it('but not data beside the code, which is known by its times', async () => {
    const root = treeWith({ 'p/index.mjs': '', 'p/model.bin': '' }, 'p/model.bin');
    expect(loadProblemOf(root, 'p/index.mjs')).toBeUndefined();
    expect(await contentHash(fingerprint({ entry: join(root, 'p/index.mjs'), root: join(root, 'p') }).files)).toMatch(
      /^[0-9a-f]{64}$/,
    );
  });

  it('and a package.json too, whose plugin says so', () => {
    const root = treeWith({ 'plugins/p/package.json': '{}', 'plugins/p/index.js': '' }, 'plugins/p/package.json');
    const [found, ...more] = findPlugins(join(root, 'plugins')).candidates;
    expect(more).toEqual([]);
    expect(found).not.toHaveProperty('entry');
    expect(found?.problems).toMatchObject([
      { code: 'LIMIT_EXCEEDED', message: expect.stringContaining('1,048,576 are allowed') },
    ]);
  });

  it('but a native library of gigabytes is ignored as smaller ones are, by its beginning', () => {
    const root = treeWith({ 'native.dll': makeNative(), 'plugin.dll': 'MZ' }, 'native.dll', 'plugin.dll');
    expect(isDotnetPlugin(join(root, 'native.dll'))).toBe(false);
    expect(isDotnetPlugin(join(root, 'plugin.dll'))).toBe(true);
  });

  it('and what lies behind the beginning of an assembly is not known', () => {
    const whole = makeAssembly({ references: ['Other'] });
    expect(parseAssembly(whole.subarray(0, 0x210), GIGABYTES)).toEqual({ kind: 'large' });
    expect(parseAssembly(whole.subarray(0, 0x210))).toMatchObject({ kind: 'broken' });
  });
});
