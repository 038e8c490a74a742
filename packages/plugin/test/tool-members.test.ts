import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { definePlugin, defineTool, type RegisterApi } from '@mortise/plugin';
import { openPlugin, runTool } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';

const define = defineTool as (options: unknown) => ReturnType<typeof defineTool>;
const run = () => 'x';
const base = { name: 'look', title: 'Look', description: 'Looks.' };

describe('defineTool is strict', () => {
  it.each<[string, unknown, string]>([
    [
      'a misspelt member',
      { ...base, descripton: 'd', run },
      'descripton is not a member of a tool. Did you mean description?',
    ],
    ['execute', { ...base, execute: run }, 'execute is not a member of a tool. Did you mean run?'],
    ['handler', { ...base, handler: run }, 'handler is not a member of a tool. Did you mean run?'],
    ['parameters', { ...base, parameters: {}, run }, 'parameters is not a member of a tool. Did you mean inputSchema?'],
    [
      'a member that is like none',
      { ...base, zzz: 1, run },
      "Tool 'look': zzz is not a member of a tool. The members are name, ",
    ],
    ['several', { ...base, execute: run, parameters: {} }, 'Did you mean run? parameters is not a member'],
    ['no run', base, "Tool 'look' has no run. Write run: async (args, context) =>"],
    ['a run that is not a function', { ...base, run: 'x' }, "Tool 'look' has a run that is not a function."],
    ['no name', { run }, 'The tool has no name. Write { name, title, description, inputSchema, run }'],
    ['an empty name', { ...base, name: '', run }, 'The tool has no name. '],
    ['a name that is not a string', { ...base, name: 5, run }, 'The tool has a name that is not a string. '],
    ['null', null, 'defineTool was given null, not an object.'],
    ['nothing', undefined, 'defineTool was given undefined, not an object.'],
    ['what the SDK takes', 'look', 'defineTool was given a string, not an object. Write { name, '],
  ])('%s is refused', (_, options, message) => {
    expect(() => define(options)).toThrow(message);
  });

  it('does not speak of classes, and refuses that tool alone, with file and line', async () => {
    const register = (api: RegisterApi) => {
      const loose = api.defineTool as (options: unknown) => unknown;
      loose({ ...base, descripton: 'd', run }); // here
      api.defineTool({ ...base, name: 'good', run });
    };
    const { tools, problems } = await openPlugin({ register });
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    const file = fileURLToPath(import.meta.url);
    const line =
      readFileSync(file, 'utf8')
        .split('\n')
        .findIndex((text) => text.endsWith('// here')) + 1;
    expect(problems).toEqual([
      {
        severity: 'error',
        code: 'DEFINITION_INVALID',
        message: "Tool 'look': descripton is not a member of a tool. Did you mean description?",
        hint: expect.stringMatching(/^The members are name, title, .*run, dispose\.$/),
        location: { file, line, subject: 'look' },
      },
    ]);
  });
});

describe('no arguments', () => {
  it.each([
    ['without inputSchema', { ...base, run }],
    ['with an empty one', { ...base, inputSchema: {}, run }],
  ])('%s, silently', async (_, options) => {
    const { tools, problems } = await openPlugin({ look: defineTool(options) });
    expect(problems).toEqual([]);
    expect(tools[0]?.inputSchema).toEqual({ type: 'object', properties: {} });
  });
});

describe('a union of objects', () => {
  const circle = z.object({ kind: z.literal('circle'), radius: z.number() });
  const rect = z.object({ kind: z.literal('rect'), width: z.number() });

  it.each([
    ['a discriminated union', z.discriminatedUnion('kind', [circle, rect])],
    ['a union', z.union([circle, rect])],
    ['an intersection', z.intersection(circle, z.object({ colour: z.string() }))],
    ['a reference', { $ref: '#/$defs/circle', $defs: { circle: { type: 'object', properties: {} } } }],
  ])('is an object, silently: %s', async (_, inputSchema) => {
    const { tools, problems } = await openPlugin({ look: defineTool({ ...base, inputSchema, run }) });
    expect(problems).toEqual([]);
    expect(tools[0]?.inputSchema).toMatchObject({ type: 'object' });
  });

  it('is not one of something else', async () => {
    const inputSchema = { anyOf: [{ type: 'object' }, { type: 'string' }] };
    const { problems } = await openPlugin({ look: defineTool({ ...base, inputSchema, run }) });
    expect(problems).toMatchObject([{ code: 'SCHEMA_TYPE_MISSING', location: { line: expect.any(Number) } }]);
  });

  it('gives run the branch', async () => {
    const inputSchema = z.discriminatedUnion('kind', [circle, rect]);
    const tool = defineTool({
      ...base,
      inputSchema,
      run: (shape) => (shape.kind === 'circle' ? shape.radius : shape.width),
    });
    expect((await runTool(tool, { kind: 'rect', width: 3 })).text).toBe('3');
  });
});

describe('definePlugin is strict', () => {
  it.each<[string, object, string]>([
    ['tools', { tools: [] }, 'definePlugin: tools is not a member of a plugin. Write definePlugin({ config, register'],
    ['registr', { registr() {} }, 'registr is not a member of a plugin. Did you mean register?'],
  ])('%s', (_, options, message) => {
    expect(() => definePlugin(options as never)).toThrow(message);
  });
});
