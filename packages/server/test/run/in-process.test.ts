import { join } from 'node:path';
import type { CallChannel } from '@mortise/plugin/runtime';
import { afterEach, describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '../../src/settings/plugin-limits.js';
import type { Settings } from '../../src/settings/settings.js';
import { built } from '../built.js';
import { makeTree } from '../make-tree.js';
import { openReaper } from '../open-reaper.js';
import { pluginSettingsOf } from '../plugin-settings.js';

const { Catalog } = built<typeof import('../../src/plugins/catalog/catalog.js')>('plugins/catalog/catalog');
const { inProcess } = built<typeof import('../../src/run/in-process.js')>('run/in-process');

const open: InstanceType<typeof Catalog>[] = [];
afterEach(() => Promise.all(open.splice(0).map((catalog) => catalog.close())));

/** Real plugins, found in a folder and loaded in this process. */
async function serve(files: Record<string, string>, above = '{}') {
  const tree = makeTree({
    'package.json': above,
    ...Object.fromEntries(Object.entries(files).map(([path, text]) => [`plugins/${path}`, text])),
  });
  const directory = join(tree, 'plugins');
  const quiet = () => {};
  const catalog = new Catalog({
    settings: {
      Plugins: { Enabled: true, Directory: [directory], LoadTimeoutMs: 1_000 },
      Tools: { NameStyle: 'portable' },
    } as unknown as Settings,
    log: { trace: quiet, debug: quiet, info: quiet, warn: quiet, error: quiet },
    pluginSettings: pluginSettingsOf({ api_key: 'k' }),
    loadRunner: inProcess({ loadTimeoutMs: 1_000, limits: DEFAULT_LIMITS, reaper: openReaper() }),
  });
  catalog.start({ onLog: quiet, onResourceUpdated: quiet });
  open.push(catalog);
  await catalog.ready();
  return { catalog, directory };
}

async function statusOfOne(files: Record<string, string>, above?: string) {
  const { catalog, directory } = await serve(files, above);
  expect(catalog.snapshot().plugins).toHaveLength(1);
  const [status] = catalog.snapshot().plugins;
  const errors = status!.problems.filter(({ severity }) => severity === 'error');
  return {
    ...status!,
    errors: errors.map((problem) => ({
      ...problem,
      location: { ...problem.location, file: problem.location.file.slice(directory.length + 1) },
    })),
  };
}

const channel: CallChannel = {
  signal: new AbortController().signal,
  clientCapabilities: {},
  progress: () => {},
  log: () => {},
  inputMode: 'ask',
  answers: {},
  requestInput: () => Promise.reject(new Error('no one is asked')),
};

const MEMBERS = "name = 'greet'; description = 'Greets'; inputSchema = { type: 'object' };";
const CLASS = `class Greet { ${MEMBERS} async executeAsync(args) { return { content: [{ type: 'text', text: 'Hello ' + args.who }] }; } }`;
const TOOL =
  "{ name: 'greet', description: 'Greets', inputSchema: { type: 'object' }, run: (input) => 'Hello ' + input.who }";
const TYPED = `enum Word { Hello = 'Hello ' }
export class Greet {
  readonly name = 'greet'; readonly description = 'Greets'; readonly inputSchema = { type: 'object' };
  constructor(private readonly context: { getConfig(key: string): string | null }) {}
  async executeAsync(args: { who: string }) {
    if (this.context.getConfig('api_key') !== 'k') throw new Error('no context');
    return ok(Word.Hello + args.who);
  }
}`;

describe('a plugin that loads', () => {
  it.each<[string, Record<string, string>]>([
    ['a class in CommonJS', { 'p.js': `${CLASS} module.exports = { Greet };` }],
    ['a class that is module.exports', { 'p.cjs': `${CLASS} module.exports = Greet;` }],
    ['a class in ESM', { 'p.mjs': `export ${CLASS}` }],
    ['a default-exported class', { 'p.js': `export default ${CLASS}` }],
    [
      'a class in TypeScript, with a parameter property, an enum and the contract',
      { 'p.ts': `import { ok } from '@mortise/plugin';\n${TYPED}` },
    ],
    ['an object', { 'p.mjs': `export const greet = new (${CLASS})();` }],
    ['register in CommonJS', { 'p.js': `module.exports.register = (api) => { api.registerTool(${TOOL}); };` }],
    ['register in ESM', { 'p.mjs': `export async function register(api) { await null; api.registerTool(${TOOL}); }` }],
    [
      'register in TypeScript',
      {
        'p.ts': `import type { RegisterApi } from '@mortise/plugin';\nexport const register = (api: RegisterApi): void => { api.registerTool(${TOOL}); };`,
      },
    ],
    [
      'import beside module.exports',
      {
        'p.js': `import os from 'node:os';\nmodule.exports.register = (api) => { if (os) api.registerTool(${TOOL}); };`,
      },
    ],
    [
      'a folder with exports',
      { 'p/package.json': '{"exports":{"import":"./lib/p.mjs"}}', 'p/lib/p.mjs': `export ${CLASS}` },
    ],
    [
      'a folder whose main is missing on disk',
      {
        'p/package.json': '{"main":"dist/p.js"}',
        'p/index.ts': `export const register = (api: any) => api.registerTool(${TOOL});`,
      },
    ],
    [
      'a folder with dependencies of its own',
      {
        'p/index.js': `require('dep').add(module.exports);`,
        'p/node_modules/dep/index.js': `exports.add = (to) => { to.register = (api) => { api.registerTool(${TOOL}); }; };`,
      },
    ],
  ])('is called: %s', async (_, files) => {
    for (const above of ['{}', '{"type":"module"}']) {
      const { catalog } = await serve(files, above);
      expect(catalog.snapshot().plugins).toMatchObject([
        { name: 'p', state: 'loaded', tools: ['greet'], problems: [] },
      ]);
      const tool = catalog.snapshot().findTool('greet')!;
      const outcome = await tool.runner.run({ do: 'call', name: 'greet', args: { who: 'you' } }, channel);
      expect(outcome).toMatchObject({ kind: 'success', content: [{ type: 'text', text: 'Hello you' }] });
    }
  });

  it.each<[string, Record<string, string>]>([
    ['helpers alone', { 'p.mjs': 'export const add = (a, b) => a + b; export class Thing {}' }],
    ['null', { 'p.cjs': 'module.exports = null;' }],
    ['a number', { 'p.cjs': 'module.exports = 5;' }],
  ])('may have no tools: %s', async (_, files) => {
    expect(await statusOfOne(files)).toMatchObject({ state: 'no tools', problems: [] });
  });
});

describe('a plugin that is refused', () => {
  it.each<[string, Record<string, string>, object]>([
    ['an empty file', { 'p.js': '' }, { code: 'EXPORTS_MISSING', location: { file: 'p.js' } }],
    [
      'broken package.json',
      { 'p/package.json': '{ "main": }', 'p/index.js': '' },
      { code: 'PLUGIN_PACKAGE_INVALID', location: { file: 'p/package.json', line: 1, column: 11 } },
    ],
    [
      'an entry that is missing',
      { 'p/package.json': '{"exports":"./dist/p.js"}' },
      { code: 'PLUGIN_ENTRY_MISSING', location: { file: 'p/package.json' } },
    ],
    [
      'a syntax error',
      { 'p.js': '\nfunction (' },
      { code: 'PLUGIN_SYNTAX_ERROR', location: { file: 'p.js', line: 2 } },
    ],
    [
      'a missing dependency',
      { 'p.mjs': "\nimport 'left-pad-zzz';" },
      {
        code: 'PLUGIN_DEPENDENCY_MISSING',
        hint: expect.stringContaining('npm install left-pad-zzz'),
        location: { file: 'p.mjs', line: 2 },
      },
    ],
    [
      'a module that throws',
      { 'p.ts': "\n\nthrow new Error('boom') as Error;" },
      { code: 'PLUGIN_THREW', message: 'Error: boom', location: { file: 'p.ts', line: 3 } },
    ],
    [
      'a top-level await that never settles',
      { 'p.mjs': `await new Promise(() => {}); export ${CLASS}` },
      { code: 'PLUGIN_LOAD_TIMEOUT', message: expect.stringContaining('1000 ms'), location: { file: 'p.mjs' } },
    ],
    [
      'a register that never settles',
      { 'p.js': `module.exports.register = (api) => { api.registerTool(${TOOL}); return new Promise(() => {}); };` },
      { code: 'PLUGIN_LOAD_TIMEOUT', hint: expect.stringContaining('register'), location: { file: 'p.js' } },
    ],
    [
      'a register that throws halfway',
      { 'p.mjs': `export function register(api) {\n  api.registerTool(${TOOL});\n  throw new Error('boom');\n}` },
      { code: 'REGISTER_THREW', message: expect.stringContaining('boom'), location: { file: 'p.mjs', line: 3 } },
    ],
    [
      'a getter that throws',
      {
        'p.cjs': `exports.Greet = class { get name() {\n throw new Error('boom'); } description = ''; inputSchema = {}; async executeAsync() {} };`,
      },
      { code: 'TOOL_MALFORMED', message: expect.stringContaining('boom'), location: { file: 'p.cjs', line: 2 } },
    ],
    [
      'a constructor that throws',
      {
        'p.mjs': `export class Greet { ${MEMBERS} constructor() {\n throw new Error('boom'); } async executeAsync() {} }`,
      },
      {
        code: 'CLASS_CONSTRUCTOR_THREW',
        message: expect.stringContaining('boom'),
        location: { file: 'p.mjs', line: 2 },
      },
    ],
    [
      'a reserved name',
      { 'p.mjs': `export function register(api) { api.registerTool({ ...${TOOL}, name: 'builtin.greet' }); }` },
      { code: 'TOOL_NAME_RESERVED', location: { file: 'p.mjs' } },
    ],
    [
      'a name with a space',
      { 'p.mjs': `export function register(api) { api.registerTool({ ...${TOOL}, name: 'say hello' }); }` },
      { code: 'TOOL_NAME_INVALID', location: { file: 'p.mjs' } },
    ],
    [
      'a bad schema',
      {
        'p.mjs': `export function register(api) { api.registerTool({ ...${TOOL}, inputSchema: { type: 'object', required: 'who' } }); }`,
      },
      {
        code: 'TOOL_SCHEMA_INVALID',
        message: expect.stringContaining('/required'),
        location: { file: 'p.mjs', subject: 'greet' },
      },
    ],
    [
      'an unknown $schema',
      {
        'p.mjs': `export function register(api) { api.registerTool({ ...${TOOL}, inputSchema: { $schema: 'urn:x', type: 'object' } }); }`,
      },
      { code: 'TOOL_SCHEMA_INVALID', message: expect.stringContaining('draft-07'), location: { file: 'p.mjs' } },
    ],
  ])('says why, where and what to do: %s', async (_, files, problem) => {
    const status = await statusOfOne(files);
    expect(status).toMatchObject({ name: 'p', state: 'failed', tools: [] });
    expect(status.errors).toMatchObject([problem]);
    expect(status.errors[0]!.hint).toMatch(/\w+/);
  });

  it('skips a class whose constructor wants more, and says which shapes it may have', async () => {
    const status = await statusOfOne({
      'p.mjs': `export class Greet { ${MEMBERS} constructor(a, b) {} async executeAsync() {} }`,
    });
    expect(status).toMatchObject({
      state: 'no tools',
      tools: [],
      problems: [{ code: 'CLASS_CONSTRUCTOR_SHAPE', severity: 'warning' }],
    });
    expect(status.problems[0]!.message).toContain('Greet');
  });

  it('ignores a class that another one extends', async () => {
    const text = `export class Base { async executeAsync() { return { content: [] }; } }\nexport class Greet extends Base { ${MEMBERS} }`;
    expect(await statusOfOne({ 'p.mjs': text })).toMatchObject({ state: 'loaded', tools: ['greet'], problems: [] });
  });

  it('stops none of the others', async () => {
    const { catalog } = await serve({
      'a.js': 'throw 1;',
      'b.js': 'nonsense nonsense',
      'c.mjs': `export ${CLASS}`,
      'd.cjs': `${CLASS} module.exports = Greet;`,
    });
    const states = catalog.snapshot().plugins.map(({ name, state }) => [name, state]);
    expect(states).toEqual([
      ['a', 'failed'],
      ['b', 'failed'],
      ['c', 'loaded'],
      ['d', 'failed'],
    ]);
    expect(catalog.snapshot().plugins[3]!.problems).toMatchObject([
      { code: 'TOOL_NAME_DUPLICATE', message: expect.stringMatching(/c\.mjs.*class:Greet/) },
    ]);
  });
});
