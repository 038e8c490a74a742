import { defineTool, fail, ok, type StandardSchema } from '@mortise/plugin';
import { runTool } from '@mortise/plugin/testing';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as mini from 'zod/mini';

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

describe('defineTool with valibot, which has no JSON Schema of its own', () => {
  const input = v.object({ city: v.pipe(v.string(), v.trim()), days: v.optional(v.number(), 3) });

  it('takes the Standard Schema as input beside its JSON Schema', async () => {
    const tool = defineTool({ ...base, input, inputSchema: cityJson, run: ({ city, days }) => `${city} ${days}` });
    expect(tool.inputSchema).toEqual(cityJson);
    expect((await runTool(tool, { city: ' Oslo ' })).text).toBe('Oslo 3');
    expect((await runTool(tool, { city: 5 })).error?.data?.additionalData).toMatchObject({
      parameter: 'city',
      reason: 'invalid value',
    });
  });

  it('says so when the JSON Schema is not there', () => {
    expect(() => defineTool({ ...base, inputSchema: input, run: () => 'x' })).toThrow(
      "Tool 'weather': schemas of valibot have no JSON Schema of their own. Give the JSON Schema as `inputSchema`",
    );
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
      defineTool({ ...base, input: mini.object({ a: mini.string() }), inputSchema: cityJson, run: () => '' })
        .inputSchema,
    ).toEqual(cityJson);
  });

  it('names what cannot be converted', () => {
    expect(() => defineTool({ ...base, inputSchema: z.object({ at: z.date() }), run: () => '' })).toThrow(
      /zod cannot write its schema as JSON Schema: Date/,
    );
    expect(() => defineTool({ ...base, input: cityJson as never, run: () => '' })).toThrow(
      '`input` is not a Standard Schema',
    );
  });

  it('validates asynchronously, points into nested values, and stops at 10 issues', async () => {
    const issues = Array.from({ length: 12 }, (_, index) => ({ message: 'bad', path: ['a/b', { key: index }] }));
    const tool = defineTool({
      ...base,
      input: schema(async () => ({ issues })),
      inputSchema: cityJson,
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
      input: schema(() => ({ issues: [{ message: 'dates overlap' }] })),
      inputSchema: cityJson,
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
