import type { JsonSchema } from '@mortise/plugin';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECKS, schemaMismatch } from '../../src/call/validation/validate-arguments.js';
import { compile } from '../../src/json-schema/compile.js';

const isMultiple = (value: number, multipleOf: number) => compile({ multipleOf })(value);

describe('multipleOf', () => {
  it.each<[number, number]>([
    [0.07, 0.01],
    [1.13, 0.01],
    [4.35, 0.01],
    [19.99, 0.01],
    [-19.99, 0.01],
    [0, 0.01],
    [-0, 7],
    [0.3, 0.1],
    [1e-7, 1e-8],
    [1.1e-7, 1e-8],
    [123456789.01, 0.01],
    [1e22, 0.001],
    [1e300, 1e-300],
    [1.5, 1.5],
    [12, 4],
    [2 ** 60, 2],
    [9007199254740993000, 1000],
    [5e-324, 5e-324],
    [7.5, 2.5],
    [1, 0.2],
  ])('takes %d for a multiple of %d', (value, factor) => {
    expect(isMultiple(value, factor)).toBe(true);
  });

  it.each<[number, number]>([
    [0.071, 0.01],
    [4.355, 0.01],
    [19.999, 0.01],
    [1e-9, 1e-8],
    [123456789.011, 0.01],
    [0.1, 0.3],
    [1, 0.3],
    [1e300, 7],
    [7, 2],
    [0.30000000000000004, 0.1],
    [9007199254740991, 2],
    [1.0000000000000002, 1],
    [5e-324, 1e-323],
    [1e-300, 1e300],
  ])('does not take %d for a multiple of %d', (value, factor) => {
    expect(isMultiple(value, factor)).toBe(false);
  });

  it('is exact for any decimals', () => {
    const digits = fc.integer({ min: 1, max: 9_999_999 });
    const exponents = fc.integer({ min: -20, max: 20 });
    fc.assert(
      fc.property(digits, fc.integer({ min: -9_999_999, max: 9_999_999 }), exponents, (factor, times, exponent) => {
        const of = Number(`${factor}e${exponent}`);
        expect(isMultiple(Number(`${factor * times}e${exponent}`), of)).toBe(true);
        if (factor > 1) expect(isMultiple(Number(`${factor * times + 1}e${exponent}`), of)).toBe(false);
      }),
    );
  });

  it('is exact wherever the keyword is, in every dialect, and for results', () => {
    const price = { type: 'number', multipleOf: 0.01 };
    const schemas = [
      { properties: { a: price } },
      { properties: { a: { anyOf: [price, { type: 'string' }] } } },
      { properties: { a: { $ref: '#/$defs/price' } }, $defs: { price } },
      { additionalProperties: { not: { not: price } } },
      { patternProperties: { '^a$': price } },
      { $schema: 'http://json-schema.org/draft-07/schema#', properties: { a: price } },
      { $schema: 'http://json-schema.org/draft-06/schema#', properties: { a: price } },
      { $schema: 'https://json-schema.org/draft/2019-09/schema', properties: { a: price } },
    ];
    for (const schema of schemas as JsonSchema[]) {
      expect(CHECKS.arguments({ a: 4.35 }, schema)).toEqual([]);
      expect(CHECKS.arguments({ a: 4.355 }, schema)).toHaveLength(1);
      expect(schemaMismatch({ a: 4.35 }, schema)).toBeUndefined();
      expect(schemaMismatch({ a: 4.355 }, schema)).toBeDefined();
    }
    const [error] = CHECKS.arguments({ list: [{ n: 0.5 }, { n: 0.55 }] }, {
      properties: { list: { items: { properties: { n: { multipleOf: 0.1 } } } } },
    } as JsonSchema);
    expect(error).toMatchObject({
      message: "Parameter 'list/1/n' must be a multiple of 0.1",
      data: { additionalData: { parameter: 'list/1/n', reason: 'invalid value' } },
    });
  });
});
