import { join } from 'node:path';
import { toListedDefinition } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import { checkDefinition } from '../../../src/plugins/load/check-definition.js';
import { makeTree } from '../../make-tree.js';

const PLUGIN = { file: '/plugins/p.mjs', prefix: '' };
const MOUNTED = { file: '/app/appsettings.json', prefix: 'mcp.m.' };
const EMPTY = { tools: [], resources: [], prompts: [], problems: [] };
const tool = (more: object = {}) => ({
  name: 'good',
  description: 'd',
  inputSchema: { type: 'object' },
  origin: 'registerTool',
  ...more,
});
const listed = (lists: Record<string, unknown[]>) =>
  toListedDefinition(
    { tools: [], resources: [], templates: [], prompts: [], ...lists },
    { prefix: MOUNTED.prefix, origin: 'mounted', canComplete: true },
  );
const codes = ({ problems }: { problems: readonly { code: string }[] }) => problems.map(({ code }) => code);

describe('a definition from outside', () => {
  it('that keeps the rules is the same', async () => {
    const input = {
      tools: [tool({ title: 'T', annotations: { readOnlyHint: true }, timeoutMs: 5, listed: false })],
      resources: [
        { uri: 'a://b', name: 'b', completes: [] },
        { uriTemplate: 'a://{c}', name: 'c', mimeType: 'text/plain', completes: ['c'] },
      ],
      prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }], completes: ['x'] }],
      problems: [],
    };
    const checked = await checkDefinition(input, PLUGIN);
    expect(checked).toEqual(input);
  });

  it.each([[null], ['text'], [[]], [{}], [{ tools: {}, problems: 5 }]])('%j offers nothing', async (input) => {
    expect(await checkDefinition(input, PLUGIN)).toEqual(EMPTY);
  });

  it('keeps the problems that its plugin tells of, each once', async () => {
    const problem = {
      severity: 'warning',
      code: 'SCHEMA_MISSING',
      message: 'm',
      hint: 'h',
      location: { file: 'f', line: 3 },
    };
    const missing = { severity: 'warning', code: 'DESCRIPTION_MISSING', message: "Tool 'good' has no description." };
    const forged = [{ ...problem, code: 'toString' }, { ...problem, message: 5 }, null, 'x'];
    const problems = [problem, { ...missing, hint: 'h', location: {} }, problem, ...forged];
    const checked = await checkDefinition({ ...EMPTY, tools: [tool({ description: undefined })], problems }, PLUGIN);
    expect(checked.problems).toEqual([problem, { ...missing, hint: 'h', location: { file: PLUGIN.file } }]);
  });

  it('loses what is defined twice', async () => {
    const resource = { uri: 'a://b', name: 'b' };
    const prompt = { name: 'p' };
    const checked = await checkDefinition(
      { tools: [tool(), tool({ title: 'other' })], resources: [resource, resource], prompts: [prompt, prompt] },
      PLUGIN,
    );
    expect([checked.tools.length, checked.resources.length, checked.prompts.length]).toEqual([1, 1, 1]);
    expect(codes(checked)).toEqual(['TOOL_NAME_DUPLICATE', 'RESOURCE_DUPLICATE', 'PROMPT_DUPLICATE']);
  });

  it('has names with the prefix of its server, and no others', async () => {
    const names = ['mcp.m.a', 'mcp.other.a', 'a', 'builtin.x', 5];
    const checked = await checkDefinition(
      { ...EMPTY, tools: names.map((name) => tool({ name })), prompts: names.map((name) => ({ name })) },
      MOUNTED,
    );
    expect(checked.tools.map(({ name }) => name)).toEqual(['mcp.m.a']);
    expect(checked.prompts.map(({ name }) => name)).toEqual(['mcp.m.a']);
  });

  it('counts a name without the prefix of its server', async () => {
    const tools = ['x'.repeat(128), 'y'.repeat(129)].map((name) => tool({ name }));
    const checked = await checkDefinition(listed({ tools }), MOUNTED);
    expect(checked.tools.map(({ name }) => name.length)).toEqual([134]);
    expect(codes(checked)).toEqual(['TOOL_NAME_INVALID']);
  });

  it.each([
    ['tools', null, 'TOOL_MALFORMED'],
    ['tools', 'text', 'TOOL_MALFORMED'],
    ['tools', { name: 'a', description: 'd', inputSchema: { type: 'string' } }, 'TOOL_SCHEMA_INVALID'],
    ['tools', { name: 'a', description: 'd', inputSchema: { type: 'object', required: 'a' } }, 'TOOL_SCHEMA_INVALID'],
    ['tools', { name: 'a', description: 'd', inputSchema: { type: 'object', minimum: 'x' } }, 'TOOL_SCHEMA_INVALID'],
    ['tools', { name: 'a b', description: 'd', inputSchema: { type: 'object' } }, 'TOOL_NAME_INVALID'],
    ['resources', { uri: 'no scheme', name: 'a' }, 'RESOURCE_MALFORMED'],
    ['resources', { uri: 'http://[', name: 'a' }, 'RESOURCE_MALFORMED'],
    ['resources', { uri: 'mortise://plugins/x', name: 'a' }, 'RESOURCE_URI_RESERVED'],
    ['resources', { uri: 'MORTISE:x', name: 'a' }, 'RESOURCE_URI_RESERVED'],
    ['resources', 5, 'RESOURCE_MALFORMED'],
    ['templates', { uriTemplate: 'a://{', name: 'a' }, 'RESOURCE_MALFORMED'],
    ['templates', { uriTemplate: 'mortise://{a}', name: 'a' }, 'RESOURCE_URI_RESERVED'],
    ['prompts', { name: '' }, 'PROMPT_MALFORMED'],
    ['prompts', { name: 'a', arguments: [{ name: 5 }] }, 'PROMPT_MALFORMED'],
  ])('loses of the %s of a mounted server what is malformed: %j', async (list, entry, code) => {
    const good = list === 'tools' ? [tool()] : [];
    const checked = await checkDefinition(listed({ [list]: [entry, ...good] }), MOUNTED);
    expect(codes(checked)).toEqual([code]);
    expect([...checked.tools, ...checked.resources, ...checked.prompts]).toHaveLength(good.length);
  });

  it.each([
    [
      'inputSchema',
      { inputSchema: { type: 'object', properties: { a: { type: 'text' } } } },
      '/properties/a/type must be',
    ],
    ['outputSchema', { outputSchema: { type: 'object', required: 'a' } }, '/required'],
    ['inputSchema', { inputSchema: { $schema: 'urn:own', type: 'object' } }, 'supported are'],
  ])('loses the tool alone whose schema is none: %s', async (member, bad, mentions) => {
    const checked = await checkDefinition({ ...EMPTY, tools: [tool({ name: 'bad', ...bad }), tool()] }, PLUGIN);
    expect(checked.tools.map(({ name }) => name)).toEqual(['good']);
    const { problems } = checked;
    expect(problems).toMatchObject([{ severity: 'error', code: 'TOOL_SCHEMA_INVALID', location: { subject: 'bad' } }]);
    expect(problems[0]!.message).toContain(member);
    expect(problems[0]!.message).toContain(mentions);
  });
});

