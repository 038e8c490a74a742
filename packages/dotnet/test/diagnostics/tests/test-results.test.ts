import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { isPlatformRun, testExitMeaning, unknownTestOption } from '../../../src/diagnostics/tests/test-exit.js';
import {
  parseTestOutput,
  parseTrx,
  sumTestRuns,
  testFields,
  testLogsIn,
} from '../../../src/diagnostics/tests/test-results.js';
import { durationMsOf } from '../../../src/diagnostics/tests/test-run.js';
import { fixture, fixtureOutput, fixturePath } from '../fixture.js';

const COUNTS = { passed: 3, failed: 3, skipped: 1, total: 7 };
const BAD = 'My.Tests.T.Bad';
const ROWS = 'My.Tests.T.Rows(n: 2, s: "x(y): error CS0001: no")';
const ROWS_NAME = 'My.Tests.T.Rows';
const THROWS = 'My.Tests.T.Throws';

describe('parseTestOutput', () => {
  it('sums the lines of VSTest and reads its failures', () => {
    const run = parseTestOutput(fixtureOutput('test-vstest'));
    expect(run).toMatchObject({ ...COUNTS, durationMs: 206, runner: 'vstest' });
    expect(run.assemblies).toEqual([
      { name: 'TB.dll', framework: 'net10.0', passed: 1, failed: 0, skipped: 0, durationMs: 63 },
      { name: 'TA.dll', framework: 'net10.0', passed: 2, failed: 3, skipped: 1, durationMs: 143 },
    ]);
    expect(run.failures.map(({ testName }) => testName)).toEqual([BAD, ROWS_NAME, THROWS]);
    expect(run.failures[0]).toMatchObject({
      message: 'Assert.Equal() Failure: Values differ\nExpected: 1\nActual:   2',
      stackTrace: expect.stringMatching(/^at My\.Tests\.T\.Bad\(\) in \/src\/TA\/T\.cs:line 5\nat /),
    });
    expect(run.failures[2]!.message).toBe('System.InvalidOperationException : line one\nline two');
  });

  it('sums the blocks of VSTest at verbosity normal', () => {
    expect(parseTestOutput(fixtureOutput('test-vstest-n'))).toMatchObject({
      ...COUNTS,
      durationMs: 5388,
      assemblies: [],
    });
  });

  it('sums the lines of Microsoft.Testing.Platform projects under the VSTest command, and names their logs', () => {
    const output = fixtureOutput('test-platform-under-vstest');
    expect(parseTestOutput(output)).toMatchObject({ ...COUNTS, durationMs: 1391, failures: [] });
    expect(testLogsIn(output)).toEqual(['/src/TA/bin/Debug/net10.0/TestResults/TA_net10.0_x64.log']);
  });

  it('reads such a log', () => {
    const run = parseTestOutput(readFileSync(fixturePath('platform-log.utf16.txt'), 'utf16le'));
    expect(run).toMatchObject({ passed: 2, failed: 3, skipped: 1, total: 6, durationMs: 620 });
    expect(run.failures.map(({ testName }) => testName)).toEqual([THROWS, ROWS_NAME, BAD]);
    expect(run.failures[1]).toMatchObject({ message: 'n was 2', stackTrace: expect.stringMatching(/^at My\.Tests/) });
  });

  it('reads the block of the Microsoft.Testing.Platform command', () => {
    const run = parseTestOutput(fixtureOutput('test-platform'));
    expect(run).toMatchObject({ ...COUNTS, durationMs: 945, runner: 'microsoft-testing-platform' });
    expect(run.assemblies).toEqual([
      { name: 'TB.dll', framework: 'net10.0', failed: 0, skipped: 0, durationMs: 504 },
      { name: 'TA.dll', framework: 'net10.0', failed: 3, skipped: 1, durationMs: 634 },
    ]);
    expect(run.failures).toMatchObject([
      { testName: THROWS, message: 'System.InvalidOperationException : line one\nline two' },
      { testName: BAD, message: 'Assert.Equal() Failure: Values differ\nExpected: 1\nActual:   2' },
      {
        testName: ROWS_NAME,
        displayName: ROWS,
        message: 'n was 2',
        stackTrace: expect.stringMatching(/^at My\.Tests\.T\.Rows/),
      },
    ]);
  });

  it('gives the passed tests to the only assembly', () => {
    expect(parseTestOutput(fixtureOutput('test-platform-proj')).assemblies).toEqual([
      { name: 'TA.dll', framework: 'net10.0', passed: 2, failed: 3, skipped: 1, durationMs: 542 },
    ]);
  });

  it.each(['test-vstest-list', 'test-platform-list'])('reads the names in %s', (name) => {
    const { listed, total } = parseTestOutput(fixtureOutput(name));
    expect(listed).toHaveLength(7);
    expect(listed).toContain(ROWS);
    expect(total).toBe(0);
    expect(parseTestOutput(fixtureOutput('test-vstest'))).not.toHaveProperty('listed');
  });

  it.each([
    ['test-vstest-none', /^No test matches/],
    ['test-vstest-badfilter', /Incorrect format for TestCaseFilter/],
  ])('says in %s why no test ran', (name, note) => {
    const run = parseTestOutput(fixtureOutput(name));
    expect(run.total).toBe(0);
    expect(run.notes![0]).toMatch(note);
  });

  it('reads a message whose block begins with the assembly, and a line of older runners', () => {
    const older =
      'failed T.Bad (11ms)\n  from /x/A.dll (net8.0|x64)\n  Wrong\n    at T.Bad()\n\nTest run summary: Failed! - /x/A.dll (net8.0|x64)\n  total: 45\n  failed: 1\n  succeeded: 44\n  skipped: 0\n  duration: 4s 210ms\n';
    expect(parseTestOutput(older)).toMatchObject({
      total: 45,
      durationMs: 4210,
      failures: [{ testName: 'T.Bad', message: 'Wrong', stackTrace: 'at T.Bad()' }],
    });
    const line = 'Passed!  - Failed:     0, Passed:    42, Skipped:     0, Total:    42, Duration: 1.2s';
    expect(parseTestOutput(line)).toMatchObject({ passed: 42, total: 42, durationMs: 1200 });
  });

  it.each([
    ['143 ms', 143],
    ['< 1 ms', 1],
    ['1s 518ms', 1518],
    ['1 m 2 s', 62_000],
    ['2 h 1 m', 7_260_000],
    ['1.5 s', 1500],
    ['', 0],
  ])('takes %j for %d ms', (text, ms) => {
    expect(durationMsOf(text)).toBe(ms);
  });
});

