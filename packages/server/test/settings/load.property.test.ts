// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';
import { environmentName } from '../../src/settings/environment-settings.js';
import { settingsJsonSchema } from '../../src/settings/export-json-schema.js';
import { COMPLETE_SCHEMA } from '../../src/settings/rare-settings.js';
import { packageName, replicaNameOrEmpty, type SettingSchema } from '../../src/settings/setting-schema.js';
import { SettingsError } from '../../src/settings/settings-error.js';
import { Sandbox } from './sandbox.js';

const rows = Object.entries<SettingSchema>(COMPLETE_SCHEMA.properties).flatMap(([section, { properties = {} }]) =>
  Object.entries(properties).map(([key, schema]) => ({ section, key, schema, hasDefault: 'default' in schema })),
);

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));

/** Valid values of a schema. */
function valid(schema: SettingSchema): fc.Arbitrary<unknown> {
  const { anyOf, items, properties, additionalProperties, minimum: min, maximum: max } = schema;
  if (schema.enum) return fc.constantFrom(...schema.enum);
  if (anyOf) return fc.oneof(...anyOf.map(valid));
  if (items) return fc.array(valid(items), { maxLength: 3 });
  if (properties) return fc.record(Object.fromEntries(Object.entries(properties).map(([k, one]) => [k, valid(one)])));
  if (additionalProperties) return fc.dictionary(word, valid(additionalProperties), { maxKeys: 3 });
  if (schema.type === 'boolean') return fc.boolean();
  if (schema.type === 'integer') return fc.integer({ min, max });
  if (schema.type === undefined) return fc.oneof(scalar, fc.array(scalar), fc.dictionary(word, scalar));
  if (schema.isPath) return word;
  if (schema.pattern === replicaNameOrEmpty.pattern) return fc.constantFrom('', 'a', 'Replica-1');
  if (schema.pattern === packageName.pattern) return fc.constantFrom('notes', '@acme/notes', 'Notes.v2_x', '~notes');
  return fc.stringMatching(/^[ -#%-~]{0,40}$/).map((text) => text.padEnd(32, 'x'));
}

/** The value after loading: paths are absolute, at every level. */
function withAbsolutePaths(value: unknown, schema: SettingSchema, folder: string): unknown {
  const { items, properties, additionalProperties, isPath } = schema;
  if (Array.isArray(value)) return items ? value.map((item) => withAbsolutePaths(item, items, folder)) : value;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(([key, member]) => {
      const memberSchema = properties?.[key] ?? additionalProperties;
      return [key, memberSchema ? withAbsolutePaths(member, memberSchema, folder) : member];
    });
    return Object.fromEntries(members);
  }
  return (items?.isPath ?? isPath) ? join(folder, String(value)) : value;
}

const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('${env:A}', '${file:x}', '${env:', 'true', '5', '', '\0'));

/** A file that has our sections and keys more often than not, with anything below them. */
const anyFile = fc.dictionary(
  fc.oneof(fc.constantFrom(...Object.keys(COMPLETE_SCHEMA.properties)), fc.string({ maxLength: 8 })),
  fc.oneof(
    anything,
    fc.dictionary(fc.oneof(fc.constantFrom(...rows.map(({ key }) => key)), fc.string({ maxLength: 8 })), anything),
  ),
  { maxKeys: 5 },
);

const anyVariable = fc
  .tuple(
    fc.constantFrom(...rows.map(({ section, key }) => environmentName(section, key))),
    fc.array(fc.string({ maxLength: 4 }), { maxLength: 3 }),
  )
  .map(([name, rest]) => [name, ...rest].join('__'));
const anyEnv = fc.dictionary(fc.oneof(anyVariable, fc.string({ maxLength: 12 })), fc.oneof(fc.string(), fc.json()), {
  maxKeys: 5,
});

/** Loads, or gives the reasons why not; anything else that is thrown fails the test. */
async function attemptLoad(sandbox: Sandbox, content: string | object, env: Record<string, string> = {}) {
  try {
    return await sandbox.loadFile(content, { env });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const { message, hint } of error.problems) expect(message && hint).toMatch(/\w/);
    return error;
  }
}

test('whatever JSON the file holds and the environment says, the settings are whole or the error is ours', async () => {
  const sandbox = new Sandbox();
  const outcomes = new Set<string>();
  await fc.assert(
    fc.asyncProperty(anyFile, anyEnv, async (file, env) => {
      const loaded = await attemptLoad(sandbox, file, env);
      outcomes.add(loaded.constructor.name);
      if (loaded instanceof SettingsError) return;
      // A setting without a default need not be there.
      for (const { section, key } of rows.filter(({ hasDefault }) => hasDefault))
        expect((loaded.settings as never)[section]![key]).toBeDefined();
    }),
    { numRuns: runs(100) },
  );
  expect(outcomes).toEqual(new Set(['Object', 'SettingsError']));
});

test('whatever text the file holds, the error is ours and has its place', async () => {
  const sandbox = new Sandbox();
  const pieces = fc.array(fc.constantFrom(...'{}[]:,"\\/*\n \uFEFF', '"Plugins"', '"Tools":{', 'true', '1e', '//'), {
    maxLength: 30,
  });
  await fc.assert(
    fc.asyncProperty(
      fc.oneof(
        fc.string(),
        pieces.map((parts) => parts.join('')),
      ),
      async (text) => {
        const loaded = await attemptLoad(sandbox, text);
        if (loaded instanceof SettingsError) expect(loaded.problems[0]).toMatchObject({ line: expect.any(Number) });
      },
    ),
    { numRuns: runs(100) },
  );
});

/** Settings for which the schema does not say everything. */
const CHECKED_FURTHER = ['McpServers', 'Keys', 'Issuers', 'PublicUrl', 'Redis'];

test('valid settings are taken as they are, and the JSON Schema for editors takes them too', async () => {
  const sandbox = new Sandbox();
  const accepts = new Ajv({ strict: false }).compile(settingsJsonSchema());
  const anySetting = fc
    .constantFrom(...rows.filter(({ key }) => !CHECKED_FURTHER.includes(key)))
    .chain(({ section, key, schema }) => valid(schema).map((value) => ({ section, key, schema, value })));
  await fc.assert(
    fc.asyncProperty(anySetting, async ({ section, key, schema, value }) => {
      const file = { [section]: { [key]: value } };
      expect(accepts(file), JSON.stringify(accepts.errors)).toBe(true);
      const read = ((await sandbox.loadFile(file)).settings as never)[section]![key];
      expect(read).toEqual(withAbsolutePaths(value, schema, join(sandbox.cwd, 'config')));
    }),
    { numRuns: runs(100) },
  );
});

test('a setting in the environment wins over any in the file', async () => {
  const sandbox = new Sandbox();
  const scalars = rows.filter(({ schema }) => schema.enum || schema.type === 'boolean' || schema.type === 'integer');
  const pair = fc
    .constantFrom(...scalars)
    .chain(({ section, key, schema }) =>
      fc.record({ section: fc.constant(section), key: fc.constant(key), file: valid(schema), env: valid(schema) }),
    );
  await fc.assert(
    fc.asyncProperty(pair, fc.boolean(), async ({ section, key, file, env }, upper) => {
      const name = environmentName(section, key);
      const loaded = await sandbox.loadFile(
        { [section]: { [key]: file } },
        { env: { [upper ? name.toUpperCase() : name]: String(env) } },
      );
      expect((loaded.settings as never)[section]![key]).toEqual(env);
    }),
    { numRuns: runs(100) },
  );
});
