import { defineTool, fail, ok, type StandardSchema } from '@mortise/plugin';
import { runTool } from '@mortise/plugin/testing';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';
import { z as z3 } from 'zod/v3';

const base = { name: 'weather', description: 'Tells the weather.' };
const cityJson = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] };

describe('defineTool with a JSON Schema', () => {
  it('makes a tool that is exported or registered, with every member', async () => {
    const tool = defineTool({
      ...base,
      title: 'Weather',
      annotations: { readOnlyHint: true },
      timeoutMs: 5_000,
      inputSchema: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
      run: ({ city }) => ok(`Sunny in ${city}`),
    });
    expect(tool).toMatchObject({
      title: 'Weather',
      timeoutMs: 5_000,
      inputSchema: cityJson,
      annotations: { readOnlyHint: true },
    });
    expect((await runTool(tool, { city: 'Oslo' })).text).toBe('Sunny in Oslo');
    const { executeAsync: _, ...registered } = tool;
    expect((await runTool(registered, { city: 'Oslo' })).text).toBe('Sunny in Oslo');
  });

  it('runs with the tool as `this`', async () => {
    const tool = defineTool({
      ...base,
      inputSchema: { type: 'object' },
      run() {
        return (this as unknown as { name: string }).name;
      },
    });
    expect((await runTool(tool)).text).toBe('weather');
  });

  it('without a context says what to use instead', async () => {
    const tool = defineTool({ ...base, inputSchema: { type: 'object' }, run: () => 'x' });
    await expect(tool.executeAsync({})).rejects.toThrow('use runTool of @mortise/plugin/testing');
  });
});

const schemas: [string, StandardSchema<unknown, { city: string; days: number }>][] = [
  ['zod', z.object({ city: z.string().min(1), days: z.number().default(3) })],
  ['arktype', type({ city: 'string > 0', days: 'number = 3' }) as never],
];

describe.each(schemas)('defineTool with %s', (_, inputSchema) => {
  const tool = defineTool({ ...base, inputSchema, run: ({ city, days }) => `${city} ${days}` });

  it('advertises the JSON Schema of what goes in', () => {
    expect(tool.inputSchema).toMatchObject({
      type: 'object',
      required: ['city'],
      properties: { city: { type: 'string' } },
    });
    expect(tool.inputSchema).not.toHaveProperty('$schema');
  });

  it('gives run what validation gives', async () => {
    expect((await runTool(tool, { city: 'Oslo' })).text).toBe('Oslo 3');
  });

  it('makes INVALID_PARAMS of every issue', async () => {
    const result = await runTool(tool, { days: 'many' });
    expect(result.structured).toMatchObject({ success: false, exitCode: -1 });
    expect(result.errors.map(({ data }) => data)).toEqual(
      expect.arrayContaining([
        { exitCode: -1, additionalData: { parameter: 'city', reason: 'required' } },
        { exitCode: -1, additionalData: { parameter: 'days', reason: 'invalid value', providedValue: 'many' } },
      ]),
    );
    for (const error of result.errors)
      expect(error).toMatchObject({ code: 'INVALID_PARAMS', category: 'Validation', mcpErrorCode: -32602 });
    expect(result.errors.map(({ message }) => message)).toContain("Parameter 'city' is required and cannot be empty");
    expect((await runTool(tool, { city: '' })).error?.data?.additionalData).toEqual({
      parameter: 'city',
      reason: 'required',
    });
  });
});

