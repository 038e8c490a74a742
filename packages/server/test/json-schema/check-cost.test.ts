import { describe, expect, it } from 'vitest';
import { isQuickCheck } from '../../src/json-schema/check-cost.js';
import { patternCost } from '../../src/json-schema/pattern-cost.js';

const text = (pattern: string) => ({ type: 'object', properties: { text: { type: 'string', pattern } } });
const double = (levels: number): Record<string, object> =>
  Object.fromEntries(
    Array.from({ length: levels }, (_, i) => {
      const next = i + 1 === levels ? {} : { $ref: `#/$defs/d${i + 1}` };
      return [`d${i}`, { anyOf: [next, next] }];
    }),
  );

describe('isQuickCheck', () => {
  it.each<[string, object, unknown]>([
    ['named members', { properties: { a: { type: 'string' }, b: { enum: [1, 2] } }, required: ['a'] }, { a: 'x' }],
    ['a simple pattern', text('^[a-z][a-z0-9-]*$'), { text: 'a'.repeat(100) }],
    ['a choice', text('^(add|remove|list)$'), { text: 'add' }],
    ['a simple pattern and a long text', text('^[a-z]+$'), { text: 'a'.repeat(100_000) }],
    ['a reference', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 'x'],
    ['definitions that nothing refers to', { $defs: { a: { $ref: '#/$defs/a' } } }, {}],
    ['properties named like keywords', { properties: { pattern: { type: 'string' }, $ref: {} } }, { pattern: 'x' }],
    ['a long text', { properties: { a: { type: 'string', maxLength: 1_500_000 } } }, { a: 'x'.repeat(1_000_000) }],
    ['unequal items', { items: { type: 'string' }, uniqueItems: true }, ['a', 'b', 'c']],
    ['patterns in data', { const: { pattern: '(a+)+' }, default: { $ref: '#' } }, {}],
  ])('is sure of %s', (_, schema, value) => {
    expect(isQuickCheck(schema as never, value)).toBe(true);
  });

  it.each<[string, object, unknown]>([
    ['a pattern in a loop of loops', text('^(a+)+$'), { text: '' }],
    ['such a pattern for names', { patternProperties: { '^(a+)+$': {} } }, {}],
    ['a pattern that is slow for a long text', text('a+b'), { text: 'a'.repeat(100_000) }],
    ['a schema inside itself', { properties: { child: { $ref: '#' } } }, {}],
    ['dynamic references', { properties: { child: { $dynamicRef: '#node' } } }, {}],
    ['a reference by an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here' } } }, {}],
    ['a reference that is relative to an $id', { properties: { a: { $id: 'b', $ref: '#' } } }, {}],
    ['references that double', { $ref: '#/$defs/d0', $defs: double(12) }, 1],
    ['more parts than are compiled soon', { enum: Array.from({ length: 2_000 }, (_, i) => i) }, 1],
    [
      'many lengths and a long text',
      { allOf: Array.from({ length: 300 }, () => ({ maxLength: 5_000_000 })) },
      'a'.repeat(1_000_000),
    ],
    ['many unequal items', { uniqueItems: true }, Array.from({ length: 300_000 }, (_, i) => i)],
    [
      'many parts and many values beside a long text',
      { additionalProperties: { enum: Array.from({ length: 900 }, (_, i) => i) } },
      { ...Array(10_000).fill(1), long: 'a'.repeat(3_000_000) },
    ],
    ['a pattern that is one without the flag for Unicode', text('^\\p{0,}\\p{0,}\\p{0,}\\p{0,}x$'), { text: 'ppp' }],
    [
      'many parts and many values',
      { items: { enum: Array.from({ length: 900 }, (_, i) => i) } },
      Array(10_000).fill(1),
    ],
  ])('is not sure of %s', (_, schema, value) => {
    expect(isQuickCheck(schema as never, value)).toBe(false);
  });
});

describe('patternCost', () => {
  it.each<[string, number, number]>([
    ['^abc$', 5, 1],
    ['abc', 3, 1],
    ['^[a-z]+$', 8, 1],
    ['[a-z]+', 6, 2],
    ['^a*b*c*$', 8, 3],
    ['^a{3}$', 18, 1],
    ['^a{1,3}b$', 9, 1],
    ['^a?b?$', 24, 1],
    ['^(a|b|c)$', 27, 1],
    ['^(?:a|b)(?<x>c)?$', 68, 1],
    ['^a|b$', 10, 1],
    ['^\\p{L}+\\.[^\\]]+$', 16, 2],
  ])('knows that %s takes %i · n^%i', (pattern, factor, degree) => {
    expect(patternCost(pattern)).toEqual({ factor, degree });
  });

  it.each([
    '\\p{9}',
    '\\u{61}]',
    '(a+)+',
    '(a|a)*',
    '(?:ab){2,}',
    '(ab){3}',
    '(?=a+)b',
    '(?<!a)b',
    '(a)\\1',
    '(?<x>a)\\k<x>',
    '(',
    ')',
  ])('does not know what %s takes', (pattern) => {
    expect(patternCost(pattern).degree).toBe(Number.POSITIVE_INFINITY);
  });
});
