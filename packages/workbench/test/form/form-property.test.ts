import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { runs } from '../../../../test/support/property-runs.js';
import { buildForm } from '../../src/form/build-field.js';
import { stateOf } from '../../src/form/edit-form.js';
import { createForm } from '../../src/form/form-state.js';
import { isSameJson, type Json, parseJson, writeJson } from '../../src/json/json.js';
import { enter } from './enter.js';
import { schemasWithValues } from './schemas-with-values.js';

describe('a form made of a schema', () => {
  const cases = fc.sample(schemasWithValues, { seed: 33, numRuns: runs(200) });

  test('lets a person enter at least nine of ten values that the schema allows', () => {
    const refused = cases.filter(({ schema, value }) => enter(schema, value) === undefined);
    expect(refused.length, writeJson(refused.slice(0, 3) as unknown as Json)).toBeLessThanOrEqual(cases.length / 10);
  });

  test('sends unchanged what was entered in the JSON editor', () => {
    for (const { schema, value } of cases) {
      const state = stateOf(parseJson(writeJson(value, 2)));
      buildForm(createForm(schema)(state));
      expect(isSameJson(parseJson(writeJson(state.value)), value), writeJson(value)).toBe(true);
    }
  });

  test('finds nothing wrong with a value that the schema allows', () => {
    for (const { schema, value } of cases) {
      const { checker } = createForm(schema)(stateOf(value));
      expect(checker.violations(value), writeJson({ schema, value } as unknown as Json)).toEqual([]);
    }
  });
});
