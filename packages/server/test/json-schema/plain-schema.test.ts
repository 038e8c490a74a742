import { Ajv2020 } from 'ajv/dist/2020.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isPlainSchema } from '../../src/json-schema/plain-schema.js';

const KEYWORDS = [
  ...['type', 'title', 'description', 'enum', 'const', 'default', 'examples', 'format', 'pattern', 'required'],
  ...['properties', '$defs', 'items', 'additionalProperties', 'propertyNames', 'not', 'anyOf', 'oneOf', 'allOf'],
  ...['minimum', 'maximum', 'exclusiveMinimum', 'minLength', 'maxItems', 'minProperties', 'uniqueItems', 'readOnly'],
  ...['$ref', 'patternProperties', 'multipleOf', 'dependentRequired', '$anchor', 'x-own'],
];

/** Values that some keyword allows, and that another does not. */
const { value } = fc.letrec<{ value: unknown; schema: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    fc.constantFrom<unknown>('string', 'integer', 'text', '', 0, 1, -1, 1.5, true, false, null),
    fc.array(fc.constantFrom<unknown>('a', 'b', 'string', 'null', 1), { maxLength: 3 }),
    tie('schema'),
    fc.array(tie('schema'), { maxLength: 2 }),
    fc.dictionary(fc.constantFrom('a', 'b'), tie('schema'), { maxKeys: 2 }),
  ),
  schema: fc.dictionary(fc.constantFrom(...KEYWORDS), tie('value'), { maxKeys: 3 }),
}));

describe('isPlainSchema', () => {
  it('holds of nothing that the meta-schema refuses', () => {
    const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false });
    let plain = 0;
    fc.assert(
      fc.property(value, (candidate) => {
        if (!isPlainSchema(candidate)) return;
        plain += 1;
        expect(ajv.validateSchema(candidate as object)).toBe(true);
      }),
      { numRuns: 5_000 },
    );
    expect(plain).toBeGreaterThan(100);
  });

  it('holds of what tools usually have', () => {
    const schema = {
      type: 'object',
      properties: {
        path: { type: 'string', minLength: 1, pattern: '^[a-z]+$', description: 'Where' },
        count: { type: ['integer', 'null'], minimum: 1, default: 1 },
        kinds: { type: 'array', items: { enum: ['a', 'b'] }, uniqueItems: true, maxItems: 3 },
        either: { anyOf: [{ type: 'string' }, { type: 'object', additionalProperties: { type: 'number' } }] },
      },
      required: ['path'],
      additionalProperties: false,
    };
    expect(isPlainSchema(schema)).toBe(true);
  });
});
