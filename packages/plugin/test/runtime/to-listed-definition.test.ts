import { describe, expect, it } from 'vitest';
import { missingCapability, toListedDefinition } from '../../src/runtime/index.js';

const OPTIONS = { prefix: 'mcp.m.', origin: 'mounted', canComplete: true };
const NONE = { tools: [], resources: [], templates: [], prompts: [] };
const read = (listed: Partial<typeof NONE | Record<string, unknown[]>>) =>
  toListedDefinition({ ...NONE, ...listed }, OPTIONS);

describe('the lists of an MCP server', () => {
  it('are a definition whose tools and prompts have the prefix', () => {
    const definition = read({
      tools: [
        { name: 'builtin.x', description: 'd', inputSchema: { type: 'object' }, _meta: {}, timeoutMs: 1, listed: 3 },
      ],
      resources: [{ uri: 'a://b', name: 'b', size: 5, completes: ['x'] }],
      templates: [{ uriTemplate: 'a://{one}/{?two,three*}', name: 't' }],
      prompts: [{ name: 'mcp.p', arguments: [{ name: 'who', required: true }] }],
    });
    expect(definition).toEqual({
      tools: [
        { name: 'mcp.m.builtin.x', description: 'd', inputSchema: { type: 'object' }, _meta: {}, origin: 'mounted' },
      ],
      resources: [
        { uri: 'a://b', name: 'b', size: 5 },
        { uriTemplate: 'a://{one}/{?two,three*}', name: 't', completes: ['one', 'two', 'three'] },
      ],
      prompts: [{ name: 'mcp.m.mcp.p', arguments: [{ name: 'who', required: true }], completes: ['who'] }],
    });
  });

  it.each([[null], ['text'], [5], [[]]])('leave what is not an object for the check: %j', (entry) => {
    const lists = read({ tools: [entry], resources: [entry], templates: [entry], prompts: [entry] });
    expect(lists).toEqual({ tools: [entry], resources: [entry, entry], prompts: [entry] });
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
