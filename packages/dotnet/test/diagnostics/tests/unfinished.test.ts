import { describe, expect, it } from 'vitest';
import { failureOf } from '../../../src/advice/failure.js';
import { parseTestOutput } from '../../../src/diagnostics/tests/test-results.js';
import { runOf } from '../fixture.js';

const path = (name: string, framework = 'net10.0') => `/src/${name}/bin/Debug/${framework}/${name}.dll`;
const started = (name: string, version = '10.0') =>
  `Test run for ${path(name, `net${version}`)} (.NETCoreApp,Version=v${version})`;
const ended = (name: string, failed: number) =>
  `${failed > 0 ? 'Failed' : 'Passed'}!  - Failed:     ${failed}, Passed:     1, Skipped:     0, Total:     ${failed + 1}, Duration: 505 ms - ${name}.dll (net10.0)`;
const CRASH = [
  'The active test run was aborted. Reason: Test host process crashed : Process terminated.',
  'boom',
  '   at System.Environment.FailFast(System.String)',
  '   at TB.T.Boom()',
  '   at Xunit.Sdk.TestInvoker`1[[System.__Canon]].CallTestMethod(System.Object)',
];
const ABORT = [
  `Testhost process for source(s) '${path('c', 'net8.0')}' exited with error: You must install or update .NET to run this application.`,
  'App: /src/c/bin/Debug/net8.0/testhost.dll',
  'Test Run Aborted.',
];

const failure = (...lines: string[]) => {
  const output = lines.join('\n');
  const run = { ...runOf('clean', 1, ['test', 'All.slnx']), output, stdout: output, stderr: '' };
  return failureOf(run, { label: 'Test', tests: parseTestOutput(output) });
};

describe('assemblies whose tests did not all run', () => {
  it('have an error of their own beside the failed tests of others', () => {
    const { errors } = failure(started('a'), started('b'), '', ended('a', 1), ...CRASH);
    expect(errors.map(({ message }) => message)).toEqual([
      '1 of 2 tests failed',
      'b.dll (net10.0) did not run all of its tests. The test process crashed: Process terminated. boom',
    ]);
    expect(errors[1]).toMatchObject({ hint: 'The process ended in TB.T.Boom().', rawOutput: 'at TB.T.Boom()' });
  });

  it('name the runtime that is missing', () => {
    const { errors } = failure(started('c', '8.0'), started('c'), '', ended('c', 1), ...ABORT);
    expect(errors).toHaveLength(2);
    expect(errors[1]).toMatchObject({
      message: expect.stringMatching(/^c\.dll \(net8\.0\) did not run .+ You must install or update \.NET/),
      rootCauseKind: 'MissingRuntime',
    });
  });

  it('are an error where all other tests passed', () => {
    const { message } = failure(started('a'), started('b'), '', ended('a', 0), ...CRASH);
    expect(message).toMatch(/^b\.dll \(net10\.0\) did not run all of its tests\. The test process crashed/);
  });

  it('are one where the only assembly has a summary of what ran before its end', () => {
    const { errors } = failure(started('a'), ...CRASH, ended('a', 0));
    expect(errors.map(({ message }) => message)).toEqual(['The test process crashed: Process terminated. boom']);
  });

  it('are none where a filter matches in one of them only, or nothing was aborted', () => {
    const none = `No test matches the given testcase filter \`Name=a\` in ${path('b')}`;
    const { unfinished, withoutTests } = parseTestOutput([started('a'), started('b'), none, ended('a', 0)].join('\n'));
    expect(unfinished).toBeUndefined();
    expect(withoutTests).toEqual([{ name: 'b.dll', framework: 'net10.0' }]);
  });

  it('with an option that they do not know say which', () => {
    const tests = parseTestOutput(
      [
        `${path('x')} (net10.0) Zero tests ran`,
        'Exit code: 5',
        "  Standard output: Unknown option '--filter'",
        '  Usage x [option providers]',
        `Running tests from ${path('a')} (net10.0|x64)`,
        `${path('a')} (net10.0|x64) passed (1s 300ms)`,
        '',
        'Test run summary: Failed!',
        '',
        '  error: 1',
        '',
        '  total: 1',
        '  failed: 0',
        '  succeeded: 1',
        '  skipped: 0',
        '  duration: 2s 502ms',
      ].join('\n'),
    );
    expect(tests).toMatchObject({
      passed: 1,
      unfinished: [{ name: 'x.dll', cause: 'It does not know the option --filter, so no test ran' }],
    });
  });
});
