import { mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { built } from '../../built.js';
import { makeTree } from '../../make-tree.js';

const { loadModule } = built<typeof import('../../../src/plugins/load/load-module.js')>('plugins/load/load-module');

/** Loads `plugins/<entry>` of a tree. A plugin in a folder has that folder as its root. */
async function load(files: Record<string, string>, entry = Object.keys(files)[0]!) {
  const tree = makeTree(files);
  const [folder, ...rest] = entry.split('/').slice(1);
  const root = rest.length > 0 ? join(tree, 'plugins', folder!) : undefined;
  return { tree, ...(await loadModule(join(tree, entry), { root })) } as Awaited<ReturnType<typeof loadModule>> & {
    tree: string;
  };
}

async function exportsOf(files: Record<string, string>, entry?: string): Promise<Record<string, unknown>> {
  const loaded = await load(files, entry);
  if ('problem' in loaded) throw new Error(JSON.stringify(loaded.problem));
  const { default: whole, ...named } = loaded.namespace;
  return { ...(typeof whole === 'object' ? whole : { default: whole }), ...named };
}

async function loadProblemOf(files: Record<string, string>, entry?: string) {
  const loaded = await load(files, entry);
  if ('namespace' in loaded) throw new Error(`it did load: ${Object.keys(loaded.namespace)}`);
  const { location, ...rest } = loaded.problem;
  return { ...rest, location: { ...location, file: location.file.slice(loaded.tree.length + 1) } };
}

const COMMONJS = "const { sep } = require('node:path'); module.exports.value = sep && __filename ? 'loaded' : '';";
const ESM = "import { sep } from 'node:path'; export const value = sep && import.meta.url ? 'loaded' : '';";
const AWAITING = "export const value = await Promise.resolve('loaded');";
const MIXED = "import { sep } from 'node:path'; module.exports.value = sep && 'loaded';";
const REQUIRING = "const { sep } = require('node:path'); export const value = sep && 'loaded';";
const TYPESCRIPT = "interface A { v: string }\nconst a: A = { v: 'loaded' };\nexport const value: string = a.v;";
const ENUM = "enum E { A = 'loaded' }\nexport const value = E.A;";
const PARAMETER_PROPERTY = "class C { constructor(readonly v: string) {} }\nexport const value = new C('loaded').v;";

describe.each([
  ['no one says a type', {}],
  ['a folder above says "module"', { type: 'module' }],
  ['a folder above says "commonjs"', { type: 'commonjs' }],
  ['the package.json above is broken', undefined],
])('where %s', (_, above) => {
  const packageJson = above ? JSON.stringify(above) : '{ "type": ';

  it.each([
    ['a.js', 'CommonJS', COMMONJS],
    ['a.cjs', 'CommonJS', COMMONJS],
    ['a.js', 'ESM', ESM],
    ['a.mjs', 'ESM', ESM],
    ['a.js', 'ESM that awaits', AWAITING],
    ['a.js', 'import beside module.exports', MIXED],
    ['a.js', 'require beside export', REQUIRING],
    ['a.ts', 'TypeScript', TYPESCRIPT],
    ['a.mts', 'TypeScript', TYPESCRIPT],
    ['a.cts', 'TypeScript', TYPESCRIPT],
    [
      'a.ts',
      'TypeScript that requires',
      "const { sep } = require('node:path') as { sep: string };\nmodule.exports.value = sep && 'loaded';",
    ],
    ['a.ts', 'an enum', ENUM],
    ['a.ts', 'a parameter property', PARAMETER_PROPERTY],
  ])('loads %s: %s', async (file, _what, text) => {
    expect(await exportsOf({ [`plugins/${file}`]: text, 'package.json': packageJson })).toMatchObject({
      value: 'loaded',
    });
  });

  it('loads a folder whose helper files are CommonJS', async () => {
    const files = {
      'plugins/p/index.js': "module.exports.value = require('./helper.js').value;",
      'plugins/p/helper.js': COMMONJS,
      'package.json': packageJson,
    };
    expect(await exportsOf(files)).toMatchObject({ value: 'loaded' });
  });
});

it('leaves .mjs and .cjs to Node, whatever a folder above says', async () => {
  const files = {
    'plugins/a.mjs': "import { nope } from 'node:fs'; export const value = nope;",
    'package.json': '{"type":"commonjs"}',
  };
  expect(await loadProblemOf(files)).toMatchObject({
    code: 'PLUGIN_SYNTAX_ERROR',
    message: expect.stringContaining("'nope'"),
  });
});

describe('the type in a plugin’s own package.json', () => {
  it.each([
    ['module', ESM],
    ['commonjs', COMMONJS],
  ])('counts: %s', async (type, text) => {
    const files = { 'plugins/p/index.js': text, 'plugins/p/package.json': JSON.stringify({ type }) };
    expect(await exportsOf(files)).toMatchObject({ value: 'loaded' });
  });

  it('counts against the author, too', async () => {
    const problem = await loadProblemOf({
      'plugins/p/index.js': `\n${COMMONJS}`,
      'plugins/p/package.json': '{"type":"module"}',
    });
    expect(problem).toMatchObject({
      code: 'PLUGIN_THREW',
      message: expect.stringContaining('require is not defined'),
      hint: expect.stringContaining('.cjs'),
      location: { file: 'plugins/p/index.js', line: 2 },
    });
  });

  it('need not be there: a package.json without it leaves the choice to the text', async () => {
    const files = {
      'plugins/p/index.js': ESM,
      'plugins/p/package.json': '{"name":"p"}',
      'package.json': '{"type":"commonjs"}',
    };
    expect(await exportsOf(files)).toMatchObject({ value: 'loaded' });
  });
});

describe('TypeScript', () => {
  it.each(['ts', 'mts'])('takes a .%s that imports .js and means .ts', async (extension) => {
    const files = {
      [`plugins/a.${extension}`]: "import { value } from './_helper.js';\nexport { value };",
      'plugins/_helper.ts': TYPESCRIPT,
    };
    expect(await exportsOf(files)).toMatchObject({ value: 'loaded' });
  });

  it('imports a type without saying so', async () => {
    const files = {
      'plugins/a.ts': "import { Shape } from './_shape.js';\nexport const value: Shape = 'loaded';",
      'plugins/_shape.ts': 'export type Shape = string;',
    };
    expect(await exportsOf(files)).toMatchObject({ value: 'loaded' });
  });

  it('runs each helper once, however many import it', async () => {
    const files = {
      'plugins/a.ts':
        "import { state } from './_state.js';\nimport { add } from './_add.js';\nadd(); enum E { A }\nexport const value = state.n + E.A;",
      'plugins/_add.ts': "import { state } from './_state.js';\nexport const add = (): void => { state.n++; };",
      'plugins/_state.ts': 'export const state: { n: number } = { n: 0 };',
    };
    expect(await exportsOf(files)).toMatchObject({ value: 1 });
  });

  it('is kept translated in the folder given for it, and nowhere else', async () => {
    const tree = makeTree({ 'plugins/a.ts': ENUM });
    const cacheDir = join(tree, 'cache');
    await loadModule(join(tree, 'plugins/a.ts'), { cacheDir });
    expect(readdirSync(cacheDir)).toHaveLength(1);
    expect(readdirSync(join(tree, 'plugins'))).toEqual(['a.ts']);
  });
});

describe('@mortise/plugin', () => {
  it.each([
    ['a.mjs', "import { ok } from '@mortise/plugin'; export const value = typeof ok;"],
    ['a.cjs', "const { ok } = require('@mortise/plugin'); module.exports.value = typeof ok;"],
    ['a.js', "const { ok } = require('@mortise/plugin'); module.exports.value = typeof ok;"],
    ['a.ts', "import { ok } from '@mortise/plugin';\nexport const value: string = typeof ok;"],
    [
      'a.mjs',
      "import '@mortise/plugin/testing'; import * as all from '@mortise/plugin'; export const value = typeof all.ok;",
    ],
    ['a.mjs', "export const value = typeof (await import('@mortise/plugin')).ok;"],
  ])('need not be installed for %s: %s', async (file, text) => {
    expect(await exportsOf({ [`plugins/${file}`]: text })).toMatchObject({ value: 'function' });
  });

  it('is the plugin’s own where it is installed', async () => {
    const files = {
      'plugins/p/index.mjs': "export { value } from '@mortise/plugin';",
      'plugins/p/node_modules/@mortise/plugin/package.json': '{"main":"index.js"}',
      'plugins/p/node_modules/@mortise/plugin/index.js': "exports.value = 'own';",
    };
    expect(await exportsOf(files)).toMatchObject({ value: 'own' });
  });
});

describe('what does not load', () => {
  it.each<[string, Record<string, string>, object]>([
    ['CommonJS', { 'plugins/a.cjs': 'const a = 1;\n  foo bar baz;\n' }, { file: 'plugins/a.cjs', line: 2 }],
    ['.js', { 'plugins/a.js': 'const a = 1;\nfoo bar baz;\n' }, { file: 'plugins/a.js', line: 2 }],
    ['ESM', { 'plugins/a.mjs': 'export const a = 1;\n\nfoo bar baz;\n' }, { file: 'plugins/a.mjs', line: 3 }],
    ['TypeScript', { 'plugins/a.ts': 'const a = 1;\nconst b: = 3;\n' }, { file: 'plugins/a.ts', line: 2, column: 10 }],
    [
      'a helper of ESM',
      {
        'plugins/p/index.mjs': "import './deep/helper.mjs';",
        'plugins/p/deep/helper.mjs': "import '../index.mjs';\nexport const = 1;",
      },
      { file: 'plugins/p/deep/helper.mjs', line: 2 },
    ],
    [
      'a helper of CommonJS',
      { 'plugins/p/index.cjs': "require('./helper.cjs');", 'plugins/p/helper.cjs': '\n\nlet let = 1;' },
      { file: 'plugins/p/helper.cjs', line: 3 },
    ],
    [
      'an export that is not there',
      { 'plugins/a.mjs': "\nimport { nope } from 'node:fs';" },
      { file: 'plugins/a.mjs', line: 2, column: 10 },
    ],
  ])('names the place of a syntax error: %s', async (_, files, location) => {
    expect(await loadProblemOf(files)).toMatchObject({
      severity: 'error',
      code: 'PLUGIN_SYNTAX_ERROR',
      message: expect.stringMatching(/^Syntax error: \S/),
      hint: expect.stringContaining('Correct'),
      location,
    });
  });

  it.each<[string, string, string, string, number]>([
    ['a.mjs', "\nimport x from 'left-pad-zzz';", 'left-pad-zzz', 'npm install left-pad-zzz', 2],
    [
      'a.cjs',
      "const fs = require('fs');\nconst x = require('left-pad-zzz/lib/x');",
      'left-pad-zzz',
      'npm install left-pad-zzz`',
      2,
    ],
    ['a.mjs', 'import x from "@scope/name/sub";', '@scope/name', 'npm install @scope/name`', 1],
    [
      'a.ts',
      "import x from 'left-pad-zzz';\nexport const y: string = x;",
      'left-pad-zzz',
      'npm install left-pad-zzz',
      1,
    ],
    ['a.mjs', "\n\nimport './lib/gone.mjs';", './lib/gone.mjs', 'Correct the path', 3],
    ['a.cjs', "require('./gone');", './gone', 'Correct the path', 1],
    ['a.mjs', "import 'node:nothing';", 'node:nothing', 'no such module', 1],
  ])('names a dependency that is missing from %s: %s', async (file, text, missing, hint, line) => {
    const problem = await loadProblemOf({ [`plugins/${file}`]: text });
    expect(problem).toMatchObject({
      code: 'PLUGIN_DEPENDENCY_MISSING',
      message: expect.stringContaining(missing),
      hint: expect.stringContaining(hint),
      location: { file: `plugins/${file}`, line },
    });
  });

  it.each([
    ['@lib/helper.js', { 'tsconfig.json': '{ "compilerOptions": { "paths": { "@lib/*": ["./lib/*"], }, } } // jsonc' }],
    ['@/helper.js', {}],
  ])('does not take an alias for a package: %s', async (specifier, files) => {
    const problem = await loadProblemOf({
      'plugins/a.ts': `import x from '${specifier}';\nexport const y = x;`,
      ...files,
    });
    expect(problem).toMatchObject({
      code: 'PLUGIN_DEPENDENCY_MISSING',
      message: `Cannot find '${specifier}'`,
      hint: expect.stringMatching(/^Node\.js does not know the aliases of tsconfig\.json/),
    });
  });

  it('names both versions of Node for a native module that another was installed with', async () => {
    const message =
      "The module '/p/native.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 108. This version of Node.js requires\nNODE_MODULE_VERSION 115. Please try re-compiling or re-installing\nthe module (for instance, using `npm rebuild` or `npm install`).";
    const code = `throw Object.assign(new Error(${JSON.stringify(message)}), { code: 'ERR_DLOPEN_FAILED' });`;
    expect(await loadProblemOf({ 'plugins/p/index.mjs': `\n${code}` })).toMatchObject({
      code: 'NATIVE_MODULE_MISMATCH',
      message: `The native module '/p/native.node' was built for another Node (NODE_MODULE_VERSION 108, Node 18); this is Node ${process.version} (NODE_MODULE_VERSION 115)`,
      hint: expect.stringMatching(/^Run `npm rebuild` in .*plugins[\\/]p with Node v/),
      location: { file: expect.stringMatching(/index\.mjs$/), line: 2 },
    });
  });

  it('says in which folder to install what is missing', async () => {
    const { hint } = await loadProblemOf({
      'plugins/p/index.mjs': "import './lib/a.mjs';",
      'plugins/p/lib/a.mjs': "import 'left-pad-zzz';",
    });
    expect(hint).toMatch(/npm install left-pad-zzz` in .*plugins[\\/]p$/);
  });

  it.each<[string, Record<string, string>, string, object]>([
    ['CommonJS', { 'plugins/a.cjs': "\nthrow new TypeError('boom');" }, 'TypeError: boom', { line: 2, column: 7 }],
    [
      'ESM',
      { 'plugins/a.mjs': "\n\nfunction f() { throw new Error('boom\\nmore'); }\nf();" },
      'Error: boom',
      { line: 3 },
    ],
    [
      'TypeScript',
      { 'plugins/a.ts': "interface A { x: number }\n\nenum E { A }\nthrow new Error('boom' + E.A);" },
      'Error: boom0',
      { line: 4 },
    ],
    [
      'a dependency, at the plugin’s own frame',
      {
        'plugins/p/index.cjs': "\nrequire('dep').run();",
        'plugins/p/node_modules/dep/index.js': "exports.run = () => { throw new Error('boom'); };",
      },
      'Error: boom',
      { file: 'plugins/p/index.cjs', line: 2 },
    ],
    ['JSON that it reads', { 'plugins/a.cjs': "\nJSON.parse('{');" }, 'SyntaxError: ', { line: 2 }],
    ['a rejected await', { 'plugins/a.mjs': "\nawait Promise.reject(new Error('boom'));" }, 'Error: boom', { line: 2 }],
  ])('names where it threw: %s', async (_, files, message, location) => {
    expect(await loadProblemOf(files)).toMatchObject({
      code: 'PLUGIN_THREW',
      message: expect.stringContaining(message),
      hint: expect.stringContaining('Correct'),
      location: { file: Object.keys(files)[0], ...location },
    });
  });

  it('says how JSON is imported', async () => {
    const files = {
      'plugins/a.mjs':
        "import { sep } from 'node:path';\nimport data from './data.json';\nexport const a = data + sep;",
      'plugins/data.json': '{}',
    };
    expect(await loadProblemOf(files)).toMatchObject({
      code: 'PLUGIN_THREW',
      message: "The import of './data.json' does not say that it is JSON.",
      hint: "Write `import data from './data.json' with { type: 'json' };`.",
      location: { file: 'plugins/a.mjs', line: 2 },
    });
  });

  it('says what defineTool and definePlugin refuse, with their own hint', async () => {
    const source =
      "import { defineTool } from '@mortise/plugin';\nexport const a =\n  defineTool({ name: 'a', execute() {} });";
    expect(await loadProblemOf({ 'plugins/a.mjs': source })).toMatchObject({
      code: 'DEFINITION_INVALID',
      message: "Tool 'a': execute is not a member of a tool. Did you mean run?",
      hint: expect.stringMatching(/^The members are name, title, /),
      location: { file: 'plugins/a.mjs', line: 3 },
    });
  });

  it('gives a column only where the line of the author has it, and not that of translated code', async () => {
    const line = 'export const b: string = shared.name;';
    const files = {
      'plugins/a.ts': "import { b } from './b.js';\nexport const shared = { name: 'x' };\nexport const a: string = b;",
      'plugins/b.ts': `import { shared } from './a.js';\n${line}`,
    };
    const { location } = await loadProblemOf(files, 'plugins/a.ts');
    expect(location).toMatchObject({ file: 'plugins/b.ts', line: 2 });
    expect(location.column ?? 1).toBeLessThanOrEqual(line.length + 1);
  });

  it.each([
    ["throw 'just text';", 'just text'],
    ['throw undefined;', 'undefined'],
    ['throw null;', 'null'],
    ['throw Symbol("s");', 'Symbol(s)'],
    ['throw Object.create(null);', 'Error'],
    ["throw new Proxy({}, { get() { throw new Error('hostile'); } });", 'Error'],
    ["throw { get message() { throw new Error('hostile'); } };", 'Error'],
    ['throw Object.assign(new Error("boom"), { stack: 5, name: 7 });', 'boom'],
  ])('survives whatever is thrown: %s', async (text, message) => {
    expect(await loadProblemOf({ 'plugins/a.cjs': text })).toMatchObject({
      code: 'PLUGIN_THREW',
      message: expect.stringContaining(message),
      location: { file: 'plugins/a.cjs' },
    });
  });

  it('says that the file is gone', async () => {
    expect(await loadProblemOf({ 'plugins/b.js': '' }, 'plugins/a.js')).toMatchObject({
      code: 'PLUGIN_UNREADABLE',
      location: { file: 'plugins/a.js' },
    });
  });
});

describe('loading again', () => {
  it.each([
    ['a.js', (n: number) => `exports.value = ${n};`],
    ['a.cjs', (n: number) => `exports.value = ${n};`],
    ['a.mjs', (n: number) => `export const value = ${n};`],
    ['a.ts', (n: number) => `export const value: number = ${n};`],
  ])('runs the new code of %s under a new version', async (file, text) => {
    const tree = makeTree({ [`plugins/${file}`]: text(1) });
    const entry = join(tree, 'plugins', file);
    await loadModule(entry, { version: 1 });
    writeFileSync(entry, text(2));
    const again = await loadModule(entry, { version: 2 });
    expect(again).toMatchObject({ namespace: { value: 2 } });
  });
});

describe('links', () => {
  it('runs the new code of CommonJS helpers, and of theirs, under a new version', async () => {
    const words = (value: string) => `exports.words = '${value}';`;
    const tree = makeTree({
      'p/index.cjs': `module.exports = require('./lib/a.cjs');`,
      'p/lib/a.cjs': `module.exports = require('./b.cjs');`,
      'p/lib/b.cjs': words('old'),
    });
    const entry = join(tree, 'p/index.cjs');
    await loadModule(entry, { root: join(tree, 'p') });
    writeFileSync(join(tree, 'p/lib/b.cjs'), words('new'));
    const again = await loadModule(entry, { root: join(tree, 'p'), version: 1 });
    expect(again).toMatchObject({ namespace: { default: { words: 'new' } } });
  });

  it('resolves dependencies from where the file really is', async () => {
    const tree = makeTree({
      'dev/index.js': "exports.value = require('dep').value;",
      'dev/package.json': '{"name":"dev"}',
      'dev/node_modules/dep/index.js': "exports.value = 'loaded';",
    });
    mkdirSync(join(tree, 'plugins'));
    symlinkSync('../dev', join(tree, 'plugins/dev'));
    const loaded = await loadModule(join(tree, 'plugins/dev/index.js'), { root: join(tree, 'plugins/dev') });
    expect(loaded).toMatchObject({ namespace: { value: 'loaded' }, file: join(tree, 'dev/index.js') });
  });
});

describe('modules that import one another', () => {
  const USER = "import { shared } from './a.EXT';\n\nexport const b = shared.x + 1;";
  const DEFINER = "import { b } from './b.EXT';\nexport const shared = { x: 1 };\nexport const value = b;";

  it.each(['mjs', 'ts', 'js'])('are named where one uses what the other has not defined yet: .%s', async (ext) => {
    const text = (source: string) => source.replaceAll('EXT', ext) + (ext === 'ts' ? '\nenum Translated { A }' : '');
    const files = {
      [`plugins/p/a.${ext}`]: text(DEFINER),
      [`plugins/p/b.${ext}`]: text(USER),
      'plugins/p/package.json': JSON.stringify({ type: 'module' }),
    };
    expect(await loadProblemOf(files)).toMatchObject({
      code: 'PLUGIN_THREW',
      hint: expect.stringContaining(`This module and ./a.${ext} import one another`),
      location: { file: `plugins/p/b.${ext}`, line: 3 },
    });
  });

  it('are not named for another mistake', async () => {
    const { hint } = await loadProblemOf({ 'plugins/a.mjs': 'const x = undefined;\nx.y;' });
    expect(hint).toContain('Correct the code at this place.');
  });
});
