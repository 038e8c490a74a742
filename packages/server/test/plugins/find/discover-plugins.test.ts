import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { basename, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../../../../test/support/workplace.js';
import { PLUGIN_KINDS } from '../../../src/core/plugin-kinds.js';
import { findPlugins } from '../../../src/plugins/find/discover-plugins.js';
import { makeTree } from '../../make-tree.js';
import { makeAssembly, makeNative } from './make-assembly.js';

const ABSTRACTIONS = 'McpServer.Plugin.Abstractions';
const PLUGIN = makeAssembly({ references: ['System.Runtime', ABSTRACTIONS] });

/** Finds the plugins in `plugins/` of a new tree. */
function findIn(files: Record<string, string | Buffer>) {
  const directory = join(makeTree({ 'plugins/.keep': '', ...prefixed(files) }), 'plugins');
  return { directory, ...findPlugins(directory) };
}

function prefixed(files: Record<string, string | Buffer>): Record<string, string | Buffer> {
  return Object.fromEntries(Object.entries(files).map(([path, text]) => [`plugins/${path}`, text]));
}

/** The one candidate of a tree, with its entry relative to the plugins folder. */
function theOne(files: Record<string, string | Buffer>) {
  const { directory, candidates } = findIn(files);
  expect(candidates).toHaveLength(1);
  const { name, entry, root, problems, nameStyle, kind } = candidates[0]!;
  return {
    name,
    entry: entry?.slice(directory.length + 1),
    codes: problems.map(({ code }) => code),
    problems,
    nameStyle,
    root,
    kind,
  };
}

const EXTENSIONS = PLUGIN_KINDS.module.extensions.map((extension) => extension.slice(1));

describe('files', () => {
  it('are of the kinds that docs/spec/plugins.md#candidates names', () => {
    const [page, anchor] = 'docs/spec/plugins.md#candidates'.split('#');
    const text = readFileSync(join(ROOT, page!), 'utf8');
    const [, names = ''] = new RegExp(`<a id="${anchor}"></a>[^]*?a file \`([^\`]*)\``).exec(text) ?? [];
    const extensions = Object.values(PLUGIN_KINDS).flatMap((kind): readonly string[] => kind.extensions);
    expect(names.split(' ').sort()).toEqual(extensions.map((extension) => `*${extension}`).sort());
  });

  it.each(EXTENSIONS)('takes a .%s file', (extension) => {
    expect(theOne({ [`a.${extension}`]: '' })).toMatchObject({ name: 'a', entry: `a.${extension}`, codes: [] });
  });

  it('takes a .dll that refers to the contract of C# plugins', () => {
    expect(theOne({ 'Weather.dll': PLUGIN })).toMatchObject({
      name: 'Weather',
      entry: 'Weather.dll',
      kind: 'dotnet',
      root: undefined,
    });
  });

  it.each([
    ['a native library', 'sqlite3.dll', makeNative()],
    ['a dependency', 'Newtonsoft.Json.dll', makeAssembly({ name: 'Newtonsoft.Json', references: ['System.Runtime'] })],
    ['the contract itself', 'McpServer.Plugin.Abstractions.dll', makeAssembly({ name: ABSTRACTIONS })],
  ])('ignores %s', (_, name, bytes) => {
    expect(findIn({ [name]: bytes }).candidates).toEqual([]);
  });

  it.each([
    ['empty', Buffer.alloc(0)],
    ['half written', PLUGIN.subarray(0, PLUGIN.length - 1)],
    ['no library', Buffer.from('<html>404</html>')],
  ])('takes a .dll that is %s, for what loads it to say so', (_, bytes) => {
    expect(theOne({ 'Weather.dll': bytes })).toMatchObject({ entry: 'Weather.dll', kind: 'dotnet', codes: [] });
  });

  it.each([
    'x.d.ts',
    'x.d.mts',
    'x.d.cts',
    'x.test.js',
    'x.spec.ts',
    'vite.config.mjs',
    '_helper.js',
    '.hidden.js',
    'README.md',
    'data.json',
    'x.tsx',
    'x.JS',
    'node_modules/index.js',
    '_lib/index.js',
    '.git/index.js',
    'a.test.d/index.js',
  ])('ignores %s', (path) => {
    expect(findIn({ [path]: '' }).candidates).toEqual([]);
  });

  it.each([
    ['js', 'ts'],
    ['mjs', 'mts'],
    ['cjs', 'cts'],
  ])('ignores a .%s beside its .%s', (built, source) => {
    expect(theOne({ [`a.${built}`]: '', [`a.${source}`]: '' }).entry).toBe(`a.${source}`);
  });

  it('keeps a .js beside another .ts', () => {
    expect(findIn({ 'a.js': '', 'b.ts': '' }).candidates.map(({ name }) => name)).toEqual(['a', 'b']);
  });

  it('is in the order of names, whatever the extension or the kind', () => {
    const { candidates } = findIn({ 'b.js': '', 'a.ts': '', 'c/index.js': '', 'B.mjs': '', 'a-b.cjs': '' });
    expect(candidates.map(({ name }) => name)).toEqual(['B', 'a', 'a-b', 'b', 'c']);
  });

  it('keeps what is before the extension as the name, dots included', () => {
    expect(theOne({ 'weather.v2.js': '' }).name).toBe('weather.v2');
    expect(theOne({ 'weather.v2/index.js': '' }).name).toBe('weather.v2');
  });
});

describe('folders', () => {
  it.each(EXTENSIONS)('takes index.%s', (extension) => {
    expect(theOne({ [`p/index.${extension}`]: '' })).toMatchObject({ name: 'p', entry: `p/index.${extension}` });
  });

  it.each<[string, object | string, string]>([
    ['main', { main: 'lib/a.js' }, 'p/lib/a.js'],
    ['main without its extension', { main: './lib/a' }, 'p/lib/a.js'],
    ['main that is a folder', { main: 'sub' }, 'p/sub/index.js'],
    ['index, where main is missing on disk', { main: 'dist/gone.js' }, 'p/index.js'],
    ['index, where there is no main', {}, 'p/index.js'],
    ['index, where main is not text', { main: 3 }, 'p/index.js'],
    ['exports before main', { exports: './lib/a.js', main: 'index.js' }, 'p/lib/a.js'],
    ['exports of "."', { exports: { '.': './lib/a.js', './b': './b.js' } }, 'p/lib/a.js'],
    [
      'exports by condition, the first that matches',
      { exports: { types: './a.d.ts', browser: './b.js', import: './lib/a.js', default: './index.js' } },
      'p/lib/a.js',
    ],
    [
      'exports by nested conditions',
      { exports: { '.': { node: { import: { default: './lib/a.js' } }, default: './index.js' } } },
      'p/lib/a.js',
    ],
    ['exports that has only require', { exports: { require: './lib/a.js' } }, 'p/lib/a.js'],
    ['the first usable target of a list', { exports: [{ browser: './b.js' }, './lib/a.js'] }, 'p/lib/a.js'],
    ['a package.json that begins with a byte order mark', '\uFEFF{"main": "lib/a.js"}', 'p/lib/a.js'],
  ])('takes %s', (_, json, entry) => {
    const text = typeof json === 'string' ? json : JSON.stringify(json);
    const files = { 'p/package.json': text, 'p/index.js': '', 'p/lib/a.js': '', 'p/sub/index.js': '' };
    expect(theOne(files)).toMatchObject({ entry, codes: [] });
  });

  it.each<[string, object, string]>([
    ['neither names an entry nor has an index', {}, 'no entry point'],
    ['names a main that is missing', { main: 'dist/x.js' }, "'dist/x.js'"],
    ['names an export that is missing', { exports: './dist/x.js', main: 'there.js' }, "'./dist/x.js'"],
    ['exports nothing for "."', { exports: { './a': './there.js' } }, '"."'],
    ['takes its entry back', { exports: { '.': null } }, '"."'],
    ['names an export without ./', { exports: 'there.js' }, "'./'"],
  ])('refuses a package.json that %s', (_, json, mentions) => {
    const { problems, entry } = theOne({ 'p/package.json': JSON.stringify(json), 'p/there.js': '' });
    expect(entry).toBeUndefined();
    expect(problems).toMatchObject([
      {
        code: 'PLUGIN_ENTRY_MISSING',
        message: expect.stringContaining(mentions),
        hint: expect.stringContaining('package.json'),
      },
    ]);
    expect(problems[0]!.location.file).toMatch(/p[\\/]package\.json$/);
  });

  it.each<[string, string, number, number]>([
    ['broken JSON', '{\n  "main": "a.js"\n  "type": "module"\n}', 3, 3],
    ['a comment', '{\n  // no\n}', 2, 3],
    ['a list', '[]', 1, 1],
    ['nothing at all', '', 1, 1],
  ])('refuses a package.json with %s, with the place', (_, text, line, column) => {
    const { problems } = theOne({ 'p/package.json': text, 'p/index.js': '' });
    expect(problems).toMatchObject([{ code: 'PLUGIN_PACKAGE_INVALID', severity: 'error', location: { line, column } }]);
  });

  it.each<Record<string, string>>([{ 'p/README.md': '' }, { 'p/lib/a.js': '' }, { 'p/one.dll': '' }])(
    'ignores a folder with nothing of ours: %o',
    (files) => {
      expect(findIn(files).candidates).toEqual([]);
    },
  );

  it.each<[string, Record<string, string | Buffer>, string]>([
    ['<folder>.dll', { 'p/p.dll': PLUGIN, 'p/other.dll': PLUGIN }, 'p/p.dll'],
    ['one *.deps.json', { 'p/Tools.deps.json': '{}', 'p/Tools.dll': PLUGIN, 'p/Json.dll': PLUGIN }, 'p/Tools.dll'],
    ['*.deps.json while its .dll is being written', { 'p/Tools.deps.json': '{}' }, 'p/Tools.dll'],
    ['the .dll that main names', { 'p/package.json': '{"main": "Other.dll"}', 'p/Other.dll': PLUGIN }, 'p/Other.dll'],
    ['<folder>.dll in spite of a package.json', { 'p/package.json': '{}', 'p/p.dll': PLUGIN }, 'p/p.dll'],
  ])('takes %s alone', (_, files, entry) => {
    expect(theOne(files)).toMatchObject({ name: 'p', entry, kind: 'dotnet', codes: [] });
  });

  it('takes a module before an assembly', () => {
    expect(theOne({ 'p/index.js': '', 'p/p.dll': PLUGIN })).toMatchObject({ entry: 'p/index.js', kind: 'module' });
  });

  it('ignores a program in C# that is not a plugin', () => {
    const program = makeAssembly({ name: 'p', references: ['System.Runtime'] });
    expect(findIn({ 'p/p.dll': program, 'p/p.deps.json': '{}' }).candidates).toEqual([]);
  });

  it('does not guess between two C# programs', () => {
    expect(findIn({ 'p/a.deps.json': '{}', 'p/b.deps.json': '{}' }).candidates).toEqual([]);
  });

  it('reads mortise.nameStyle, and warns of one that does not exist', () => {
    const withStyle = (nameStyle: unknown) =>
      theOne({ 'p/package.json': JSON.stringify({ mortise: { nameStyle } }), 'p/index.js': '' });
    expect(withStyle('exact')).toMatchObject({ nameStyle: 'exact', codes: [] });
    expect(withStyle('dotted')).toMatchObject({
      nameStyle: undefined,
      problems: [{ code: 'PLUGIN_PACKAGE_INVALID', severity: 'warning' }],
    });
  });
});

describe('links', () => {
  function withLink(name: string, target: string) {
    const root = makeTree({
      'elsewhere/lib.js': '',
      'elsewhere/folder/index.js': '',
      'plugins/.keep': '',
      'index.js': '',
    });
    symlinkSync(target, join(root, 'plugins', name));
    return findPlugins(join(root, 'plugins')).candidates;
  }

  it('follows a link to a file and to a folder', () => {
    expect(withLink('a.js', '../elsewhere/lib.js')).toMatchObject([{ name: 'a', problems: [] }]);
    expect(basename(withLink('b', '../elsewhere/folder')[0]!.entry!)).toBe('index.js');
  });

  it.each([
    ['gone.js', '../nowhere.js', 'does not exist'],
    ['self.js', 'self.js', 'leads back to itself'],
    ['here', '.', 'leads back to itself'],
    ['above', '..', 'leads back to itself'],
  ])('refuses %s, a link to %s', (name, target, mentions) => {
    const [candidate] = withLink(name, target);
    expect(candidate).toMatchObject({
      problems: [{ code: 'PLUGIN_UNREADABLE', message: expect.stringContaining(mentions) }],
    });
    expect(candidate!.entry).toBeUndefined();
  });

  it('ignores a broken link that would be not a plugin', () => {
    expect(withLink('notes.txt', '../nowhere.txt')).toEqual([]);
  });
});

describe('the plugins folder', () => {
  it('may be missing, with a hint how to make one', () => {
    const directory = join(makeTree({}), 'plugins');
    expect(findPlugins(directory)).toMatchObject({
      candidates: [],
      problems: [
        {
          severity: 'warning',
          code: 'PLUGIN_UNREADABLE',
          hint: expect.stringContaining('mortise new'),
          location: { file: directory },
        },
      ],
    });
  });

  it('is refused when it is a file', () => {
    const file = join(makeTree({ 'a.js': '' }), 'a.js');
    expect(findPlugins(file)).toMatchObject({
      candidates: [],
      problems: [{ severity: 'error', message: expect.stringContaining('is not a folder') }],
    });
  });

  it('is refused with the reason when it cannot be read', () => {
    const directory = join(makeTree({}), 'p'.repeat(300));
    expect(findPlugins(directory)).toMatchObject({
      problems: [{ severity: 'error', code: 'PLUGIN_UNREADABLE', message: expect.stringContaining('ENAMETOOLONG') }],
    });
  });

  it('may be empty', () => {
    const directory = join(makeTree({}), 'plugins');
    mkdirSync(directory);
    expect(findPlugins(directory)).toEqual({ candidates: [], problems: [] });
  });

  it('may have 1,000 plugins', () => {
    const files = Array.from({ length: 500 }, (_, i) => [
      [`a${i}.js`, ''],
      [`b${i}/package.json`, '{"main":"index.js"}'],
      [`b${i}/index.js`, ''],
    ]).flat();
    const directory = join(makeTree(prefixed(Object.fromEntries(files))), 'plugins');
    expect(findPlugins(directory).candidates).toHaveLength(1_000);
  });
});

describe('a folder that holds code and is not a plugin', () => {
  it.each([
    ['foo/main.mjs', 'foo', 'Name the file that is the plugin index.mjs, or add a package.json.'],
    ['Calc/Other.dll', 'Calc', 'Name the assembly Calc.dll.'],
  ])('is a warning with what is missing: %s', (file, name, hint) => {
    const { directory, candidates, problems } = findIn({ [file]: '' });
    expect(candidates).toEqual([]);
    expect(problems).toEqual([
      {
        severity: 'warning',
        code: 'PLUGIN_FOLDER_IGNORED',
        message: `The folder '${name}' is ignored: it has no package.json, index.* or ${name}.dll`,
        hint: `${hint} A folder whose name begins with _ is ignored without this warning.`,
        location: { file: join(directory, name) },
      },
    ]);
  });

  it.each(['data/cities.json', '_lib/main.mjs', 'node_modules/dep.js', 'tests/a.test.js', 'good/index.mjs'])(
    'is silent: %s',
    (file) => {
      expect(findIn({ [file]: '' }).problems).toEqual([]);
    },
  );
});
