import { existsSync, mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { definePlugin, type RegisterApi, secretString } from '@mortise/plugin';
import { openPlugin } from '@mortise/plugin/testing';
import { type } from 'arktype';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { secretPaths } from '../src/runtime/plugin-settings.js';

/** What `register` was given, or the problems in its place. */
async function configOf(plugin: (register: (api: RegisterApi, config: unknown) => void) => object, config?: object) {
  const given = {};
  const opened = await openPlugin(
    { default: plugin((_, value) => void Object.assign(given, value)) },
    config && { config: config as Record<string, unknown> },
  );
  await opened.dispose();
  return opened.problems.length > 0 ? opened.problems.map(({ code, message }) => `${code} ${message}`) : given;
}

const JSON_SCHEMA = {
  type: 'object',
  properties: {
    key: { type: 'string', format: 'password' },
    retries: { type: 'integer', minimum: 1, maximum: 9, default: 3 },
    mode: { enum: ['fast', 'slow'], default: 'fast' },
    cities: { type: 'array', items: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] } },
    either: { anyOf: [{ type: 'number' }, { type: 'null' }] },
    labels: { type: 'object', additionalProperties: { type: 'string', pattern: '^[a-z]+$' } },
  },
  required: ['key'],
} as const;

describe('the config of definePlugin', () => {
  it.each([
    ['zod', z.object({ key: secretString(), retries: z.number().default(3) })],
    ['an object of valibot schemas', { key: secretString(), retries: v.optional(v.number(), 3) }],
    ['arktype', type({ key: 'string', retries: 'number = 3' })],
    [
      'a JSON Schema',
      { type: 'object', properties: { key: secretString(), retries: { default: 3 } }, required: ['key'] },
    ],
  ])('is checked by %s', async (_, config) => {
    const plugin = (register: (api: RegisterApi, config: unknown) => void) => definePlugin({ config, register });
    expect(await configOf(plugin, { key: 'k' })).toEqual({ key: 'k', retries: 3 });
    expect(await configOf(plugin, { KEY: 'k', Retries: 4 })).toEqual({ key: 'k', retries: 4 });
    expect(await configOf(plugin)).toEqual([
      expect.stringMatching(/^SETTING_MISSING Plugins\.Settings\.plugin-under-test\.key is missing/),
    ]);
    expect(await configOf(plugin, { key: 5 })).toEqual([expect.stringMatching(/^SETTING_INVALID .*\.key is wrong: /)]);
  });

  it.each([
    [{ key: 'k' }, { key: 'k', retries: 3, mode: 'fast' }],
    [
      { key: 'k', cities: [{ name: 'Oslo' }], either: null, labels: { a: 'b' }, retries: 9, mode: 'slow' },
      { key: 'k', cities: [{ name: 'Oslo' }], either: null, labels: { a: 'b' }, retries: 9, mode: 'slow' },
    ],
    [{ key: 'k', retries: 10 }, ['retries is wrong: must be at most 9.']],
    [{ key: 'k', retries: 1.5 }, ['retries is wrong: must be integer.']],
    [{ key: 'k', mode: 'x' }, ['mode is wrong: must be one of "fast", "slow".']],
    [{ key: 'k', cities: 'Oslo' }, ['cities is wrong: must be array.']],
    [{ key: 'k', cities: [{ name: 'Oslo' }, {}] }, ['cities[1].name is missing: add it to']],
    [{ key: 'k', either: 'x' }, ['either is wrong: matches none of the allowed forms.']],
    [{ key: 'k', labels: { a: 'B' } }, ['labels.a is wrong: must match ^[a-z]+$.']],
    [{ key: 'k', retires: 4 }, ['retires is not a setting of this plugin.']],
    [{}, ['key is missing: add it to']],
  ])('by a JSON Schema: %j', async (config, expected) => {
    const found = await configOf((register) => definePlugin({ config: JSON_SCHEMA, register }), config);
    if (!Array.isArray(expected)) return expect(found).toEqual(expected);
    expect(found).toEqual(
      expected.map((text) => expect.stringContaining(`Plugins.Settings.plugin-under-test.${text}`)),
    );
  });

  it.each([
    [{ type: 'object', properties: { a: { not: {} } } }, /keyword 'not' is not supported/],
    [{ type: 'string' }, /must be the schema of an object/],
    [z.object({ when: z.date() }), /zod cannot write its schema/],
  ])('is refused where it cannot be checked: %#', (config, message) => {
    expect(() => definePlugin({ config, register() {} })).toThrow(message);
  });

  it('refuses names that no file could have, and what is not a function', () => {
    expect(() => definePlugin({ name: 'a/b', register() {} })).toThrow(/the name is not allowed/);
    expect(() => definePlugin({ register: 5 as never })).toThrow(/register must be a function/);
  });
});

describe('secrets', () => {
  it.each([
    [
      definePlugin,
      z.object({ a: secretString(), b: z.string(), c: z.object({ d: secretString({ optional: true }) }) }),
      [['a'], ['c', 'd']],
    ],
    [definePlugin, z.object({ list: z.array(z.string().meta({ format: 'password' })) }), [['list', '*']]],
    [definePlugin, z.object({ by: z.record(z.string(), z.object({ key: secretString() })) }), [['by', '*', 'key']]],
  ])('are marked in the JSON Schema: %#', (_, schema, paths) => {
    expect(secretPaths(z.toJSONSchema(schema, { io: 'input' }))).toEqual(paths);
  });

  it('are found in a schema that refers to itself for the same value', () => {
    const key = { anyOf: [secretString(), { $ref: '#/$defs/key' }] };
    expect(secretPaths({ properties: { a: { $ref: '#/$defs/key' } }, $defs: { key } })).toEqual([['a']]);
  });
});

describe('api.dataDir', () => {
  const plugin = (seen: string[]) => ({ default: definePlugin({ register: (api) => void seen.push(api.dataDir) }) });

  it('is a temporary folder in tests, removed with the plugin', async () => {
    const seen: string[] = [];
    const opened = await openPlugin(plugin(seen));
    expect(statSync(seen[0]!).isDirectory()).toBe(true);
    await opened.dispose();
    expect(existsSync(seen[0]!)).toBe(false);
  });

  it('may be given, and stays', async () => {
    const dataDir = join(mkdtempSync(join(tmpdir(), 'mortise-data-')), 'own');
    const seen: string[] = [];
    await (await openPlugin(plugin(seen), { dataDir })).dispose();
    expect(seen).toEqual([dataDir]);
    expect(existsSync(dataDir)).toBe(true);
  });
});

describe('the instructions of definePlugin', () => {
  it('are a part of the definition, and must be a string', async () => {
    const plugin = definePlugin({ instructions: 'Add a note before you search.', register() {} });
    expect((await openPlugin({ default: plugin })).definition.instructions).toBe('Add a note before you search.');
    expect((await openPlugin({ default: definePlugin({ register() {} }) })).definition).not.toHaveProperty(
      'instructions',
    );
    expect(() => definePlugin({ instructions: 5 as never, register() {} })).toThrow('instructions must be a string');
  });
});