describe('the place of a bad schema', () => {
  const inputSchema = { type: 'object', minimum: 'x' };
  const placeOf = async (more: object, file = PLUGIN.file) => {
    const tools = [tool({ inputSchema, ...more })];
    return (await checkDefinition({ ...EMPTY, tools }, { file, prefix: '' })).problems[0]!.location;
  };

  it('is that of the call that defined the tool', async () => {
    expect(await placeOf({ definedAt: { file: '/plugins/other.mjs', line: 7 } })).toEqual({
      file: '/plugins/other.mjs',
      line: 7,
      subject: 'good',
    });
    expect(await placeOf({ definedAt: 'elsewhere' })).toEqual({ file: PLUGIN.file, subject: 'good' });
  });

  it('is that of the class or the export, found in the text of the file', async () => {
    const file = join(makeTree({ 'p.mjs': '\nexport class Bad {}\nexport const look = defineTool({});' }), 'p.mjs');
    expect(await placeOf({ origin: 'class:Bad' }, file)).toEqual({ file, line: 2, subject: 'good' });
    expect(await placeOf({ origin: 'export:look' }, file)).toEqual({ file, line: 3, subject: 'good' });
  });
});

describe.each([PLUGIN, MOUNTED])('the instructions of what has the prefix $prefix', (source) => {
  const check = (instructions: unknown) => checkDefinition({ ...EMPTY, instructions }, source);

  it('are kept, and searched for hidden text', async () => {
    expect(await check('Use show first.')).toEqual({ ...EMPTY, instructions: 'Use show first.' });
    const hidden = await check('Use show first.\u200b');
    expect(codes(hidden)).toEqual(['DESCRIPTION_SUSPICIOUS']);
    expect(hidden.instructions).toBe('Use show first.\u200b');
  });

  it('are left out beyond the limit of a description, and when they are something other than text', async () => {
    const long = await check('a'.repeat(50_001));
    expect(codes(long)).toEqual(['LIMIT_EXCEEDED']);
    expect(long).not.toHaveProperty('instructions');
    expect(await check(5)).toEqual(EMPTY);
  });
});
