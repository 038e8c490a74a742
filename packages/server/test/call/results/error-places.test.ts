import type { ErrorResult } from '@mortise/plugin';
import { expect, it } from 'vitest';
import { groupByMessage, otherPlaces } from '../../../src/call/results/error-places.js';
import { errorText } from '../../../src/call/results/error-text.js';

const error = (
  file: string | undefined,
  line: number,
  message = 'The type ILogSink could not be found',
): ErrorResult => ({
  ...{ code: 'CS0246', message, category: 'Build', hint: '', rawOutput: '', mcpErrorCode: -32603 },
  ...(file !== undefined && { file, line, column: 5 }),
});

it('one error in many files is one line with its places', () => {
  const files = [
    '/src/App/A.cs',
    '/src/App/A.cs',
    '/src/App/Views/B.cs',
    '/src/Lib/C.cs',
    '/other/D.cs',
    '/src/App/E.cs',
  ];
  const groups = groupByMessage(files.map((file, index) => error(file, index + 1)));
  expect(groups).toHaveLength(1);
  expect(otherPlaces(groups[0]!)).toBe(
    '\n  5 more places in 5 files: A.cs(2,5), Views/B.cs(3,5), ../Lib/C.cs(4,5), /other/D.cs(5,5), …',
  );
  expect(otherPlaces(groupByMessage([error('C:\\a\\A.cs', 1), error('C:\\a\\A.cs', 9)])[0]!)).toBe(
    '\n  1 more place: A.cs(9,5)',
  );
});

it('other messages, and errors without a place, stay lines of their own', () => {
  const groups = groupByMessage([
    error('/a/A.cs', 1),
    error(undefined, 0),
    error(undefined, 0),
    error('/a/A.cs', 2, 'Other'),
  ]);
  expect(groups.map(otherPlaces)).toEqual(['', '', '', '']);
});

it('the line of the first place is not repeated as raw output', () => {
  const rawOutput =
    '/a/A.cs(1,5): error CS0246: The type ILogSink could not be found [/a/App.csproj::TargetFramework=net10.0]';
  const first = {
    ...error('/a/A.cs', 1),
    rawOutput,
    data: { additionalData: { project: '/a/App.csproj', frameworks: 'net10.0' } },
  };
  const response = { success: false as const, errors: [first, error('/a/A.cs', 2)], exitCode: 1 };
  const text = errorText(response, { summary: 'Build failed: 2 errors' });
  expect(text.match(/The type ILogSink/g)).toHaveLength(1);
  expect(text).toContain('(net10.0)]\n  1 more place: A.cs(2,5)\n');
});
