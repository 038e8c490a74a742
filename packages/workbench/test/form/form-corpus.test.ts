import { describe, expect, test } from 'vitest';
import { buildForm } from '../../src/form/build-field.js';
import { childrenOf } from '../../src/form/edit-form.js';
import type { Field } from '../../src/form/field.js';
import { CHOICES } from './corpus/choices.js';
import { COMBINATIONS } from './corpus/combinations.js';
import { REAL_TOOLS } from './corpus/real-tools.js';
import { STRUCTURES } from './corpus/structures.js';
import { VALUES } from './corpus/values.js';
import { perform, sentBy } from './steps.js';

const ROWS = [...VALUES, ...STRUCTURES, ...CHOICES, ...COMBINATIONS, ...REAL_TOOLS];

function issuesIn(field: Field): string[] {
  return [...field.issues.map((issue) => `${field.pointer} ${issue}`), ...childrenOf(field).flatMap(issuesIn)];
}

describe('the form corpus', () => {
  test('has at least sixty schemas', () => expect(ROWS.length).toBeGreaterThanOrEqual(60));

  test.each(ROWS)('sends what is entered: $title', ({ schema, steps, sent }) => {
    expect(sentBy(schema, steps)).toBe(sent);
  });

  test.each(ROWS.filter(({ issues }) => issues))('reports next to the field: $title', ({ schema, steps, issues }) => {
    expect(issuesIn(buildForm(perform(schema, steps)))).toEqual(issues);
  });

  test.each(ROWS.filter(({ issues, steps }) => !issues && steps.length > 0))(
    'agrees with the validator: $title',
    ({ schema, steps, title }) => {
      const context = perform(schema, steps);
      const wrong = title === 'a member that the schema does not know stays';
      expect(context.checker.violations(context.state.value).length > 0).toBe(wrong);
      expect(issuesIn(buildForm(context))).toEqual([]);
    },
  );
});
