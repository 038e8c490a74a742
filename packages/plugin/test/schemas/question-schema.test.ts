import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { checkContent, readQuestionSchema } from '../../src/schemas/question-schema.js';

const field = (schema: unknown) => ({ type: 'object', properties: { f: schema } });
const read = (schema: unknown) => readQuestionSchema(schema, 'k').json;

describe('the schema of a question', () => {
  it('is asked as MCP has it, whatever library wrote it', () => {
    const schema = z.object({
      name: z.string().min(2).describe('Who'),
      mail: z.email().optional(),
      age: z.int().positive().default(3),
      kind: z.enum(['web', 'api']).default('web'),
      size: z.union([z.literal('s'), z.literal('l')]),
      only: z.literal('x'),
      tags: z.array(z.enum(['a', 'b'])).max(2),
      sure: z.boolean(),
    });
    expect(read(schema)).toEqual({
      type: 'object',
      properties: {
        name: { type: 'string', minLength: 2, description: 'Who' },
        mail: { type: 'string', format: 'email' },
        age: { type: 'integer', maximum: Number.MAX_SAFE_INTEGER, default: 3 },
        kind: { type: 'string', enum: ['web', 'api'], default: 'web' },
        size: {
          type: 'string',
          oneOf: [
            { const: 's', title: 's' },
            { const: 'l', title: 'l' },
          ],
        },
        only: { type: 'string', enum: ['x'] },
        tags: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, maxItems: 2 },
        sure: { type: 'boolean' },
      },
      required: ['name', 'size', 'only', 'tags', 'sure'],
    });
    expect(read({ city: z.string() })).toEqual({
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    });
    expect(read(field({ enum: ['a'] }))).toEqual(field({ type: 'string', enum: ['a'] }));
  });

  it.each([
    ['an object', z.object({ f: z.object({ a: z.string() }) }), "'f' is an object"],
    ['a list of objects', z.object({ f: z.array(z.object({})) }), "'f' is a list of something other than"],
    ['a list of texts', field({ type: 'array', items: { type: 'string' } }), "'f' is a list of something other than"],
    ['a union', z.object({ f: z.union([z.string(), z.number()]) }), "'f' can be of several types (string, number)"],
    ['several types', field({ type: ['string', 'null'] }), "'f' can be of several types (string, null)"],
    ['a choice of numbers', field({ enum: [1, 2] }), "'f' is a choice of something other than texts"],
    ['a text alone', z.string(), 'its schema must be an object with fields'],
    ['a choice at the root', { type: 'object', oneOf: [] }, "its schema has the keyword 'oneOf'"],
    ['a pattern', field({ type: 'string', pattern: '^a$' }), `'f' has pattern "^a$", which MCP does not allow`],
    [
      'a format of its own',
      field({ type: 'string', format: 'uuid' }),
      `'f' has format "uuid", which MCP does not allow`,
    ],
    ['a default of another type', field({ type: 'integer', default: 'x' }), `'f' has default "x"`],
  ])('cannot ask for %s', (_, schema, message) => {
    expect(() => read(schema)).toThrow(TypeError);
    expect(() => read(schema)).toThrow(`Question 'k': ${message}`);
  });
});

describe('the content of an answer', () => {
  const form = {
    type: 'object',
    properties: {
      name: { type: 'string', minLength: 2 },
      mail: { type: 'string', format: 'email' },
      day: { type: 'string', format: 'date' },
      at: { type: 'string', format: 'date-time' },
      url: { type: 'string', format: 'uri' },
      age: { type: 'integer', minimum: 0 },
      kind: { type: 'string', oneOf: [{ const: 'a', title: 'A' }], default: 'a' },
      tags: { type: 'array', items: { anyOf: [{ const: 'x', title: 'X' }] }, minItems: 1 },
    },
    required: ['name'],
  };

  it('gets the defaults of its form', () => {
    expect(checkContent(form, { name: 'Ada', more: 1 })).toEqual({ value: { name: 'Ada', more: 1, kind: 'a' } });
  });

  it.each([
    [{}, 'name', 'is required'],
    [{ name: 5 }, 'name', 'must be string'],
    [{ name: 'A' }, 'name', 'must have at least 2 characters'],
    [{ name: 'Ada', mail: 'me' }, 'mail', 'must be a valid email'],
    [{ name: 'Ada', day: '2026-02-31' }, 'day', 'must be a valid date'],
    [{ name: 'Ada', at: '2026-02-01' }, 'at', 'must be a valid date-time'],
    [{ name: 'Ada', url: 'example' }, 'url', 'must be a valid uri'],
    [{ name: 'Ada', age: 1.5 }, 'age', 'must be integer'],
    [{ name: 'Ada', kind: 'b' }, 'kind', 'must be one of "a"'],
    [{ name: 'Ada', tags: ['y'] }, 'tags', 'must be one of "x"'],
    [{ name: 'Ada', tags: [] }, 'tags', 'must have at least 1 entries'],
  ])('%j does not fit', (content, name, message) => {
    const { issues } = checkContent(form, content as never);
    expect(issues?.map(({ path, message }) => [path?.[0], message])).toEqual([[name, message]]);
  });

  it('takes what a server asks in a form that MCP does not have', () => {
    const odd = { type: 'object', properties: { f: { type: 'object', properties: {} }, g: 5, h: { enum: 3 } } };
    expect(checkContent(odd, { f: 'x', g: {}, h: null })).toEqual({ value: { f: 'x', g: {}, h: null } });
    expect(checkContent({}, { a: 1 })).toEqual({ value: { a: 1 } });
  });
});
