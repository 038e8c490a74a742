import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/redactor.js';
import { EXPRESSION_FORMS, KEY_FORMS } from '../../src/values/forms.js';

const { text } = createRedactor({ secrets: [] });
const FORMS = [...KEY_FORMS, ...EXPRESSION_FORMS];

const written = (example: string) => example.replace(/[‹›]/g, '');
const redacted = (example: string) => example.replace(/‹[^›]*›/g, '[REDACTED]');

/** The example with its value empty, a variable or a sentence: nothing in it is a secret. */
const HARMLESS = {
  'a value that is missing': '',
  'a stand-in': '<value>',
  'a placeholder': '[REDACTED]',
};

describe.each(FORMS)('$name', ({ examples }) => {
  test.each(examples)('%s', (example) => {
    expect(text(written(example))).toBe(redacted(example));
    expect(text(redacted(example))).toBe(redacted(example));
  });

  test.each(examples)('in a log and in JSON: %s', (example) => {
    expect(text(`before\n${written(example)}\nafter`)).toBe(`before\n${redacted(example)}\nafter`);
    const json = text(JSON.stringify({ log: written(example), n: 1 }));
    expect(JSON.parse(json)).toEqual({ log: redacted(example), n: 1 });
  });

  test.each(examples)('without a secret it stays: %s', (example) => {
    for (const [, value] of Object.entries(HARMLESS)) {
      const harmless = example.replace(/‹[^›]*›/g, value);
      expect(text(harmless)).toBe(harmless);
    }
  });
});

test('each form has a name and an example of its own', () => {
  expect(new Set(FORMS.map(({ name }) => name)).size).toBe(FORMS.length);
  const examples = FORMS.flatMap((form) => form.examples);
  expect(new Set(examples).size).toBe(examples.length);
  expect(examples.every((example) => example.includes('‹'))).toBe(true);
});
