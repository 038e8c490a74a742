// biome-ignore-all lint/suspicious/noTemplateCurlyInString: references are what is tested
import { join } from 'node:path';
import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';
import { environmentName } from '../../src/settings/environment-settings.js';
import { settingsJsonSchema } from '../../src/settings/export-json-schema.js';
import { SettingsError } from '../../src/settings/settings-error.js';
import { SECTIONS } from '../../src/settings/settings-table.js';
import type { ValueType } from '../../src/settings/value-type.js';
import { Sandbox } from './sandbox.js';

const rows = Object.entries(SECTIONS).flatMap(([section, { settings }]) =>
  Object.entries(settings).map(([key, member]) => ({
    section,
    key,
    type: member.type as ValueType,
    hasDefault: 'default' in member,
  })),
);

const word = fc.stringMatching(/^[a-z]{1,12}$/);
const scalar = fc.oneof(word, fc.integer(), fc.boolean(), fc.constant(null));

/** Valid values of each kind. */
const VALID: { readonly [K in ValueType['kind']]: (type: Extract<ValueType, { kind: K }>) => fc.Arbitrary<unknown> } = {
  boolean: () => fc.boolean(),
  json: () => fc.oneof(scalar, fc.array(scalar), fc.dictionary(word, scalar)),
  integer: ({ min, max }) => fc.integer({ min, max }),
  choice: ({ of }) => fc.constantFrom(...of),
  choiceOrNames: ({ of }) => fc.oneof(fc.constantFrom(...of), fc.array(word, { maxLength: 3 })),
  text: ({ minLength = 0, packageName }) =>
    packageName
      ? fc.constantFrom('notes', '@acme/notes', 'Notes.v2_x', '~notes')
      : fc.stringMatching(/^[ -#%-~]{0,40}$/).map((text) => text.padEnd(minLength, 'x')),
  path: () => word,
  list: ({ of }) => fc.array(valid(of), { maxLength: 3 }),
  map: ({ of }) => fc.dictionary(word, valid(of), { maxKeys: 3 }),
  record: ({ members }) =>
    fc.record(Object.fromEntries(Object.entries(members).map(([name, { type }]) => [name, valid(type)]))),
};

const valid = (type: ValueType): fc.Arbitrary<unknown> =>
  (VALID[type.kind] as (type: ValueType) => fc.Arbitrary<unknown>)(type);

const anything = fc.oneof(fc.jsonValue(), fc.constantFrom('${env:A}', '${file:x}', '${env:', 'true', '5', '', '\0'));

/** A file that has our sections and keys more often than not, with anything below them. */
const anyFile = fc.dictionary(
  fc.oneof(fc.constantFrom(...Object.keys(SECTIONS)), fc.string({ maxLength: 8 })),
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
function attemptLoad(sandbox: Sandbox, content: string | object, env: Record<string, string> = {}) {
  try {
    return sandbox.loadFile(content, { env });
  } catch (error) {
    if (!(error instanceof SettingsError)) throw error;
    for (const { message, hint } of error.problems) expect(message && hint).toMatch(/\w/);
    return error;
  }
}

test('whatever JSON the file holds and the environment says, the settings are whole or the error is ours', () => {
  const sandbox = new Sandbox();
  const outcomes = new Set<string>();
  fc.assert(
    fc.property(anyFile, anyEnv, (file, env) => {
      const loaded = attemptLoad(sandbox, file, env);
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

test('whatever text the file holds, the error is ours and has its place', () => {
  const sandbox = new Sandbox();
  const pieces = fc.array(fc.constantFrom(...'{}[]:,"\\/*\n \uFEFF', '"Plugins"', '"Tools":{', 'true', '1e', '//'), {
    maxLength: 30,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string(),
        pieces.map((parts) => parts.join('')),
      ),
      (text) => {
        const loaded = attemptLoad(sandbox, text);
        if (loaded instanceof SettingsError) expect(loaded.problems[0]).toMatchObject({ line: expect.any(Number) });
      },
    ),
    { numRuns: runs(100) },
  );
});

test('valid settings are taken as they are, and the JSON Schema for editors takes them too', () => {
  const sandbox = new Sandbox();
  const accepts = new Ajv({ strict: false }).compile(settingsJsonSchema());
  const anySetting = fc
    .constantFrom(...rows.filter(({ key }) => key !== 'McpServers' && key !== 'Keys'))
    .chain(({ section, key, type }) => valid(type).map((value) => ({ section, key, type, value })));
  fc.assert(
    fc.property(anySetting, ({ section, key, type, value }) => {
      const file = { [section]: { [key]: value } };
      expect(accepts(file), JSON.stringify(accepts.errors)).toBe(true);
      const read = (sandbox.loadFile(file).settings as never)[section]![key];
      const absolute = (path: unknown) => join(sandbox.cwd, 'config', String(path));
      const isPath = type.kind === 'path' || (type.kind === 'list' && type.of.kind === 'path');
      expect(read).toEqual(isPath ? (Array.isArray(value) ? value.map(absolute) : absolute(value)) : value);
    }),
    { numRuns: runs(100) },
  );
});

test('a setting in the environment wins over any in the file', () => {
  const sandbox = new Sandbox();
  const scalars = rows.filter(({ type }) => ['boolean', 'integer', 'choice'].includes(type.kind));
  const pair = fc
    .constantFrom(...scalars)
    .chain(({ section, key, type }) =>
      fc.record({ section: fc.constant(section), key: fc.constant(key), file: valid(type), env: valid(type) }),
    );
  fc.assert(
    fc.property(pair, fc.boolean(), ({ section, key, file, env }, upper) => {
      const name = environmentName(section, key);
      const loaded = sandbox.loadFile(
        { [section]: { [key]: file } },
        { env: { [upper ? name.toUpperCase() : name]: String(env) } },
      );
      expect((loaded.settings as never)[section]![key]).toEqual(env);
    }),
    { numRuns: runs(100) },
  );
});