describe('defineTool with valibot', () => {
  const input = v.object({ city: v.pipe(v.string(), v.trim()), days: v.optional(v.number(), 3) });

  it('takes the Standard Schema alone, or beside another JSON Schema', async () => {
    const alone = defineTool({ ...base, inputSchema: input, run: ({ city, days }) => `${city} ${days}` });
    expect(alone.inputSchema).toEqual({
      type: 'object',
      properties: { city: { type: 'string' }, days: { type: 'number', default: 3 } },
      required: ['city'],
    });
    const tool = defineTool({
      ...base,
      inputSchema: { schema: input, json: cityJson },
      run: ({ city, days }) => `${city} ${days}`,
    });
    expect(tool.inputSchema).toEqual(cityJson);
    expect((await runTool(alone, { city: ' Oslo ' })).text).toBe('Oslo 3');
    expect((await runTool(tool, { city: ' Oslo ' })).text).toBe('Oslo 3');
    expect((await runTool(tool, { city: 5 })).error?.data?.additionalData).toMatchObject({
      parameter: 'city',
      reason: 'invalid value',
    });
  });

  it('says what to do where there is no JSON Schema', () => {
    expect(() => defineTool({ ...base, inputSchema: v.object({ at: v.date() }), run: () => 'x' })).toThrow(
      'Tool \'weather\': valibot cannot write its schema as JSON Schema: The "date" schema cannot be converted to JSON Schema. Write `inputSchema: { schema, json }`',
    );
  });
});

describe('defineTool with a shape', () => {
  const tool = defineTool({
    ...base,
    inputSchema: { city: z.string().min(1), days: z.number().default(3), unit: z3.enum(['C', 'F']).optional() },
    run: ({ city, days, unit }) => `${city} ${days} ${unit}`,
  });

  it('is an object of its members, each with its own library', async () => {
    expect(tool.inputSchema).toEqual({
      type: 'object',
      properties: {
        city: { type: 'string', minLength: 1 },
        days: { type: 'number', default: 3 },
        unit: { type: 'string', enum: ['C', 'F'] },
      },
      required: ['city'],
    });
    expect((await runTool(tool, { city: 'Oslo', unit: 'F' })).text).toBe('Oslo 3 F');
    const { errors } = await runTool(tool, { city: 5, unit: 'K' });
    expect(errors.map(({ data }) => data?.additionalData?.parameter)).toEqual(['city', 'unit']);
  });
});

describe('defineTool with what z.toJSONSchema gives', () => {
  it('validates by the schema that it was made from; a class tool has it as a JSON Schema', async () => {
    const inputSchema = z.toJSONSchema(z.object({ city: z.string().transform((city) => city.toUpperCase()) }), {
      io: 'input',
    });
    const tool = defineTool({ ...base, inputSchema, run: ({ city }) => city as string });
    expect(tool.inputSchema).toMatchObject(cityJson);
    expect((await runTool(tool, { city: 'Oslo' })).text).toBe('OSLO');
    const registered = { ...base, inputSchema: inputSchema as never, run: ({ city }: { city: string }) => city };
    expect((await runTool(registered, { city: 'Oslo' })).text).toBe('Oslo');
  });
});

