import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/redactor.js';
import { CALL, MEMBERS, MINIFIED, patternOf, SIGN_FORMS } from '../../src/values/code-forms.js';

const { text } = createRedactor({ secrets: [] });

describe.each([
  ['signs', SIGN_FORMS],
  ['names', [CALL, ...MEMBERS, MINIFIED]],
])('forms of code that begin with %s', (_, forms) => {
  test.each(forms.flatMap((form) => form.examples.map((example) => ({ form, example }))))(
    'only one recognises $example',
    ({ form, example }) => {
      expect(patternOf([form]).test(example)).toBe(true);
      expect(patternOf(forms.filter((other) => other !== form)).test(example)).toBe(false);
      expect(text(`secret: ${example}`)).toBe(`secret: ${example}`);
    },
  );
});
