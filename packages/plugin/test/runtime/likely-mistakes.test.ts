import { defineTool, type RegisterApi } from '@mortise/plugin';
import { openPlugin } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';

const base = { name: 'look', description: 'Looks.', inputSchema: { type: 'object' } } as const;
const run = () => 'x';
const registering = (tool: object) => ({
  register: (api: { registerTool(tool: object): void }) => api.registerTool(tool),
});
const problemsOf = async (module: object) => (await openPlugin(module)).problems;

describe('a likely mistake is a problem where it is made', () => {
  it.each([
    ['outputshema', 'outputSchema', { type: 'object' }],
    ['timeout', 'timeoutMs', 5_000],
    ['anotations', 'annotations', {}],
    ['titel', 'title', 'Look'],
    ['parameters', 'inputSchema', { type: 'object' }],
  ])('a tool with the member %s', async (member, meant, value) => {
    const tool = { ...base, run, [member]: value };
    const { inputSchema: _, ...withoutSchema } = tool;
    const module = registering(meant === 'inputSchema' ? withoutSchema : tool);
    expect(await problemsOf(module)).toContainEqual({
      severity: 'warning',
      code: 'MEMBER_UNKNOWN',
      message: `Tool 'look' has the member '${member}', which is not known. Did you mean '${meant}'?`,
      hint: 'Correct the name of the member, or remove the member.',
      location: expect.anything(),
    });
  });

  it('a tool of defineTool without a title, exported or registered', async () => {
    const missing = [{ severity: 'warning', code: 'TITLE_MISSING', message: "Tool 'look' has no title." }];
    const options = { ...base, run };
    expect(await problemsOf({ look: defineTool(options) })).toMatchObject(missing);
    expect(await problemsOf(registering(defineTool({ ...options, title: ' ' })))).toMatchObject(missing);
    const register = (api: RegisterApi) => void api.defineTool(options);
    expect(await problemsOf({ register })).toMatchObject(missing);
  });

  it('no tool with annotations.title, and no tool of the published APIs', async () => {
    expect(await problemsOf({ look: defineTool({ ...base, annotations: { title: 'Look' }, run }) })).toEqual([]);
    expect(await problemsOf(registering({ ...base, run }))).toEqual([]);
    expect(await problemsOf({ look: { ...base, executeAsync: run } })).toEqual([]);
    class Look {
      name = 'look';
      description = 'Looks.';
      inputSchema = base.inputSchema;
      executeAsync = run;
    }
    expect(await problemsOf({ Look })).toEqual([]);
  });

  it.each([
    [
      { type: 'object', properties: { a: {} }, required: ['a', 'b'] },
      "The inputSchema of Tool 'look' requires 'b', which is not one of its properties.",
    ],
    [
      { type: 'object', properties: { a: {} }, require: ['a'] },
      "The inputSchema of Tool 'look' has the keyword 'require', which JSON Schema ignores (did you mean 'required'?).",
    ],
  ])('a schema %j', async (inputSchema, message) => {
    expect(await problemsOf(registering({ ...base, run, inputSchema }))).toMatchObject([
      { severity: 'warning', code: 'SCHEMA_SUSPICIOUS', message },
    ]);
  });

  it.each([
    [
      'a class with execute',
      class Look {
        name = 'look';
        inputSchema = { type: 'object' };
        async execute() {
          return 'x';
        }
      },
      'execute',
    ],
    [
      'a class with run',
      class Look {
        name = 'look';
        inputSchema = { type: 'object' };
        run() {
          return 'x';
        }
      },
      'run',
    ],
    ['an object with run', { ...base, run }, 'run'],
  ])('%s', async (_, value, method) => {
    expect(await problemsOf({ Look: value })).toMatchObject([
      {
        severity: 'error',
        code: 'EXECUTE_MISSING',
        message: `The export 'Look' has ${method}, but no executeAsync: it is not a tool.`,
      },
    ]);
  });

  it.each([
    ['an ES module', {}],
    ['CommonJS', { default: {}, 'module.exports': {} }],
  ])('a module that exports nothing: %s', async (_, module) => {
    expect(await problemsOf(module)).toMatchObject([{ severity: 'error', code: 'EXPORTS_MISSING' }]);
  });
});

describe('no mistake', () => {
  it.each([
    [
      'members of a class that are like no known one',
      { ...base, executeAsync: async () => ({ content: [] }), cache: new Map(), titles: ['a'] },
    ],
    ['helpers beside a tool', { ...base, executeAsync: async () => ({ content: [] }) }],
  ])('%s', async (_, tool) => {
    class Helper {
      run() {}
    }
    expect(await problemsOf({ tool, Helper, run, config: { name: 'x', run } })).toEqual([]);
  });

  it('an exported object that register registers', async () => {
    const look = { ...base, run };
    expect(await problemsOf({ look, ...registering(look) })).toEqual([]);
  });
});
