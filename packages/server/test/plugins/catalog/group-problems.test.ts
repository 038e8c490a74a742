import type { PluginProblem } from '@mortise/plugin/runtime';
import { expect, it } from 'vitest';
import { groupProblems } from '../../../src/plugins/catalog/group-problems.js';

const problem = (code: PluginProblem['code'], subject: string, severity: PluginProblem['severity'] = 'warning') => ({
  ...{ severity, code, message: `${subject} has ${code}.`, hint: 'Correct it.' },
  location: { file: '/p.mjs', subject },
});
const named = (count: number) => Array.from({ length: count }, (_, index) => problem('TITLE_MISSING', `t${index}`));

it('puts errors before warnings', () => {
  const found = groupProblems([problem('TITLE_MISSING', 'a'), problem('TOOL_MALFORMED', 'b', 'error')]);
  expect(found.map(({ code }) => code)).toEqual(['TOOL_MALFORMED', 'TITLE_MISSING']);
});

it('shows up to three equal warnings one by one', () => {
  expect(groupProblems(named(3))).toEqual(named(3));
});

it('shows more as one that names the tools, and never combines errors', () => {
  const errors = ['a', 'b', 'c', 'd'].map((subject) => problem('TOOL_MALFORMED', subject, 'error'));
  const found = groupProblems([...named(4), problem('SCHEMA_MISSING', 's'), ...errors]);
  expect(found.slice(0, 4)).toEqual(errors);
  expect(found.slice(4).map(({ message }) => message)).toEqual([
    't0 has TITLE_MISSING. There are 3 more such warnings: t1, t2, t3.',
    's has SCHEMA_MISSING.',
  ]);
});

it('names at most twenty', () => {
  const [only] = groupProblems(named(50));
  expect(only!.message).toContain('49 more such warnings: t1, ');
  expect(only!.message).toContain('t20, 29 others.');
});
