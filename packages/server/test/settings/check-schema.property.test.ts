import { Ajv } from 'ajv';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';
import { violations } from '../../src/settings/check-schema.js';
import { COMPLETE_SCHEMA } from '../../src/settings/rare-settings.js';
import type { SettingSchema } from '../../src/settings/setting-schema.js';
import { SETTINGS_SCHEMA } from '../../src/settings/settings-table.js';

const scalar = fc.oneof(
  fc.constantFrom('', ' ', 'a', 'a\0', 'x'.repeat(31), 'x'.repeat(64), '🔑'.repeat(16), 'http://a', 'auto', 'usual'),
  fc.constantFrom(null, true, false, -1, 0, 1, 1.5, 1e10),
);

/** Values that a schema allows, and now and then another one in their place. */
function nearlyValid(schema: SettingSchema): fc.Arbitrary<unknown> {
  const { anyOf, items, properties, additionalProperties, minimum = 0, maximum = 0 } = schema;
  const own = (): fc.Arbitrary<unknown> => {
    if (schema.enum) return fc.constantFrom(...schema.enum);
    if (anyOf) return fc.oneof(...anyOf.map(nearlyValid));
    if (items) return fc.array(nearlyValid(items), { maxLength: 3 });
    if (properties) return members(properties);
    if (additionalProperties) return fc.dictionary(fc.constantFrom('a', 'b'), nearlyValid(additionalProperties));
    if (schema.type === 'integer') return fc.constantFrom(minimum - 1, minimum, maximum, maximum + 1);
    return scalar;
  };
  return fc.oneof({ weight: 30, arbitrary: own() }, { weight: 1, arbitrary: fc.oneof(scalar, fc.jsonValue()) });
}

const members = (properties: Readonly<Record<string, SettingSchema>>) =>
  fc
    .uniqueArray(fc.constantFrom(...Object.keys(properties), 'toString'), { maxLength: 4 })
    .chain((names) =>
      fc.record(Object.fromEntries(names.map((name) => [name, nearlyValid(properties[name] ?? { expected: '' })]))),
    );

test('a value is allowed exactly if Ajv allows it', () => {
  const ajv = new Ajv({ strict: false, validateFormats: false });
  const sections = Object.entries<SettingSchema>(COMPLETE_SCHEMA.properties).map(([name, schema]) => ({
    name,
    schema,
    ajvAllows: ajv.compile(schema),
  }));
  const outcomes = { allowed: 0, refused: 0 };
  for (const { name, schema, ajvAllows } of sections) {
    const check = fc.property(nearlyValid(schema), (value) => {
      const found = violations(value, schema);
      expect(found.length === 0, `${name}: ${JSON.stringify({ value, errors: ajvAllows.errors })}`).toBe(
        ajvAllows(value),
      );
      outcomes[found.length === 0 ? 'allowed' : 'refused']++;
    });
    fc.assert(check, { numRuns: runs(60) });
  }
  expect(Math.min(outcomes.allowed, outcomes.refused)).toBeGreaterThan(50);
});

test('a value that is not known is allowed, and counts as there', () => {
  const { McpServers } = SETTINGS_SCHEMA.properties.Plugins.properties;
  expect(violations({ a: { command: undefined, args: [undefined] } }, McpServers)).toEqual([]);
  expect(violations({ a: { url: undefined, args: [] } }, McpServers)).toMatchObject([
    { keyword: 'dependencies', path: ['a', 'args'] },
  ]);
});

test('an item of a list that may also be a choice is named, anything else is the whole value', () => {
  const { Environment } = SETTINGS_SCHEMA.properties.Plugins.properties;
  expect(violations(['A', ''], Environment)).toMatchObject([{ keyword: 'value', path: [1] }]);
  expect(violations('all', Environment)).toMatchObject([{ keyword: 'value', path: [], schema: Environment }]);
});
