import type { ErrorResult } from '@mortise/plugin';
import { expect, it } from 'vitest';
import { groupByMessage, otherPlaces } from '../../src/results/error-places.js';

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
    '; 5 more places in 5 files: A.cs(2,5), Views/B.cs(3,5), ../Lib/C.cs(4,5), /other/D.cs(5,5), …',
  );
  expect(otherPlaces(groupByMessage([error('C:\\a\\A.cs', 1), error('C:\\a\\A.cs', 9)])[0]!)).toBe(
    '; 1 more place: A.cs(9,5)',
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