describe('parseTrx', () => {
  it.each(['vstest-failed', 'platform-failed'])('reads %s', (name) => {
    const run = parseTrx(fixture(`${name}.trx`));
    expect(run).toMatchObject({ passed: 2, failed: 3, skipped: 1, total: 6 });
    expect(run.assemblies).toEqual([
      { name: 'TA.dll', framework: 'net10.0', passed: 2, failed: 3, skipped: 1, durationMs: run.durationMs },
    ]);
    expect(run.durationMs).toBeGreaterThan(100);
    expect(run.failures.find(({ testName }) => testName === BAD)).toMatchObject({
      message: 'Assert.Equal() Failure: Values differ\nExpected: 1\nActual:   2',
      stackTrace: expect.stringMatching(/^at My\.Tests\.T\.Bad\(\)/),
    });
  });

  it('counts skipped tests where xUnit.net 2 says notExecuted="0"', () => {
    const xml = fixture('vstest-failed.trx');
    expect(xml).toContain('notExecuted="0"');
    expect(parseTrx(xml).skipped).toBe(1);
  });

  it('sums the files of a solution', () => {
    const runs = ['vstest-failed', 'vstest-passed'].map((name) => parseTrx(fixture(`${name}.trx`)));
    expect(sumTestRuns(runs)).toMatchObject(COUNTS);
    expect(sumTestRuns(runs).assemblies.map(({ name }) => name)).toEqual(['TA.dll', 'TB.dll']);
  });

  it('refuses what is not XML', () => {
    expect(() => parseTrx('Passed!')).toThrow(expect.objectContaining({ name: 'XmlError' }));
  });
});

describe('what a result shows of tests', () => {
  it('has at most five failures', () => {
    const failure = { testName: 'T', message: 'm' };
    const run = { ...parseTestOutput(''), failed: 9, failures: Array(9).fill(failure) };
    expect(testFields(run)).toMatchObject({ failed: 9, firstFailures: Array(5).fill(failure) });
  });
});

describe('the exit codes of Microsoft.Testing.Platform', () => {
  it('have a meaning where that platform ran', () => {
    expect(testExitMeaning(2)).toMatch(/failed/);
    expect(testExitMeaning(8)).toMatch(/No test ran/);
    expect(testExitMeaning(1)).toBeUndefined();
    expect(isPlatformRun(fixtureOutput('test-platform-none'))).toBe(true);
    expect(isPlatformRun(fixtureOutput('test-vstest'))).toBe(false);
  });

  it('name the option that the project does not know', () => {
    expect(unknownTestOption(fixtureOutput('test-platform-filter'))).toEqual({
      option: '--filter',
      replacement: expect.stringContaining('--filter-query'),
    });
    expect(unknownTestOption("Unknown option '--odd'")).toEqual({ option: '--odd' });
    expect(unknownTestOption(fixtureOutput('test-platform-none'))).toBeUndefined();
  });
});

describe('a TRX file of VSTest', () => {
  it('has characters beyond the Basic Multilingual Plane as pairs of escapes', () => {
    const trx = String.raw`<TestRun><Results><UnitTestResult testId="1" testName="E.T.Emo(s: &quot;\ud83c\udf89 \uD840\uDC00 \u0041&quot;)" outcome="Failed"><Output><ErrorInfo><Message>was \ud83d\ude00</Message></ErrorInfo></Output></UnitTestResult></Results></TestRun>`;
    const [failure] = parseTrx(trx).failures;
    expect(failure).toMatchObject({ displayName: String.raw`E.T.Emo(s: "🎉 𠀀 \u0041")`, message: 'was 😀' });
  });
});
