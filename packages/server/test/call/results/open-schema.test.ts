import type { JsonSchema } from '@mortise/plugin';
import { expect, it } from 'vitest';
import { openSchema } from '../../../src/call/results/open-schema.js';

const closed = { type: 'object', properties: { a: {} }, additionalProperties: false } as const;
const opened = { type: 'object', properties: { a: {} } };

it.each<[title: string, schema: object, expected: object]>([
  ['additionalProperties', closed, opened],
  ['unevaluatedProperties', { allOf: [{}], unevaluatedProperties: false }, { allOf: [{}] }],
  ['parts of the same object', { allOf: [closed], anyOf: [closed, true] }, { allOf: [opened], anyOf: [opened, true] }],
  [
    'what the root refers to',
    { $ref: '#/$defs/args', $defs: { args: closed, other: closed } },
    { $ref: '#/$defs/args', $defs: { args: opened, other: closed } },
  ],
])('opens the root: %s', (_title, schema, expected) => {
  const before = structuredClone(schema);
  expect(openSchema(schema as JsonSchema)).toEqual(expected);
  expect(schema).toEqual(before);
});

it.each<[title: string, schema: object]>([
  ['members', { type: 'object', properties: { a: closed } }],
  ['items', { type: 'object', properties: { a: { items: closed } } }],
  ['alternatives that exclude each other', { oneOf: [closed, { ...closed, properties: { b: {} } }] }],
  ['a schema for additional members', { additionalProperties: { type: 'string' } }],
  ['a schema that names its dialect', { $schema: 'https://json-schema.org/draft/2020-12/schema', ...closed }],
  ['a reference to elsewhere', { $ref: 'https://example.org/x' }],
])('leaves the rest as it is: %s', (_title, schema) => {
  expect(openSchema(schema as JsonSchema)).toEqual(schema);
});
