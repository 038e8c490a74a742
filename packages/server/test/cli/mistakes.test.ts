import { join } from 'node:path';
import { checkPlugin } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { createQuickWorkplace, type Finished, runMortise } from './run-mortise.js';

/** A mistake, and the words in which everyone hears of it (docs/spec/plugin-authoring.md#likely-mistakes). */
interface Mistake {
  /** The plugin, and its tool with `_` for `-`. */
  name: string;
  /** The text of the module. */
  code: string;
  /** More files of the folder. */
  files?: Record<string, string>;
  problem: string;
  hint: string;
  /** An error, not a warning: there is no tool. */
  isError?: boolean;
  /** What the test kit says, where it cannot load the module at all. */
  kit?: RegExp;
}

const REBUILD =
  "The module '/p/native.node'\nwas compiled against a different Node.js version using\nNODE_MODULE_VERSION 108. This version of Node.js requires\nNODE_MODULE_VERSION 115. Please try re-compiling or re-installing\nthe module (for instance, using `npm rebuild` or `npm install`).";

/** A plugin that registers one tool. */
const registering = (name: string, members: string, before = ''): string =>
  `${before}\nexport const register = (api) => api.registerTool({ name: '${name}', title: 'T', description: 'd', ${members} });`;

const SCHEMA = "inputSchema: { type: 'object' }";

/** Problems of loading. */
const AT_LOAD: Mistake[] = [
  {
    name: 'runs',
    code: "export const runs = { name: 'runs', description: 'd', inputSchema: { type: 'object' }, run() {} };",
    problem: "The export 'runs' has run, but no executeAsync: it is not a tool.",
    hint: 'Name the method executeAsync(args, progress, signal, context), make the tool with defineTool',
    isError: true,
  },
  {
    name: 'executes',
    code: "export class executes { name = 'executes'; inputSchema = {}; async execute() {} }",
    problem: "The export 'executes' has execute, but no executeAsync: it is not a tool.",
    hint: 'Name the method executeAsync',
    isError: true,
  },
  {
    name: 'misspelt',
    code: registering('misspelt', `${SCHEMA}, outputshema: {}, timeout: 5, run: () => 'x'`),
    problem: "Tool 'misspelt' has the member 'outputshema', which is not known. Did you mean 'outputSchema'?",
    hint: 'Correct the name of the member, or remove the member.',
  },
  {
    name: 'require',
    code: registering('require', "inputSchema: { type: 'object', properties: {}, require: ['a'] }, run: () => 'x'"),
    problem:
      "The inputSchema of Tool 'require' has the keyword 'require', which JSON Schema ignores (did you mean 'required'?).",
    hint: 'Correct the keyword or property that the message names.',
  },
  {
    name: 'required',
    code: registering(
      'required',
      "inputSchema: { type: 'object', properties: { city: {} }, required: ['ctiy'] }, run: () => 'x'",
    ),
    problem: "The inputSchema of Tool 'required' requires 'ctiy', which is not one of its properties.",
    hint: 'Correct the keyword or property that the message names.',
  },
  {
    name: 'untitled',
    code: "export const register = (api) => api.defineTool({ name: 'untitled', description: 'd', inputSchema: { type: 'object' }, run: () => 'x' });",
    problem: "Tool 'untitled' has no title.",
    hint: 'Give the tool a title that users read',
  },
  {
    name: 'empty',
    code: '',
    problem: 'The module exports nothing.',
    hint: 'Export a tool of defineTool, a class with executeAsync, or register(api).',
    isError: true,
  },
  {
    name: 'native',
    code: `throw Object.assign(new Error(${JSON.stringify(REBUILD)}), { code: 'ERR_DLOPEN_FAILED' });`,
    problem: `The native module '/p/native.node' was built for another Node (NODE_MODULE_VERSION 108, Node 18); this is Node ${process.version} (NODE_MODULE_VERSION 115)`,
    hint: 'Run `npm rebuild` in ',
    isError: true,
    kit: /NODE_MODULE_VERSION 108[\s\S]*npm rebuild/,
  },
  {
    name: 'report.make',
    code: registering('report.make', "inputSchema: { type: 'array' }, run: () => 'x'"),
    problem: "The inputSchema of Tool 'report.make' has the type 'array' at its root; MCP requires 'object'.",
    hint: 'Give a JSON Schema object with `type: "object"`.',
    isError: true,
  },
];

/** It loads; that it would not elsewhere is told where a plugin is checked. */
const UNDECLARED = {
  name: 'undeclared',
  code: registering('undeclared', `${SCHEMA}, run: () => x`, "import x from 'hoisted';"),
  files: { 'package.json': '{ "name": "undeclared", "main": "index.mjs" }' },
};

