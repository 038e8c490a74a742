import { describe, expect, it } from 'vitest';
import { missingCapability, readListedOffers } from '../../src/host/index.js';

const OPTIONS = { file: '/app/appsettings.json', prefix: 'mcp.m.', origin: 'mounted', canComplete: true };
const NONE = { tools: [], resources: [], templates: [], prompts: [] };
const read = (listed: Partial<typeof NONE | Record<string, unknown[]>>) =>
  readListedOffers({ ...NONE, ...listed }, OPTIONS);

describe('the lists of an MCP server', () => {
  it('are a definition whose tools and prompts have the prefix', () => {
    const definition = read({
      tools: [
        { name: 'builtin.x', description: 'd', inputSchema: { type: 'object' }, _meta: {}, timeoutMs: 1, listed: 3 },
      ],
      resources: [{ uri: 'a://b', name: 'b', size: 5 }],
      templates: [{ uriTemplate: 'a://{one}/{?two,three*}', name: 't' }],
      prompts: [{ name: 'mcp.p', arguments: [{ name: 'who', required: true }] }],
    });
    expect(definition).toEqual({
      tools: [{ name: 'mcp.m.builtin.x', description: 'd', inputSchema: { type: 'object' }, origin: 'mounted' }],
      resources: [
        { uri: 'a://b', name: 'b', completes: [] },
        { uriTemplate: 'a://{one}/{?two,three*}', name: 't', completes: ['one', 'two', 'three'] },
      ],
      prompts: [{ name: 'mcp.m.mcp.p', arguments: [{ name: 'who', required: true }], completes: ['who'] }],
      problems: [],
    });
  });

  it('count the name without the prefix', () => {
    const tool = (name: string) => ({ name, description: 'd', inputSchema: { type: 'object' } });
    const { tools, problems } = read({ tools: [tool('x'.repeat(128)), tool('y'.repeat(129))] });
    expect(tools.map(({ name }) => name.length)).toEqual([134]);
    expect(problems.map(({ code, place }) => [code, place.file])).toEqual([['TOOL_NAME_INVALID', OPTIONS.file]]);
  });

  it.each([
    ['tools', null, 'TOOL_MALFORMED'],
    ['tools', 'text', 'TOOL_MALFORMED'],
    ['tools', { name: 'a', description: 'd', inputSchema: { type: 'string' } }, 'TOOL_SCHEMA_INVALID'],
    ['tools', { name: 'a b', description: 'd', inputSchema: { type: 'object' } }, 'TOOL_NAME_INVALID'],
    ['resources', { uri: 'no scheme', name: 'a' }, 'RESOURCE_MALFORMED'],
    ['resources', 5, 'RESOURCE_MALFORMED'],
    ['templates', { uriTemplate: 'a://{', name: 'a' }, 'RESOURCE_MALFORMED'],
    ['prompts', { name: '' }, 'PROMPT_MALFORMED'],
    ['prompts', { name: 'a', arguments: [{ name: 5 }] }, 'PROMPT_MALFORMED'],
  ])('lose of %s what is malformed: %j', (list, entry, code) => {
    const good = { tools: { name: 'good', description: 'd', inputSchema: { type: 'object' } } }[list];
    const definition = read({ [list]: good ? [entry, good] : [entry] });
    expect(definition.problems.map((problem) => problem.code)).toEqual([code]);
    expect([...definition.tools, ...definition.resources, ...definition.prompts]).toHaveLength(good ? 1 : 0);
  });
});

describe('missingCapability', () => {
  const form = { method: 'elicitation/create', params: { mode: 'form' } } as const;
  const url = { method: 'elicitation/create', params: { mode: 'url' } } as const;
  const roots = { method: 'roots/list', params: {} } as const;

  it.each([
    [form, { elicitation: {} }],
    [form, { elicitation: { form: {} } }],
    [url, { elicitation: { url: {} } }],
    [roots, { roots: {} }],
  ])('is nothing for %j of a client with %j', (request, capabilities) => {
    expect(missingCapability([request], capabilities)).toBeUndefined();
  });

  it.each([
    [form, {}, { elicitation: { form: {} } }],
    [form, { elicitation: { url: {} } }, { elicitation: { form: {} } }],
    [url, { elicitation: {} }, { elicitation: { url: {} } }],
    [roots, { elicitation: {} }, { roots: {} }],
  ])('tells for %j of a client with %j what it needs', (request, capabilities, required) => {
    expect(missingCapability([request], capabilities)).toMatchObject({
      kind: 'error',
      errors: [{ code: 'CAPABILITY_NOT_AVAILABLE' }],
      requiredCapabilities: required,
    });
  });
});
