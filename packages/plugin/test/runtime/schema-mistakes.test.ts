import { openPlugin } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';

async function problemsOf(inputSchema: object) {
  const tool = { name: 'look', description: 'Looks.', inputSchema, run: () => 'x' };
  const register = (api: { registerTool(tool: object): void }) => api.registerTool(tool);
  return (await openPlugin({ register })).problems;
}

const suspicious = (rest: string) => [
  { severity: 'warning', code: 'SCHEMA_SUSPICIOUS', message: `The inputSchema of Tool 'look' ${rest}.` },
];
const invalid = (rest: string) => [
  { severity: 'error', code: 'TOOL_SCHEMA_INVALID', message: `The inputSchema of Tool 'look' ${rest}.` },
];

describe('a flat schema', () => {
  it.each([
    ['without a type', { city: { type: 'string' } }],
    ['with the type of an object', { type: 'object', city: { type: 'string' } }],
    ['of listed values', { type: 'object', city: { enum: ['Oslo'] } }],
  ])('is one problem that says where the parameter belongs: %s', async (_, schema) => {
    expect(await problemsOf(schema)).toMatchObject(
      suspicious("has 'city' at its root, which is not a keyword: put it under properties"),
    );
  });

  it.each([
    { type: 'object', properties: { city: { type: 'string' } }, additionalProperties: { type: 'string' } },
    { type: 'object', $defs: { type: { type: 'string' } }, 'x-of-ours': { type: 'string' } },
    { type: 'object', default: { type: 'string' }, examples: [{ type: 'string' }] },
    { type: 'object', if: { type: 'object' }, patternProperties: { a: { type: 'string' } } },
  ])('is not one of keywords: %j', async (schema) => {
    expect(await problemsOf(schema)).toEqual([]);
  });
});

describe('a schema with a mistake of other languages', () => {
  it.each([
    ['int', 'integer'],
    ['bool', 'boolean'],
    ['strng', 'string'],
  ])('the type %s', async (type, meant) => {
    expect(await problemsOf({ type: 'object', properties: { n: { type } } })).toMatchObject(
      invalid(`has the type '${type}' at /properties/n (did you mean '${meant}'?)`),
    );
  });

  it('required in a property, at any depth', async () => {
    const n = { type: 'string', required: true };
    expect(await problemsOf({ type: 'object', properties: { n } })).toMatchObject(
      invalid("has required: true at /properties/n: write required: ['n'] beside properties"),
    );
    const list = { type: 'array', items: { type: 'object', properties: { n } } };
    expect(await problemsOf({ type: 'object', properties: { list } })).toMatchObject(
      invalid("has required: true at /properties/list/items/properties/n: write required: ['n'] beside properties"),
    );
  });
});
