import { describe, expect, it } from 'vitest';
import { parseTestOutput, testCounts, testFields } from '../../../src/diagnostics/tests/test-results.js';

const DLL = '/src/T/bin/Debug/net10.0/T.dll (net10.0|x64)';
const OTHER = '/src/U/bin/Debug/net10.0/U.dll (net10.0|x64)';

const failed = (name: string, dll = DLL) => [
  `failed ${name} (11ms)`,
  `  from ${dll}`,
  '  Assert.AreEqual failed. Expected:<1>. Actual:<2>.',
  '    at Shop.T.Flaky() in /src/T/T.cs:8',
];

const summary = (total: string, failures: number, passed: number, word = 'Passed!') => [
  '',
  `Test run summary: ${word}`,
  '',
  `  total: ${total}`,
  `  failed: ${failures}`,
  `  succeeded: ${passed}`,
  '  skipped: 0',
  '  duration: 3s 012ms',
];

/** As SDK 10 prints runs of an application that tries failed tests again (`--retry-failed-tests`). */
describe('a run that tries failed tests again', () => {
  it('has the counts of the last tries, and names the tests that passed then', () => {
    const run = parseTestOutput(
      [
        `(try 1) Running tests from ${DLL}`,
        ...failed('(try 1) Flaky'),
        `(try 2) Running tests from ${DLL}`,
        `${DLL} passed (1s 300ms)`,
        ...summary('5 (+1 retried)', 0, 5),
      ].join('\n'),
    );
    expect(run).toMatchObject({ passed: 5, failed: 0, total: 5, failures: [] });
    expect(testFields(run)).toMatchObject({ retriedTests: [{ testName: 'Shop.T.Flaky', passedOnTry: 2 }] });
    expect(testFields(run)).not.toHaveProperty('failedTests');
    expect(testCounts(run)).toBe('5 passed, 0 failed, 0 skipped; Shop.T.Flaky passed on try 2');
  });

  it('has one failure for a test that failed on every try, whatever another assembly does', () => {
    const run = parseTestOutput(
      [
        `(try 1) Running tests from ${DLL}`,
        `(try 1) Running tests from ${OTHER}`,
        ...failed('(try 1) Flaky'),
        ...failed('(try 1) Bad'),
        ...failed('(try 1) Bad', OTHER),
        `(try 2) Running tests from ${DLL}`,
        ...failed('(try 2) Bad'),
        `${DLL} failed with 1 error(s) (1s 300ms)`,
        'Exit code: 2',
        `${OTHER} failed with 1 error(s) (1s 300ms)`,
        'Exit code: 2',
        ...summary('6 (+2 retried)', 2, 4, 'Failed!'),
      ].join('\n'),
    );
    expect(run).toMatchObject({ passed: 4, failed: 2, total: 6, retriedTests: [{ passedOnTry: 2 }] });
    expect(run.failures).toHaveLength(2);
    expect(run.failures.map(({ testName }) => testName)).not.toContain('(try 2) Bad');
    expect(run).not.toHaveProperty('unfinished');
  });

  it('names a test that a limit of time ended as it is called', () => {
    const run = parseTestOutput([...failed('(canceled) Shop.T.Slow'), ...summary('1', 1, 0, 'Failed!')].join('\n'));
    expect(run.failures).toMatchObject([{ testName: 'Shop.T.Slow' }]);
  });
});

describe('the end of each test application', () => {
  it('says which ran no test, and which did not run all of theirs', () => {
    const run = parseTestOutput(
      [
        `Running tests from ${DLL}`,
        `${OTHER} Zero tests ran (563ms)`,
        'Exit code: 8',
        `${DLL} failed (299ms)`,
        'Exit code: 134',
        '  Error output: Process terminated.',
        '  boom',
        '     at System.Environment.FailFast(System.String)',
        '     at Shop.T.Boom()',
        '',
        'Test run summary: Failed!',
        `  ${DLL} failed (299ms)`,
        `  ${OTHER} Zero tests ran (563ms)`,
        '',
        '  error: 2',
        '',
        '  total: 1',
        '  failed: 0',
        '  succeeded: 1',
        '  skipped: 0',
        '  duration: 1s 002ms',
      ].join('\n'),
    );
    expect(run).toMatchObject({
      total: 1,
      withoutTests: [{ name: 'U.dll', framework: 'net10.0' }],
      unfinished: [
        {
          name: 'T.dll',
          framework: 'net10.0',
          cause: 'The test process crashed with exit code 134: Process terminated. boom',
          output: 'at Shop.T.Boom()',
        },
      ],
    });
  });
});
