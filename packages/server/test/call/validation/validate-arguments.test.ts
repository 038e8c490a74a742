import type { JsonObject, JsonSchema } from '@mortise/plugin';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { CHECKS, schemaMismatch, structuralProblem } from '../../../src/call/validation/validate-arguments.js';

/** As the pipeline of a call does it. */
function errorsOf(args: JsonObject, schema: JsonSchema) {
  const shape = structuralProblem(args);
  return shape ? [shape] : CHECKS.arguments(args, schema);
}

/** Each error as `parameter: reason: message`. */
function lines(args: unknown, schema: JsonSchema): string[] {
  return errorsOf(args as JsonObject, schema).map(
    ({ message, data }) => `${data?.additionalData?.parameter}: ${data?.additionalData?.reason}: ${message}`,
  );
}

const object = (properties: Record<string, object>, more: object = {}): JsonSchema =>
  ({ type: 'object', properties, ...more }) as JsonSchema;

describe('the check of arguments', () => {
  it('says the first ten of many thousand violations, soon', () => {
    const list = Array.from({ length: 16_000 }, (_, i) => i % 10);
    expect(lines({ list }, object({ list: { items: { type: 'string' } } }))).toHaveLength(10);
    const choice = object({ list: { items: { anyOf: [{ type: 'string' }, { type: 'boolean' }] } } });
    const found = lines({ list }, choice);
    expect(found).toHaveLength(10);
    expect(found[0]).toContain('list/0: invalid value');
    const branches = Array.from({ length: 600 }, (_, i) => ({ const: `c${i}` }));
    expect(lines({ a: 1 }, object({ a: { anyOf: branches } }))).toEqual([expect.stringContaining('a: invalid value')]);
  });

  it('says nothing of valid arguments', () => {
    expect(errorsOf({ city: 'Rome' }, object({ city: { type: 'string' } }, { required: ['city'] }))).toEqual([]);
  });

  it.each<[string, unknown, JsonSchema, string[]]>([
    [
      'a missing member',
      {},
      object({ city: {} }, { required: ['city'] }),
      ["city: required: Parameter 'city' is required and cannot be empty"],
    ],
    [
      'a missing member further down',
      { at: {} },
      object({ at: { type: 'object', required: ['lat'] } }),
      ["at/lat: required: Parameter 'at/lat' is required and cannot be empty"],
    ],
    [
      'an empty text against minLength',
      { city: '' },
      object({ city: { type: 'string', minLength: 1 } }),
      ["city: required: Parameter 'city' is required and cannot be empty"],
    ],
    [
      'a short text',
      { city: 'a' },
      object({ city: { minLength: 2 } }),
      ["city: invalid value: Parameter 'city' must NOT have fewer than 2 characters"],
    ],
    [
      'an enum',
      { format: 'der' },
      object({ format: { enum: ['pfx', 'pem'] } }),
      ["format: invalid value: Parameter 'format' must be 'pfx' or 'pem'"],
    ],
    ['a const', { n: 2 }, object({ n: { const: 1 } }), ["n: invalid value: Parameter 'n' must be 1"]],
    [
      'a type',
      { n: 'x' },
      object({ n: { type: ['integer', 'null'] } }),
      ["n: invalid value: Parameter 'n' must be an integer or null"],
    ],
    [
      'a number as text: nothing is coerced',
      { n: '5' },
      object({ n: { type: 'number' } }),
      ["n: invalid value: Parameter 'n' must be a number"],
    ],
    ['null', { n: null }, object({ n: { type: 'string' } }), ["n: invalid value: Parameter 'n' must be a string"]],
    ['a range', { n: 11 }, object({ n: { maximum: 10 } }), ["n: invalid value: Parameter 'n' must be <= 10"]],
    [
      'a pattern',
      { id: 'A' },
      object({ id: { pattern: '^[a-z]$' } }),
      ["id: invalid format: Parameter 'id' must match the pattern ^[a-z]$"],
    ],
    [
      'an unknown member, with a near one',
      { ctiy: 'Rome' },
      object({ city: {} }, { additionalProperties: false }),
      ["ctiy: unknown parameter: Parameter 'ctiy' is not known. Did you mean 'city'?"],
    ],
    [
      'a key that must be escaped in a pointer',
      { 'a/b': 1 },
      object({ 'a/b': { type: 'string' } }),
      ["a~1b: invalid value: Parameter 'a~1b' must be a string"],
    ],
    [
      'a place in a list',
      { list: ['a', 2] },
      object({ list: { type: 'array', items: { type: 'string' } } }),
      ["list/1: invalid value: Parameter 'list/1' must be a string"],
    ],
    [
      'a name that is refused',
      JSON.parse('{"__proto__": {"a": 1}}'),
      object({}),
      ["__proto__: unknown parameter: Parameter '__proto__' is not allowed: '__proto__' is a reserved name"],
    ],
  ])('names %s', (_, args, schema, expected) => {
    expect(lines(args, schema)).toEqual(expected);
  });

  it('makes every violation an entry of its own, at most ten', () => {
    const names = Array.from({ length: 14 }, (_, index) => `p${index}`);
    const schema = object(Object.fromEntries(names.map((name) => [name, { type: 'string' }])), {
      required: ['a', 'b'],
    });
    expect(lines({ p0: 1 }, schema)).toHaveLength(3);
    expect(lines(Object.fromEntries(names.map((name) => [name, 1])), schema)).toHaveLength(10);
  });

  it('looks only for the first violation in more than 100 KB', () => {
    const schema = object({ a: { type: 'number' }, b: { type: 'number' } });
    expect(lines({ a: 'x', b: 'y'.repeat(200_000) }, schema)).toHaveLength(1);
  });

  it.each([
    ['anyOf', { anyOf: [{ type: 'object', required: ['x'] }, { $ref: '#/$defs/named' }] }],
    ['oneOf', { oneOf: [{ required: ['a', 'b'] }, { $ref: '#/$defs/named' }] }],
    ['not', { not: { type: 'object' } }],
  ])('makes one entry of %s', (_, value) => {
    const schema = object({ value }, { $defs: { named: { type: 'object', required: ['x', 'y'] } } });
    expect(lines({ value: { z: 1 } }, schema)).toHaveLength(1);
  });

  describe('says of a union what is wrong with the branch that was meant', () => {
    const kind = (constants: object, properties: object) =>
      object({ kind: constants, ...properties }, { required: ['kind', ...Object.keys(properties)] });
    const circle = kind({ const: 'circle' }, { radius: { type: 'number' } });
    const square = kind({ enum: ['square', 'rect'] }, { width: { type: 'number' }, height: { type: 'number' } });
    const group = kind({ const: 'group' }, { shapes: { type: 'array', items: { $ref: '#/$defs/shape' } } });
    const shape = { oneOf: [circle, { $ref: '#/$defs/square' }, group] };
    const $defs = { shape, square };

    it.each<[string, unknown, string[]]>([
      ['by its constant', { kind: 'circle' }, ['shape/radius: required']],
      ['by one of its values', { kind: 'rect', width: 'x' }, ['shape/height: required', 'shape/width: invalid value']],
      [
        'in another union',
        { kind: 'group', shapes: [{ kind: 'circle', radius: '1' }, { kind: 'line' }] },
        ['shape/shapes/0/radius: invalid value', 'shape/shapes/1/kind: invalid value'],
      ],
      ['where the constant is missing', {}, ['shape/kind: required']],
      ['where it is none of them', { kind: 'circl' }, ['shape/kind: invalid value']],
      ['where the value is not an object', 5, ['shape: invalid value']],
    ])('%s', (_, value, expected) => {
      const found = lines({ shape: value }, object({ shape: { $ref: '#/$defs/shape' } }, { $defs }));
      expect(found.map((line) => line.split(': ', 2).join(': ')).sort()).toEqual(expected);
    });

    it('with its allowed values, at the root too', () => {
      const atRoot = { type: 'object', anyOf: [circle, square] } as JsonSchema;
      expect(lines({ kind: 'circl' }, atRoot)).toEqual([
        "kind: invalid value: Parameter 'kind' must be 'circle', 'square' or 'rect'",
      ]);
      expect(lines({ kind: 'circle' }, atRoot)).toEqual([expect.stringContaining("'radius' is required")]);
    });

    it('with the whole beside it where a branch leads to the root, for alone it would mean something else', () => {
      const node = kind({ const: 'node' }, { child: { $ref: '#' } });
      const tree = { type: 'object', oneOf: [circle, node] } as JsonSchema;
      expect(lines({ kind: 'node', child: { kind: 'circle' } }, tree)).toEqual([
        "child/radius: required: Parameter 'child/radius' is required and cannot be empty",
        ': invalid value: The arguments must match exactly one schema in oneOf',
      ]);
    });

    it('if only one branch is of the type of the value', () => {
      const optional = object({ shape: { anyOf: [object({}, { required: ['x', 'y'] }), { type: 'null' }] } });
      expect(lines({ shape: { x: 1 } }, optional)).toEqual([expect.stringContaining("'shape/y' is required")]);
    });
  });

  it('keeps what a then-branch says, without the if itself', () => {
    const schema = object({}, JSON.parse('{"if": {"required": ["a"]}, "then": {"required": ["b"]}}'));
    expect(lines({ a: 1 }, schema)).toEqual(["b: required: Parameter 'b' is required and cannot be empty"]);
  });

  it('lists the actions for a bad one, with a near match', () => {
    const schema = object({ action: { type: 'string', enum: ['Build', 'Test'] } }, { required: ['action'] });
    const [error] = errorsOf({ action: 'build' }, schema);
    expect(error).toMatchObject({
      code: 'INVALID_PARAMS',
      category: 'Validation',
      mcpErrorCode: -32602,
      message: "Invalid action 'build' is not supported. Allowed values: Build, Test",
      hint: "Valid actions are: Build, Test. Did you mean 'Build'?",
      rawOutput: '',
      data: {
        exitCode: -1,
        additionalData: {
          parameter: 'action',
          reason: 'invalid value',
          providedValue: 'build',
          validActions: 'Build, Test',
        },
      },
    });
    const closed = { ...schema, additionalProperties: false };
    expect(lines({ action: 'x', other: 1 }, closed)).toEqual([
      expect.stringMatching(/^action: invalid value: Invalid/),
    ]);
    expect(errorsOf({ action: 5 }, schema)[0]?.message).toMatch(/^Invalid action '5'/);
    expect(lines({}, schema)).toEqual(["action: required: Parameter 'action' is required and cannot be empty"]);
  });

  it('shows the value that was given, but none under a secret name', () => {
    const schema = object({ mode: { enum: ['a'] }, password: { type: 'number' } });
    const [mode, password] = errorsOf({ mode: 'x', password: 'hunter2' }, schema);
    expect(mode?.data?.additionalData?.providedValue).toBe('x');
    expect(JSON.stringify(password)).not.toContain('hunter2');
  });

  it('refuses what is nested deeper than 64 levels', () => {
    const nested = (depth: number) => JSON.parse(`{"a":${'['.repeat(depth)}${']'.repeat(depth)}}`);
    expect(lines(nested(63), object({}))).toEqual([]);
    expect(lines(nested(64), object({}))).toEqual(["a: invalid value: Parameter 'a' is nested deeper than 64 levels"]);
    expect(lines(nested(200_000), object({}))).toHaveLength(1);
  });

  it('understands the drafts that a schema names', () => {
    const draft07 = {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { pair: { items: [{ type: 'string' }] } },
    };
    expect(lines({ pair: [1] }, draft07)).toHaveLength(1);
    expect(lines({ pair: ['x', 1] }, draft07)).toEqual([]);
  });

  it('never throws, and each error is complete', () => {
    const schema = object(
      { a: { type: 'string' }, b: { type: 'array', items: { type: 'integer' } } },
      { required: ['a'], additionalProperties: false },
    );
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (args) => {
        for (const error of errorsOf(args as JsonObject, schema)) {
          expect(error).toMatchObject({
            code: 'INVALID_PARAMS',
            data: { additionalData: { parameter: expect.any(String) } },
          });
        }
      }),
    );
  });
});

describe('schemaMismatch', () => {
  it('says where a result does not fit', () => {
    expect(schemaMismatch({ x: 1 }, object({ x: { type: 'string' } }))).toBe('/x must be string');
    expect(schemaMismatch({ x: 'a' }, object({ x: { type: 'string' } }))).toBeUndefined();
  });
});