describe('an outputSchema that is a Standard Schema', () => {
  const outputSchema = z.object({ city: z.string(), degrees: z.number().default(20) });
  const run = (result: unknown) =>
    runTool(defineTool({ ...base, inputSchema: { type: 'object' }, outputSchema, run: () => result as never }));

  it('is advertised as what comes out, and its defaults are applied', async () => {
    const tool = defineTool({ ...base, inputSchema: {}, outputSchema, run: () => ({ city: 'Oslo' }) });
    expect(tool.outputSchema).toMatchObject({ type: 'object', required: ['city', 'degrees'] });
    expect((await run({ city: 'Oslo' })).structured).toEqual({ city: 'Oslo', degrees: 20 });
    expect(await run(ok('Warm', { city: 'Oslo' }))).toMatchObject({
      text: 'Warm',
      structured: { city: 'Oslo', degrees: 20 },
    });
  });

  it('refuses data that does not fit, and lets failures pass', async () => {
    expect((await run({ city: 5 })).error).toMatchObject({
      code: 'TOOL_INVALID_RESULT',
      message: expect.stringMatching(/^The tool's result does not fit its outputSchema: \/city .*string/),
    });
    expect((await run(fail('No such city', { code: 'CITY_UNKNOWN' }))).error?.code).toBe('CITY_UNKNOWN');
    expect((await run(new Error('gone'))).error?.message).toBe('gone');
  });
});

const orNull = { anyOf: [{ type: 'string' }, { type: 'null' }] };

/** By the packages of the libraries, which write some things in their own words. */
const expected = {
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 9, pattern: '^a', description: 'A name' },
    mail: { type: 'string', format: 'email' },
    count: { type: 'integer', minimum: 1, maximum: 5 },
    kind: { enum: ['a', 'b'] },
    fixed: { const: 1 },
    list: { type: 'array', items: { type: 'boolean' }, minItems: 1, maxItems: 3 },
    map: { type: 'object', additionalProperties: { type: 'number' } },
    pair: { type: 'array', prefixItems: [{ type: 'string' }, {}], minItems: 2 },
    both: { allOf: [{ type: 'object' }, { type: 'object' }] },
    strict: { type: 'object', properties: {}, additionalProperties: false },
  },
  required: ['name', 'mail', 'count', 'kind', 'fixed', 'either', 'list', 'map', 'pair', 'choice', 'both', 'strict'],
};

const choice = [{ type: 'object', properties: { k: { const: 'x' } }, required: ['k'] }];
const x = 'x' as const;
const converted: [string, object, StandardSchema][] = [
  [
    'zod 3',
    { either: { type: ['string', 'null'] }, maybe: { type: ['string', 'null'] }, choice: { anyOf: choice } },
    z3.object({
      name: z3.string().min(1).max(9).regex(/^a/).describe('A name'),
      mail: z3.string().email(),
      count: z3.number().int().min(1).max(5),
      kind: z3.nativeEnum({ A: 'a', B: 'b' }),
      fixed: z3.literal(1),
      either: z3.union([z3.string(), z3.null()]),
      list: z3.array(z3.boolean()).min(1).max(3),
      map: z3.record(z3.number()),
      pair: z3.tuple([z3.string(), z3.any()]),
      choice: z3.discriminatedUnion('k', [z3.object({ k: z3.literal(x) })]),
      both: z3.intersection(z3.object({}), z3.object({})),
      maybe: z3.string().nullable().optional(),
      strict: z3.object({}).strict(),
    }),
  ],
  [
    'valibot',
    { either: orNull, maybe: orNull, choice: { oneOf: choice } },
    v.object({
      name: v.pipe(v.string(), v.minLength(1), v.maxLength(9), v.regex(/^a/), v.description('A name')),
      mail: v.pipe(v.string(), v.email()),
      count: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(5)),
      kind: v.picklist(['a', 'b']),
      fixed: v.literal(1),
      either: v.union([v.string(), v.null()]),
      list: v.pipe(v.array(v.boolean()), v.minLength(1), v.maxLength(3)),
      map: v.record(v.string(), v.number()),
      pair: v.tuple([v.string(), v.any()]),
      choice: v.variant('k', [v.object({ k: v.literal(x) })]),
      both: v.intersect([v.object({}), v.object({})]),
      maybe: v.nullish(v.string()),
      strict: v.strictObject({}),
    }),
  ],
];

