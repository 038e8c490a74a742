import { describe, expect, it } from 'vitest';
import { advertisedOutputSchema } from '../../src/json-schema/advertised-output-schema.js';
import { compile } from '../../src/json-schema/compile.js';

const ERROR = { success: false, errors: [{ code: 'TOOL_ERROR' }], exitCode: -1 };

const TREE = {
  type: 'object',
  properties: { name: { type: 'string' }, children: { items: { $ref: '#' } } },
  required: ['name'],
};
const HOISTED = { type: 'object', properties: { a: { $ref: '#/$defs/a' } }, $defs: { a: { type: 'string' } } };

describe('advertisedOutputSchema', () => {
  it('is an object that fits the tool’s own schema or an ErrorResponse, with $defs at the root', () => {
    const schema = advertisedOutputSchema(HOISTED);
    expect(schema).toMatchObject({
      type: 'object',
      anyOf: [
        { type: 'object', properties: { a: { $ref: '#/$defs/a' } } },
        { required: ['success', 'errors', 'exitCode'] },
      ],
      $defs: { a: { type: 'string' } },
    });
    expect((schema.anyOf as object[])[0]).not.toHaveProperty('$defs');
  });

  it.each<[string, object, unknown, unknown]>([
    ['$defs', HOISTED, { a: 'x' }, { a: 1 }],
    [
      'definitions of draft-07',
      {
        $schema: 'http://json-schema.org/draft-07/schema#',
        properties: { a: { $ref: '#/definitions/a' } },
        definitions: { a: { type: 'string' } },
      },
      { a: 'x' },
      { a: 1 },
    ],
    ['a reference to its root', TREE, { name: 'a', children: [{ name: 'b' }] }, { name: 'a', children: [ERROR] }],
    [
      'a reference from $defs to its root',
      {
        ...TREE,
        properties: { name: {}, children: { $ref: '#/$defs/list' } },
        $defs: { list: { items: { $ref: '#' } } },
      },
      { name: 'a', children: [] },
      { name: 'a', children: [ERROR] },
    ],
    [
      'a reference to a property',
      { properties: { a: { type: 'string' }, b: { $ref: '#/properties/a' } } },
      { b: 'x' },
      { b: 1 },
    ],
    [
      'a reference by its own $id',
      {
        $id: 'https://example.com/s',
        properties: { a: { $ref: 'https://example.com/s#/$defs/a' }, b: { $ref: 'https://example.com/s' } },
        required: ['a'],
        $defs: { a: { type: 'string' } },
      },
      { a: 'x', b: { a: 'y' } },
      { a: 'x', b: {} },
    ],
    [
      'an anchor',
      { properties: { a: { $ref: '#here' } }, $defs: { x: { $anchor: 'here', type: 'string' } } },
      { a: 'x' },
      { a: 1 },
    ],
    [
      'a subschema with an $id of its own',
      {
        properties: {
          a: {
            $id: 'https://example.com/inner',
            properties: { b: { $ref: '#/properties/c' }, c: { type: 'string' } },
          },
        },
      },
      { a: { b: 'x' } },
      { a: { b: 1 } },
    ],
    ['a property that is named $ref', { properties: { $ref: { type: 'string' } } }, { $ref: '#' }, { $ref: 1 }],
  ])('keeps the meaning of %s', (_, own, good, bad) => {
    const validate = compile(advertisedOutputSchema(own as never));
    expect([validate(good), validate(bad), validate(ERROR)]).toEqual([true, false, true]);
  });

  it('leaves data that looks like a reference as it is', () => {
    const own = { properties: { a: { default: { $ref: '#' }, enum: [{ $ref: '#' }] } } };
    expect((advertisedOutputSchema(own).anyOf as object[])[0]).toEqual(own);
  });
});

describe('a schema that every ErrorResponse fits', () => {
  const errors = {
    success: { type: 'boolean' },
    errors: { type: 'array' },
    exitCode: { type: 'integer' },
    metadata: { type: 'object' },
    lockInfo: { type: 'object' },
  };
  const own = { type: 'object', properties: { ...errors, version: { type: 'string' } } };

  it('is advertised as it is', () => {
    expect(advertisedOutputSchema(own)).toBe(own);
  });

  it.each([
    ['something is required', { ...own, required: ['version'] }],
    ['more is not allowed', { ...own, additionalProperties: false }],
    ['errors is something else', { ...own, properties: { ...own.properties, errors: { type: 'string' } } }],
    ['exitCode is bounded', { ...own, properties: { ...own.properties, exitCode: { type: 'integer', minimum: 0 } } }],
  ])('is none when %s', (_, schema) => {
    expect(advertisedOutputSchema(schema)).toHaveProperty('anyOf');
  });
});
