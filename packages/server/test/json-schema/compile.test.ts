import { describe, expect, it } from 'vitest';
import { compile } from '../../src/json-schema/compile.js';

describe('compile', () => {
  it('says whether a value fits, and in what it does not', () => {
    const validate = compile({
      type: 'object',
      properties: { a: { type: 'string' }, b: { type: 'number' } },
      required: ['a'],
    });
    expect(validate({ a: 'x' })).toBe(true);
    expect(validate.errors).toEqual([]);
    expect(validate({ b: 'x' })).toBe(false);
    expect(validate.errors.map(({ keyword, instancePath }) => [keyword, instancePath])).toEqual([
      ['required', ''],
      ['type', '/b'],
    ]);
    expect(validate({ a: 'x' })).toBe(true);
    expect(validate.errors).toEqual([]);
  });

  it('stops at the first violation when asked to', () => {
    const validate = compile({ properties: { a: { type: 'string' }, b: { type: 'number' } } }, { allErrors: false });
    validate({ a: 1, b: 'x' });
    expect(validate.errors).toHaveLength(1);
  });

  it.each<[string, object, unknown]>([
    ['coerces nothing', { properties: { n: { type: 'number' } } }, { n: '1' }],
    ['takes inherited members for absent', { required: ['constructor', 'toString'] }, {}],
    ['checks 2020-12 where nothing else is named', { prefixItems: [{ type: 'string' }] }, [1]],
    ['checks 2019-09', { $schema: 'https://json-schema.org/draft/2019-09/schema', items: [{ type: 'string' }] }, [1]],
    ['checks draft-07', { $schema: 'http://json-schema.org/draft-07/schema#', items: [{ type: 'string' }] }, [1]],
    ['checks draft-06', { $schema: 'http://json-schema.org/draft-06/schema', contains: { const: 2 } }, [1]],
    ['follows $ref into itself', { $ref: '#/$defs/a', $defs: { a: { type: 'string' } } }, 1],
    [
      'knows the meta-schema of its dialect',
      { $ref: 'https://json-schema.org/draft/2020-12/schema' },
      { type: 'nonsense' },
    ],
    ['gives nullable no meaning', { type: 'string', nullable: true }, null],
    ['is never asynchronous', { $async: true, type: 'string' }, 1],
  ])('%s', (_, schema, value) => {
    expect(compile(schema as never)(value)).toBe(false);
  });

  it.each<[string, object, unknown]>([
    ['takes format for an annotation', { format: 'email' }, 'no mail'],
    [
      'ignores unknown keywords',
      { 'x-order': 1, id: 'thing', discriminator: { propertyName: 'k' }, nullable: true },
      1,
    ],
    [
      'keeps properties that are named like keywords',
      { properties: { id: { type: 'string' }, nullable: { type: 'boolean' } }, required: ['id'] },
      { id: 'a', nullable: true },
    ],
    ['takes patterns that are valid without the Unicode flag only', { pattern: '^[\\w-.]+$' }, 'a-b.c'],
    ['reads patterns as Unicode otherwise', { pattern: '^.$' }, '😀'],
  ])('%s', (_, schema, value) => {
    expect(compile(schema as never)(value)).toBe(true);
  });

  it('tells a hundred thousand objects apart, and finds two that are equal', () => {
    const validate = compile({ uniqueItems: true });
    const objects = Array.from({ length: 100_000 }, (_, n) => ({ kind: 'the same', n }));
    expect(validate(objects)).toBe(true);
    expect(validate([...objects, { n: 7, kind: 'the same' }])).toBe(false);
    expect(validate.errors).toMatchObject([{ keyword: 'uniqueItems', params: { i: 100_000, j: 7 } }]);
  });

  it.each<[string, unknown[], boolean]>([
    ['texts and numbers', [1, '1', true, 'true', null, 'null'], true],
    ['the same number', [1, 1.0], false],
    [
      'lists in another order',
      [
        [1, 2],
        [2, 1],
      ],
      true,
    ],
    ['objects in another order', [{ a: { b: 1, c: 2 } }, { a: { c: 2, b: 1 } }], false],
    ['a member more', [{ a: 1 }, { a: 1, b: null }], true],
  ])('holds uniqueItems for %s', (_, items, isUnique) => {
    expect(compile({ uniqueItems: true })(items)).toBe(isUnique);
    expect(compile({ uniqueItems: false })(items)).toBe(true);
  });

  it.each([2_000, 8_000])(
    'checks an object of %i properties, whether it stops at the first violation or not',
    (count) => {
      const names = Array.from({ length: count }, (_, i) => `p${i}`);
      const schema = { properties: Object.fromEntries(names.map((name) => [name, { type: 'string' }])) };
      for (const allErrors of [false, true]) {
        const validate = compile(schema, { allErrors });
        expect([validate({ p1: 'x' }), validate({ p1: 1 })]).toEqual([true, false]);
      }
    },
  );

  it('fills in no defaults', () => {
    const value = {};
    compile({ properties: { a: { default: 1 } } })(value);
    expect(value).toEqual({});
  });

  it('keeps schemas with the same $id apart', () => {
    const schemaOf = (type: string) => ({
      $id: 'https://example.com/x',
      $ref: 'https://example.com/x#/$defs/v',
      $defs: { v: { $id: 'v', type } },
    });
    const [text, number] = [compile(schemaOf('string')), compile(schemaOf('number'))];
    expect([text('a'), text(1), number('a'), number(1)]).toEqual([true, false, false, true]);
  });

  it.each<[string, object, RegExp]>([
    [
      'an unknown $schema',
      { $schema: 'http://json-schema.org/draft-04/schema#' },
      /draft-04.*supported are 2020-12, 2019-09, draft-07, draft-06/,
    ],
    ['a $schema that is not text', { $schema: 7 }, /\$schema names 7/],
    ['a $ref that cannot be resolved', { $ref: '#/$defs/gone' }, /'#\/\$defs\/gone' cannot be resolved/],
    ['a $ref to the network', { $ref: 'https://example.com/schema.json' }, /are not fetched/],
    ['a pattern that is none', { pattern: '(' }, /Invalid regular expression/],
  ])('throws for %s', (_, schema, message) => {
    expect(() => compile(schema as never)).toThrow(message);
  });
});
