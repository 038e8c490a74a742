import { describe, expect, it } from 'vitest';
import { metaCheck } from '../../src/json-schema/meta-check.js';

function nested(levels: number): object {
  let schema = {};
  for (let i = 0; i < levels; i++) schema = { not: schema };
  return schema;
}

describe('metaCheck', () => {
  it.each<[string, object]>([
    ['an empty schema', {}],
    ['unknown keywords', { type: 'object', 'x-thing': { a: 1 }, nullable: true, id: 3 }],
    ['a tuple of draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }],
    ['the same draft over https and without #', { $schema: 'https://json-schema.org/draft-07/schema', items: [{}] }],
    ['draft-06', { $schema: 'http://json-schema.org/draft-06/schema#', exclusiveMinimum: 3 }],
    ['2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema', $recursiveAnchor: true }],
    [
      'a reference to itself',
      { properties: { child: { $ref: '#' }, a: { $ref: '#/$defs/a' } }, $defs: { a: { $anchor: 'here' } } },
    ],
    ['an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here' } } }],
    [
      '$ref as a property and in data',
      { properties: { $ref: { type: 'string' } }, default: { $ref: 'nowhere' }, enum: [{ pattern: '(' }] },
    ],
    ['a hundred levels', nested(100)],
    ['a reference by an escaped pointer', { $ref: '#/$defs/a~1b%20c', $defs: { 'a/b c': { type: 'string' } } }],
    ['one reference many times', { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: true } }],
  ])('has nothing against %s', (_, schema) => {
    expect(metaCheck(schema)).toEqual([]);
  });

  it.each<[string, unknown, string[]]>([
    [
      'a type that does not exist',
      { properties: { a: { type: 'text' } } },
      ['/properties/a/type must be one of', 'string'],
    ],
    ['required that is not a list', { required: 'a' }, ['/required must be array']],
    ['a tuple in 2020-12', { items: [{}] }, ['/items']],
    ['draft-04’s exclusiveMinimum', { exclusiveMinimum: true }, ['/exclusiveMinimum must be number']],
    ['properties that are not schemas', { properties: { a: 'string' } }, ['/properties/a']],
    ['a bad root keyword', { type: 5 }, ['/type']],
    ['an unknown $schema', { $schema: 'https://example.com/own' }, ['https://example.com/own', 'draft-07']],
    [
      'a $ref that cannot be resolved',
      { properties: { a: { $ref: '#/definitions/gone' } } },
      ["'#/definitions/gone' cannot be resolved"],
    ],
    ['a $ref to the network', { $ref: 'https://example.com/a.json' }, ['are not fetched']],
    ['a pattern that is none', { properties: { a: { pattern: '[' } } }, ['Invalid regular expression']],
    ['patternProperties that are none', { patternProperties: { '(': {} } }, ['Invalid regular expression']],
    [
      'two anchors of one name',
      { $defs: { a: { $anchor: 'x', type: 'string' }, b: { $anchor: 'x', type: 'number' } } },
      ['x'],
    ],
    ['a $ref to itself, where it stands', { type: 'object', $ref: '#' }, ["$ref '#' refers to itself"]],
    [
      'references that lead back in place',
      { $ref: '#/$defs/a', $defs: { a: { anyOf: [{ $ref: '#/$defs/b' }, {}] }, b: { if: { $ref: '#/$defs/a' } } } },
      ['refers to itself'],
    ],
    ['a $ref to what is not a schema', { $ref: '#/type', type: 'object' }, ["'#/type' cannot be resolved"]],
    ['three hundred levels', nested(300), ['nested too deeply']],
    ['a hundred thousand levels', nested(100_000), ['nested too deeply']],
    ['a list', [], ['not an object']],
    ['true', true, ['not an object']],
    ['null', null, ['not an object']],
  ])('says what is wrong with %s', (_, schema, mentions) => {
    const problems = metaCheck(schema).join('\n');
    for (const mention of mentions) expect(problems).toContain(mention);
  });

  it('says at most five things', () => {
    const properties = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`p${i}`, { type: 'text' }]));
    expect(metaCheck({ properties })).toHaveLength(5);
  });
});
