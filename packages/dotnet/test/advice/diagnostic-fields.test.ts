import { expect, it } from 'vitest';
import { diagnosticFields } from '../../src/advice/diagnostic-fields.js';
import type { Diagnostic } from '../../src/diagnostics/parse/diagnostic.js';

const warning = (code: string, line: number): Diagnostic => ({
  ...{ code, line, message: `${code} at ${line}`, severity: 'warning', projects: [], frameworks: [], raw: '' },
});
const codesOf = (diagnostics: Diagnostic[]) => {
  const report = { diagnostics, succeeded: true, errorCount: 0, warningCount: diagnostics.length };
  return diagnosticFields(report).warnings!.map(({ code }) => code);
};

it('a long list of warnings begins with the first of each code, so that many of one kind hide no other', () => {
  const many = Array.from({ length: 70 }, (_, at) => warning('MSB3277', at));
  const codes = codesOf([...many, warning('CS0168', 1), warning('CS0219', 2), warning('CS0168', 3)]);
  expect(codes.slice(0, 4)).toEqual(['MSB3277', 'CS0168', 'CS0219', 'MSB3277']);
  expect(codes).toHaveLength(50);
});

it('a short list keeps the order of the output', () => {
  expect(codesOf([warning('A', 1), warning('A', 2), warning('B', 3)])).toEqual(['A', 'A', 'B']);
});