describe.each(converted)('the JSON Schema of %s', (_, own, inputSchema) => {
  const tool = defineTool({ ...base, inputSchema, run: () => '' });

  it('says what JSON Schema can say', () => {
    expect(tool.inputSchema).toMatchObject({ ...expected, properties: { ...expected.properties, ...own } });
    expect(tool.inputSchema).not.toHaveProperty('$schema');
    expect(tool.inputSchema).not.toHaveProperty('additionalProperties');
  });

  it('is valid, and agrees with the library on values', async () => {
    const ajv = new Ajv2020({ strict: false, formats: { email: /@/ } });
    const validate = ajv.compile(tool.inputSchema);
    const good = {
      name: 'anna',
      mail: 'a@b.no',
      count: 2,
      kind: 'a',
      fixed: 1,
      either: null,
      list: [true],
      map: { a: 1 },
      pair: ['a', 1],
      choice: { k: 'x' },
      both: {},
      strict: {},
    };
    const wrong = { name: 'bo', mail: 'x', count: 1.5, kind: 'c', fixed: 2, either: 1, list: [], map: { a: 'b' } };
    const alsoWrong = { pair: [1], choice: { k: 'y' }, both: 1, maybe: 1, strict: { a: 1 } };
    expect(validate(good), JSON.stringify(validate.errors)).toBe(true);
    expect((await runTool(tool, good)).error).toBeUndefined();
    for (const [key, value] of Object.entries({ ...wrong, ...alsoWrong })) {
      expect(validate({ ...good, [key]: value }), key).toBe(false);
      expect((await runTool(tool, { ...good, [key]: value })).error?.code, key).toBe('INVALID_PARAMS');
    }
  });
});

describe('defineTool with other Standard Schemas', () => {
  const schema = (validate: StandardSchema['~standard']['validate'], extras: object = {}): StandardSchema =>
    ({ '~standard': { version: 1, vendor: 'own', validate }, ...extras }) as StandardSchema;

  it('converts by methods of the schema itself, where the standard way is not there', () => {
    const zodBefore = {
      toJSONSchema: () => ({ ...cityJson, $schema: 'https://json-schema.org/draft/2020-12/schema' }),
    };
    const arkBefore = {
      in: { toJsonSchema: () => ({ ...cityJson, $schema: 'http://json-schema.org/draft-07/schema#' }) },
    };
    const validate = (value: unknown) => ({ value });
    expect(defineTool({ ...base, inputSchema: schema(validate, zodBefore), run: () => '' }).inputSchema).toEqual(
      cityJson,
    );
    expect(defineTool({ ...base, inputSchema: schema(validate, arkBefore), run: () => '' }).inputSchema).toMatchObject({
      $schema: expect.stringContaining('draft-07'),
    });
    expect(
      defineTool({
        ...base,
        inputSchema: { schema: mini.object({ a: mini.string() }), json: cityJson },
        run: () => '',
      }).inputSchema,
    ).toEqual(cityJson);
  });

  it('names what cannot be converted', () => {
    expect(() => defineTool({ ...base, inputSchema: z.object({ at: z.date() }), run: () => '' })).toThrow(
      /zod cannot write its schema as JSON Schema: Date/,
    );
  });

  it('validates asynchronously, points into nested values, and stops at 10 issues', async () => {
    const issues = Array.from({ length: 12 }, (_, index) => ({ message: 'bad', path: ['a/b', { key: index }] }));
    const tool = defineTool({
      ...base,
      inputSchema: { schema: schema(async () => ({ issues })), json: cityJson },
      run: () => 'never',
    });
    const { errors } = await runTool(tool, { 'a/b': [{}, 1] });
    expect(errors).toHaveLength(10);
    expect(errors[0]?.data?.additionalData).toEqual({ parameter: 'a~1b/0', reason: 'invalid value' });
    expect(errors[1]?.data?.additionalData).toEqual({
      parameter: 'a~1b/1',
      reason: 'invalid value',
      providedValue: '1',
    });
    const whole = defineTool({
      ...base,
      inputSchema: { schema: schema(() => ({ issues: [{ message: 'dates overlap' }] })), json: cityJson },
      run: () => '',
    });
    expect((await runTool(whole, { a: 1 })).error).toMatchObject({
      message: 'The arguments are invalid: dates overlap',
    });
  });

  it('lets run fail and throw like any other', async () => {
    const tool = defineTool({ ...base, inputSchema: z.object({}), run: () => fail('no', { code: 'NO' }) });
    expect((await runTool(tool)).error).toMatchObject({ code: 'NO', message: 'no' });
  });
});
