import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { defineTool, type SchemaInput } from '@mortise/plugin';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { z } from 'zod/v3';

const toolOf = (inputSchema: object) =>
  defineTool({ name: 'a', description: 'A.', inputSchema: inputSchema as SchemaInput, run: () => '' });
const inputOf = (schema: object) => toolOf({ a: schema }).inputSchema.properties?.a;
const outputOf = (outputSchema: object) =>
  defineTool({ name: 'a', description: 'A.', outputSchema: outputSchema as SchemaInput, run: () => ({}) });

describe('what JSON Schema cannot say', () => {
  it.each([
    [
      'a check of valibot',
      v.pipe(
        v.string(),
        v.minLength(2),
        v.check((text) => text !== ''),
      ),
      { type: 'string', minLength: 2 },
    ],
    ['flags of valibot', v.pipe(v.string(), v.regex(/^a/i)), { type: 'string' }],
    ['the flag u of valibot', v.pipe(v.string(), v.regex(/^a/u)), { type: 'string', pattern: '^a' }],
    ['what valibot makes of a text', v.pipe(v.string(), v.trim(), v.transform(Number)), { type: 'string' }],
    ['a check of zod 3', z.string().min(2).refine(Boolean), { type: 'string', minLength: 2 }],
    ['flags of zod 3', z.string().regex(/^a/i), { type: 'string', pattern: '^[aA]' }],
    ['what zod 3 makes of a text', z.string().transform(Number), { type: 'string' }],
    ['a bound of zod 3', z.number().gt(3), { type: 'number', exclusiveMinimum: 3 }],
  ])('is left out, and still judged by the library: %s', (_, schema, json) => {
    expect(inputOf(schema)).toEqual(json);
  });

  it.each([
    [
      'a Date of zod 3',
      () => inputOf(z.date()),
      'zod cannot write its schema as JSON Schema: ZodDate has no JSON Schema',
    ],
    ['a preprocess', () => inputOf(z.preprocess(String, z.string())), 'the input of z.preprocess() has no JSON Schema'],
    [
      'a result of zod 3',
      () => outputOf(z.object({ a: z.string().transform(Number) })),
      'the result of transform() has no JSON Schema',
    ],
    [
      'a result of valibot',
      () => outputOf(v.object({ a: v.pipe(v.string(), v.transform(Number)) })),
      'The "transform" action cannot be converted to JSON Schema.',
    ],
  ])('is refused where nothing is left: %s', (_, define, message) => {
    expect(define).toThrow(message);
  });

  it('keeps a tuple of zod 3 as JSON Schema 2020-12 has it', () => {
    expect(inputOf(z.tuple([z.string()]))).toEqual({
      type: 'array',
      prefixItems: [{ type: 'string' }],
      minItems: 1,
      items: false,
    });
    expect(inputOf(z.tuple([z.string()]).rest(z.number()))).toMatchObject({ items: { type: 'number' } });
  });
});

const MODULE = `export const use = (defineTool, inputSchema) =>
  defineTool({ name: 'a', description: 'A.', inputSchema, run: () => '' });
`;

describe('a package that the author has not installed', () => {
  const folder = mkdtempSync(join(tmpdir(), 'mortise-converters-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** A module of an author's folder, whose node_modules has `installed`. */
  async function define(name: string, installed: readonly string[], schema: object) {
    const plugin = join(folder, name);
    for (const one of installed) {
      const link = join(plugin, 'node_modules', one);
      mkdirSync(join(link, '..'), { recursive: true });
      symlinkSync(join(import.meta.dirname, '../../../../node_modules', one), link);
    }
    mkdirSync(plugin, { recursive: true });
    writeFileSync(join(plugin, 'index.mjs'), MODULE);
    const { use } = await import(/* @vite-ignore */ pathToFileURL(join(plugin, 'index.mjs')).href);
    return use(defineTool, schema);
  }

  const inPlugin = [
    [
      'valibot',
      v.object({ a: v.string() }),
      '@valibot/to-json-schema',
      'valibot needs the package @valibot/to-json-schema',
    ],
    ['zod 3', z.object({ a: z.string() }), 'zod-to-json-schema', 'zod 3 needs the package zod-to-json-schema'],
  ] as const;

  it.each(inPlugin)('is named with what to run: %s', async (name, schema, converter, words) => {
    const error = await define(`${name} alone`, [], schema).catch((thrown: unknown) => thrown);
    expect(error).toMatchObject({
      name: 'DefinitionError',
      reason: expect.stringContaining(words),
      hint: `Run \`npm install ${converter}\` in the folder of the plugin, or pass the JSON Schema too: \`{ schema, json }\`.`,
    });
  });

  it.each(inPlugin)('is found where the author installs it: %s', async (name, schema, converter) => {
    const tool = await define(`${name} with it`, [converter], schema);
    expect(tool.inputSchema).toMatchObject({ type: 'object', properties: { a: { type: 'string' } }, required: ['a'] });
  });
});