const HOISTED = {
  'node_modules/hoisted/package.json': '{ "name": "hoisted", "main": "index.js" }',
  'node_modules/hoisted/index.js': "module.exports = 'x';",
};

/** Tools whose calls are the mistake. */
const CALLED = {
  throws: registering('throws', `${SCHEMA}, run: () => { throw new Error('boom'); }`),
  large: registering('large', `${SCHEMA}, run: () => ({ content: Array(6000).fill({ type: 'text', text: 'x' }) })`),
};

type Plugin = Pick<Mistake, 'name' | 'code' | 'files'>;

/** @param folderOf the folder of a plugin, in the workplace */
const sharedWorkplace = (plugins: readonly Plugin[], folderOf: (name: string) => string) =>
  shared(async (finished) => {
    const files = plugins.flatMap(({ name, code, files = {} }) =>
      Object.entries({ 'index.mjs': code, ...files }).map(([file, text]) => [`${folderOf(name)}/${file}`, text]),
    );
    return createQuickWorkplace({ ...Object.fromEntries(files), ...HOISTED }, {}, finished);
  });

/** All mistakes in one folder of plugins. */
const workplace = sharedWorkplace([...AT_LOAD, UNDECLARED], (name) => `plugins/${name}`);
/** A folder of plugins for each: a call loads the one plugin alone. */
const alone = sharedWorkplace(
  [...AT_LOAD, ...Object.entries(CALLED).map(([name, code]) => ({ name, code }))],
  (name) => `alone/${name}/${name}`,
);

/** Of several tests: the command runs once. */
const runs = new Map<string, Promise<Finished>>();
const mortise = (...args: string[]): Promise<Finished> => {
  const key = args.join(' ');
  const run = runs.get(key) ?? runMortise(workplace(), args);
  runs.set(key, run);
  return run;
};

const call = (name: string) => runMortise(alone(), ['call', name, '--plugins', join('alone', name)]);

const inOneLine = (text: string): string => text.replace(/\s+/g, ' ');

describe.each(AT_LOAD)('the mistake of $name', ({ name, problem, hint, isError = false, kit }) => {
  it('is in validate', async () => {
    const { problems } = JSON.parse((await mortise('validate', '--json')).stdout);
    const own = problems.filter(({ plugin }: { plugin: string }) => plugin === name);
    expect(own).toContainEqual(
      expect.objectContaining({
        severity: isError ? 'error' : 'warning',
        message: expect.stringContaining(problem),
        hint: expect.stringContaining(hint),
      }),
    );
  });

  it('is in list', async () => {
    const { stdout } = await mortise('list');
    expect(stdout).toContain(problem);
    expect(inOneLine(stdout)).toContain(hint);
  });

  it('is in call', async () => {
    const { code, stderr, stdout } = await call(name);
    // One tool is refused, or the whole plugin is not loaded.
    if (isError) expect(code).toBe(stdout === '' ? 3 : 1);
    expect(stderr + stdout).toContain(problem);
    expect(inOneLine(stderr + stdout)).toContain(hint);
  });

  it('is in the test kit', async () => {
    const checked = checkPlugin(join(workplace().folder, 'plugins', name, 'index.mjs'));
    if (kit) return expect(checked).rejects.toThrow(kit);
    const messages = (await checked).map(({ message }) => message);
    expect(messages).toContainEqual(expect.stringContaining(problem));
    expect(messages).toContainEqual(expect.stringContaining(hint));
  });
});

describe('an import that package.json does not declare', () => {
  it.each([[[]], [['undeclared']]])('is in validate %j', async (args) => {
    const { problems } = JSON.parse((await mortise('validate', '--json', ...args)).stdout);
    expect(problems).toContainEqual(
      expect.objectContaining({
        ...{ severity: 'warning', code: 'IMPORT_UNDECLARED', plugin: 'undeclared', line: 1 },
        message: expect.stringContaining("It imports 'hoisted', which its package.json does not declare"),
        hint: expect.stringContaining('`npm install hoisted`'),
      }),
    );
  });

  it('is not in list, because the plugin works here', async () => {
    const { stdout } = await mortise('list');
    expect(stdout).toContain('undeclared');
    expect(stdout).not.toContain('hoisted');
  });
});

describe('a call', () => {
  it.each<[string, RegExp[]]>([
    ['throws', [/boom/]],
    ['large', [/has 6,000 blocks; 5,000 are allowed/, /Hint: Return less, or a resource_link/]],
  ])('of %s says what is wrong, and nothing that helps no one', async (tool, expected) => {
    const { code, stdout } = await call(tool);
    expect(code).toBe(1);
    for (const words of expected) expect(stdout).toMatch(words);
    expect(stdout).not.toMatch(/Exit Code|TimeoutMs/);
  });
});
