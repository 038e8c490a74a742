import type { ToolDefinition } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import definition from '../../../dotnet/dist/definition.json' with { type: 'json' };
import { isQuickCheck } from '../../src/json-schema/quick-check.js';

const double = (levels: number): Record<string, object> =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, i) => {
      const next = i + 1 === levels ? {} : { $ref: `#/$defs/d${i + 1}` };
      return [`d${i}`, { anyOf: [next, next] }];
    }),
  );
const numbers = (length: number) => Array.from({ length }, (_, i) => i);

describe('a check in the thread of the server', () => {
  it.each<[string, object, unknown]>([
    ['named members', { properties: { a: { type: 'string' }, b: { enum: [1, 2] } }, required: ['a'] }, { a: 'x' }],
    ['a format', { properties: { at: { type: 'string', format: 'date-time' } } }, { at: '2026-11-27T18:00:00Z' }],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'x'],
    ['equal definitions', { $ref: '#/$defs/a', allOf: [{ $ref: '#/$defs/a' }], $defs: { a: { minimum: 1 } } }, 1],
    ['properties named like keywords', { properties: { pattern: { type: 'string' }, $ref: {} } }, { pattern: 'x' }],
    ['a text of 100 KB', { properties: { a: { type: 'string', maxLength: 200_000 } } }, { a: 'x'.repeat(100_000) }],
    ['a list of a thousand objects', { items: { properties: { a: { type: 'number' } } } }, Array(1_000).fill({ a: 1 })],
  ])('is done for %s', (_, schema, value) => {
    expect(isQuickCheck(schema as never, value)).toBe(true);
  });

  it.each<[string, object, unknown]>([
    ['a pattern', { properties: { text: { pattern: '^[a-z]+$' } } }, {}],
    ['a pattern in a branch', { anyOf: [{}, { not: { pattern: '^(a+)+$' } }] }, {}],
    ['patterns of names', { patternProperties: { '^(a+)+$': {} } }, {}],
    ['a pattern behind a reference', { $ref: '#/$defs/a', $defs: { a: { pattern: 'a' } } }, {}],
    ['unequal items', { uniqueItems: true }, []],
    ['exact multiples', { multipleOf: 0.01 }, 1],
    ['a schema inside itself', { properties: { child: { $ref: '#' } } }, {}],
    ['a dynamic reference', { properties: { child: { $dynamicRef: '#node' } } }, {}],
    ['a reference by an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here' } } }, {}],
    ['a reference that is relative to an $id', { properties: { a: { $id: 'b', $ref: '#' } } }, {}],
    ['references that double', { $ref: '#/$defs/d0', $defs: double(12) }, 1],
    ['a schema of many parts', { enum: numbers(2_000) }, 1],
    ['a list of 100,000 objects', { items: { properties: { a: { type: 'number' } } } }, Array(100_000).fill({ a: 1 })],
    ['many parts and many values', { items: { enum: numbers(300) } }, numbers(1_000)],
    ['many lengths of a long text', { allOf: Array(150).fill({ maxLength: 9 }) }, 'a'.repeat(100_000)],
  ])('is not done for %s', (_, schema, value) => {
    expect(isQuickCheck(schema as never, value)).toBe(false);
  });

  it.each((definition.tools as unknown as ToolDefinition[]).map((tool) => [tool.name, tool] as const))(
    'is done for %s, because a tool of the server needs no thread',
    (_, { inputSchema, outputSchema }) => {
      expect(isQuickCheck(inputSchema, { action: 'x', project: 'x'.repeat(500) })).toBe(true);
      expect(isQuickCheck(outputSchema!, { text: 'x'.repeat(500) })).toBe(true);
    },
  );
});
