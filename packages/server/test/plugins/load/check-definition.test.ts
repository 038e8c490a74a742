import { join } from 'node:path';
import { toListedDefinition } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import { checkDefinition, checkLongDefinition, recheckSchemas } from '../../../src/plugins/load/check-definition.js';
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
  it('that keeps the rules is the same, and is looked at once', async () => {
    const input = {
      tools: [tool({ title: 'T', annotations: { readOnlyHint: true }, timeoutMs: 5, listed: false })],
      resources: [
        { uri: 'a://b', name: 'b', completes: [] },
        { uriTemplate: 'a://{c}', name: 'c', mimeType: 'text/plain', completes: ['c'] },
      ],
      prompts: [{ name: 'p', arguments: [{ name: 'x', required: true }], completes: ['x'] }],
      problems: [],
    };
    const checked = checkDefinition(input, PLUGIN);
    expect(checked).toEqual(input);
    const again = await checkLongDefinition(checked, PLUGIN);
    expect(again.tools[0]).toBe(checked.tools[0]);
    expect(again.prompts[0]).toBe(checked.prompts[0]);
  });

  it.each([[null], ['text'], [[]], [{}], [{ tools: {}, problems: 5 }]])('%j offers nothing', (input) => {
    expect(checkDefinition(input, PLUGIN)).toEqual(EMPTY);
  });

  it('keeps the problems that its plugin tells of, each once', () => {
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
    const checked = checkDefinition({ ...EMPTY, tools: [tool({ description: undefined })], problems }, PLUGIN);
    expect(checked.problems).toEqual([problem, { ...missing, hint: 'h', location: { file: PLUGIN.file } }]);
  });

  it('loses what is defined twice', () => {
    const resource = { uri: 'a://b', name: 'b' };
    const prompt = { name: 'p' };
    const checked = checkDefinition(
      { tools: [tool(), tool({ title: 'other' })], resources: [resource, resource], prompts: [prompt, prompt] },
      PLUGIN,
    );
    expect([checked.tools.length, checked.resources.length, checked.prompts.length]).toEqual([1, 1, 1]);
    expect(codes(checked)).toEqual(['TOOL_NAME_DUPLICATE', 'RESOURCE_DUPLICATE', 'PROMPT_DUPLICATE']);
  });

  it('has names with the prefix of its server, and no others', () => {
    const names = ['mcp.m.a', 'mcp.other.a', 'a', 'builtin.x', 5];
    const checked = checkDefinition(
      { ...EMPTY, tools: names.map((name) => tool({ name })), prompts: names.map((name) => ({ name })) },
      MOUNTED,
    );
    expect(checked.tools.map(({ name }) => name)).toEqual(['mcp.m.a']);
    expect(checked.prompts.map(({ name }) => name)).toEqual(['mcp.m.a']);
  });

  it('counts a name without the prefix of its server', () => {
    const tools = ['x'.repeat(128), 'y'.repeat(129)].map((name) => tool({ name }));
    const checked = checkDefinition(listed({ tools }), MOUNTED);
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
  ])('loses of the %s of a mounted server what is malformed: %j', (list, entry, code) => {
    const good = list === 'tools' ? [tool()] : [];
    const checked = checkDefinition(listed({ [list]: [entry, ...good] }), MOUNTED);
    expect(codes(checked)).toEqual([code]);
    expect([...checked.tools, ...checked.resources, ...checked.prompts]).toHaveLength(good.length);
  });

  it('has its schemas looked into later, where they were good at an earlier start', async () => {
    const bad = tool({ name: 'bad', inputSchema: { type: 'object', properties: { a: { type: 'nonsense' } } } });
    const validated = checkDefinition({ ...EMPTY, tools: [bad, tool()] }, { ...PLUGIN, areSchemasValidated: true });
    expect(validated.tools).toHaveLength(2);
    expect(await recheckSchemas(validated, PLUGIN)).toBe(true);
    const later = checkDefinition(validated, PLUGIN);
    expect(later.tools.map(({ name }) => name)).toEqual(['good']);
    expect(codes(later)).toEqual(['TOOL_SCHEMA_INVALID']);
    expect(await recheckSchemas(later, PLUGIN)).toBe(false);
  });
});

describe('the place of a bad schema', () => {
  const inputSchema = { type: 'object', minimum: 'x' };
  const placeOf = (more: object, file = PLUGIN.file) =>
    checkDefinition({ ...EMPTY, tools: [tool({ inputSchema, ...more })] }, { file, prefix: '' }).problems[0]!.location;

  it('is that of the call that defined the tool', () => {
    expect(placeOf({ definedAt: { file: '/plugins/other.mjs', line: 7 } })).toEqual({
      file: '/plugins/other.mjs',
      line: 7,
      subject: 'good',
    });
    expect(placeOf({ definedAt: 'elsewhere' })).toEqual({ file: PLUGIN.file, subject: 'good' });
  });

  it('is that of the class or the export, found in the text of the file', () => {
    const file = join(makeTree({ 'p.mjs': '\nexport class Bad {}\nexport const look = defineTool({});' }), 'p.mjs');
    expect(placeOf({ origin: 'class:Bad' }, file)).toEqual({ file, line: 2, subject: 'good' });
    expect(placeOf({ origin: 'export:look' }, file)).toEqual({ file, line: 3, subject: 'good' });
  });
});

describe.each([PLUGIN, MOUNTED])('the instructions of what has the prefix $prefix', (source) => {
  const check = (instructions: unknown) => checkDefinition({ ...EMPTY, instructions }, source);

  it('are kept, and searched for hidden text', () => {
    expect(check('Use show first.')).toEqual({ ...EMPTY, instructions: 'Use show first.' });
    const hidden = check('Use show first.\u200b');
    expect(codes(hidden)).toEqual(['DESCRIPTION_SUSPICIOUS']);
    expect(hidden.instructions).toBe('Use show first.\u200b');
  });

  it('are left out beyond the limit of a description, and when they are something other than text', () => {
    const long = check('a'.repeat(50_001));
    expect(codes(long)).toEqual(['LIMIT_EXCEEDED']);
    expect(long).not.toHaveProperty('instructions');
    expect(check(5)).toEqual(EMPTY);
  });
});
