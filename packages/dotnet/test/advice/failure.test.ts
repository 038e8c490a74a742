import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fail } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { diagnosticFields } from '../../src/advice/diagnostic-fields.js';
import { type FailureContext, failureOf } from '../../src/advice/failure.js';
import { parseDiagnostics } from '../../src/diagnostics/parse/parse-diagnostics.js';
import { parseTestOutput } from '../../src/diagnostics/tests/test-results.js';
import { fixtureOutput, runOf } from '../diagnostics/fixture.js';

const failed = (name: string, exitCode: number, args: string[], context: Partial<FailureContext> = {}) =>
  failureOf(runOf(name, exitCode, args), { label: 'Build', ...context });

describe('a build that failed', () => {
  const failure = failed('csharp', 1, ['build', 'Cs.csproj'], { partialResult: { configuration: 'Debug' } });

  it('is summed up, with its errors and none of its warnings in errors[]', () => {
    expect(failure).toMatchObject({ message: 'Build failed: 3 errors, 5 warnings', exitCode: 1 });
    expect(failure.errors.map(({ code }) => code)).toEqual(['CS0103', 'CS0029', 'CS0246']);
  });

  it('has entries with place, advice and their own lines', () => {
    expect(failure.errors[0]).toEqual({
      code: 'CS0103',
      message: "The name 'undefinedName' does not exist in the current context",
      category: 'Compilation',
      hint: expect.any(String),
      explanation: expect.any(String),
      documentationUrl: expect.stringContaining('cs0103'),
      suggestedFixes: expect.arrayContaining([expect.any(String)]),
      rawOutput: expect.stringMatching(/^\/src\/cs\/A\.cs\(4,22\): error CS0103: The name 'undefinedName' [^\n]+$/),
      data: { command: 'dotnet build Cs.csproj', exitCode: 1, additionalData: { project: '/src/cs/Cs.csproj' } },
      file: '/src/cs/A.cs',
      line: 4,
      column: 22,
      rootCauseKind: 'CompilationError',
      recommendedAction: { actionKind: 'ManualStep', description: 'Correct the source code at /src/cs/A.cs(4,22).' },
    });
  });

  it('names the command in every entry, and stderr in the first only', () => {
    const command = 'dotnet build Cs.csproj';
    expect(failure.errors[1]!.data).toEqual({ command, additionalData: { project: '/src/cs/Cs.csproj' } });
    const formatted = failed('format', 2, ['format']);
    expect(formatted.errors[0]!.data!.stderr).toContain('WHITESPACE');
    expect(formatted.errors[1]!.data).not.toHaveProperty('stderr');
  });

  it('keeps what is known beside the error', () => {
    expect(failure.structured).toMatchObject({ errorCount: 3, warningCount: 5, configuration: 'Debug' });
    expect((failure.structured as { warnings: unknown[] }).warnings).toHaveLength(5);
    expect(failure.structured).not.toHaveProperty('errors');
  });

  it('has fixes with the package that the message names', () => {
    const [error] = failed('nu1102', 1, ['restore']).errors;
    expect(error!.code).toBe('NU1102');
    const fixes = error!.suggestedFixes!.join('\n');
    expect(fixes).toMatch(/dotnet_package \{"action":"Add","packageId":"[\w.]+","version":"[^"]+","project":"[^"]+"\}/);
    expect(fixes).not.toContain('<PackageId>');
  });

  it('gives the help of a code once, and with the first error', () => {
    const { errors, codes } = failure;
    expect(Object.keys(codes!)).toEqual(['CS0103', 'CS0029', 'CS0246']);
    expect(codes!.CS0103).toEqual({
      hint: errors[0]!.hint,
      explanation: errors[0]!.explanation,
      documentationUrl: errors[0]!.documentationUrl,
      suggestedFixes: errors[0]!.suggestedFixes,
      rootCauseKind: 'CompilationError',
    });
    expect(errors[1]!.rawOutput).toBe('');
    expect(Object.keys(errors[1]!)).toEqual([
      ...['code', 'message', 'category', 'rawOutput', 'data', 'file', 'line', 'column'],
    ]);
    expect(failed('msb1009', 1, ['build', 'nope.csproj'])).not.toHaveProperty('codes');
  });

  it('shows as many errors as fit, and says how many more', () => {
    const output = Array.from({ length: 130 }, (_, i) => `A.cs(${i + 1},1): error CS0103: m${i}`).join('\n');
    const many = failureOf({ ...runOf('msb1003', 1, ['build']), output }, { label: 'Build' });
    expect(many.errors.length).toBeGreaterThan(60);
    expect(JSON.stringify(many.errors).length).toBeLessThan(11_000);
    expect(many.structured).toMatchObject({ errorCount: 130, omittedErrors: 130 - many.errors.length });
    expect(many.message).toBe('Build failed: 130 errors');
  });

  it('has the JSON-RPC code and the frameworks where they are due', () => {
    expect(failed('nu1101', 1, ['restore']).errors[0]).toMatchObject({ mcpErrorCode: -32002, category: 'Package' });
    expect(failed('multi-targeted', 1, ['build']).errors[0]!.data!.additionalData).toEqual({
      project: '/src/multi/multi.csproj',
      frameworks: 'net10.0; netstandard2.0',
    });
    expect(failure.errors[0]).not.toHaveProperty('mcpErrorCode');
  });

  it('without a place is an entry all the same', () => {
    const { errors } = failed('msb1009', 1, ['build', 'nope.csproj']);
    expect(errors).toMatchObject([{ code: 'MSB1009', rootCauseKind: 'ProjectNotFound' }]);
    expect(errors[0]).not.toHaveProperty('file');
  });

  it('can be given to fail()', () => {
    const { message, ...options } = failure;
    expect(fail(message, options)).toMatchObject({ isError: true, content: [{ text: message }] });
  });
});

describe('a failure without a diagnostic', () => {
  it('is EXIT_<n>, or the code that its words stand for, with the words of stderr', () => {
    const { message, errors } = failed('run-no-project', 1, ['run'], { label: 'Run' });
    expect(message).toMatch(/^Couldn't find a project to run\./);
    expect(errors).toMatchObject([
      { code: 'MSB1003', message, category: 'Build', mcpErrorCode: -32002, rootCauseKind: 'ProjectNotFound' },
    ]);
    expect(errors[0]!.data).toMatchObject({ command: 'dotnet run', stderr: message });
    const other = failureOf({ ...runOf('clean', 3, ['x']), stderr: 'Out of paper.' }, { label: 'Run' });
    expect(other.errors).toMatchObject([
      { code: 'EXIT_3', message: 'Out of paper.', category: 'Unknown', mcpErrorCode: -32603, hint: expect.any(String) },
    ]);
  });

  it('has at most 500 characters of it, whole ones', () => {
    const stderr = `${'x'.repeat(499)}😀 and more`;
    const { message } = failureOf({ ...runOf('clean', 3, ['x']), stderr }, { label: 'Run' });
    expect(message).toBe('x'.repeat(499));
  });

  it('has the end of stdout where stderr is empty, and says so where both are', () => {
    const stdout = `${'line\n'.repeat(300)}the last words\n`;
    const run = { ...runOf('clean', 3, ['x']), stdout, output: stdout };
    const { message } = failureOf(run, { label: 'Run' });
    expect(message).toMatch(/^line\n[\s\S]*the last words$/);
    expect(message.length).toBeLessThanOrEqual(500);
    expect(failureOf({ ...run, stdout: '', output: '' }, { label: 'Run' }).message).toBe(
      'Run failed with exit code 3 and no output',
    );
  });

  it.each([
    ['parse-error-argument', "Required argument missing for command: 'why'."],
    ['parse-error-command', "Unrecognized command or argument 'serch'."],
  ])('of the command line has its first line only: %s', (name, message) => {
    expect(failed(name, 1, ['x'])).toMatchObject({
      message,
      errors: [{ code: 'EXIT_1', rootCauseKind: 'InvalidParameter' }],
    });
  });

  it('of the host names global.json', () => {
    expect(failed('exit-155', 155, ['build']).errors).toMatchObject([
      {
        code: 'EXIT_155',
        rootCauseKind: 'MissingSdk',
        recommendedAction: { toolName: 'dotnet_sdk', arguments: { globalJsonPath: '/src/globaljson/global.json' } },
      },
    ]);
  });

  it('that ended with 0 says neither 0 nor EXIT_0', () => {
    const { errors, exitCode } = failed('clean', 0, ['build']);
    expect(exitCode).toBe(-1);
    expect(errors).toMatchObject([
      { code: 'COMMAND_FAILED', category: 'Unknown', mcpErrorCode: -32603, data: { exitCode: -1 } },
    ]);
    expect(errors[0]!.hint).toMatch(/\S/);
  });

  it('of a program that was not found says so', () => {
    const { errors } = failureOf({ ...runOf('clean', 127, ['run']), output: '', stdout: '' }, { label: 'Run' });
    expect(errors).toMatchObject([{ code: 'EXIT_127', hint: expect.stringContaining('PATH') }]);
  });
});

describe('tests that failed', () => {
  const testFailure = (name: string, exitCode: number) =>
    failed(name, exitCode, ['test'], { label: 'Test', tests: parseTestOutput(fixtureOutput(name)) });

  it('are named, with what they said', () => {
    const { message, errors, structured } = testFailure('test-vstest', 1);
    expect(message).toMatch(/^3 of 7 tests failed: My\.Tests\.T\.Bad, /);
    expect(errors).toMatchObject([{ code: 'EXIT_1', rootCauseKind: 'TestFailure', mcpErrorCode: -32603 }]);
    expect(errors[0]!.rawOutput).toContain('Expected: 1\nActual:   2\nat /src/TA/T.cs:line 5\n');
    expect(structured).toMatchObject({ passed: 3, failed: 3, skipped: 1, total: 7, firstFailures: { length: 3 } });
  });

  it('stand behind the errors of a project that did not compile', () => {
    const tests = parseTestOutput(fixtureOutput('test-vstest'));
    const { errors, message } = failed('csharp', 1, ['test'], { label: 'Test', tests });
    expect(message).toBe('Test failed: 3 errors, 5 warnings');
    expect(errors.map(({ code }) => code)).toEqual(['CS0103', 'CS0029', 'CS0246', 'EXIT_1']);
  });

  it('are not a test failure where the project did not know an option', () => {
    const { message, errors } = testFailure('test-platform-filter', 5);
    expect(message).toContain('--filter');
    expect(errors).toMatchObject([
      { code: 'EXIT_5', rootCauseKind: 'InvalidParameter', hint: expect.stringContaining('--filter-class') },
    ]);
  });

  it('are said to be none where none ran', () => {
    expect(testFailure('test-platform-none', 8).message).toMatch(/^No test ran/);
  });
});

describe('a run that was ended', () => {
  it.each([
    ['cancelled', 'OPERATION_CANCELLED', undefined],
    ['timed out', 'OPERATION_TIMEOUT', 'Timeout'],
  ] as const)('%s is never judged by its exit code', (terminatedBy, code, rootCauseKind) => {
    const run = runOf('csharp', 0, ['build'], { terminatedBy, exitCode: 0 });
    const { errors, exitCode } = failureOf(run, { label: 'Build', partialResult: { project: 'Cs.csproj' } });
    expect(exitCode).toBe(-1);
    expect(errors).toHaveLength(1);
    const [beforeSummary] = run.output.split('\nBuild FAILED.\n');
    const rawOutput = `${beforeSummary!.trimEnd()}\n`;
    expect(errors[0]).toMatchObject({ code, category: 'Cancellation', mcpErrorCode: -32603, rawOutput });
    expect(errors[0]!.rootCauseKind).toBe(rootCauseKind);
    expect(errors[0]!.data).toMatchObject({ command: 'dotnet build', exitCode: -1 });
  });
  it.each([
    ['', 'The build had not ended, and no test had started.'],
    ['--no-build', 'No test had started.'],
  ])('says that no test had started: test %s', (option, words) => {
    const args = ['test', ...(option === '' ? [] : [option])];
    const run = { ...runOf('clean', -1, args), terminatedBy: 'timed out' as const, output: '' };
    const [error] = failureOf(run, { label: 'Test' }).errors;
    expect(JSON.stringify(error)).toContain(words);
    expect(JSON.stringify(error).includes('build had')).toBe(option === '');
  });

  it.each([
    [
      'Target Slow of p.csproj was running.',
      '/src/p.csproj(3,5): error MSB5021: Terminating the task executable "sh". [/src/p.csproj]',
    ],
    [
      'Target Slow of p.csproj was running.',
      '/src/p.csproj(3,1): error MSB3073: The command "sleep 20" exited with code 130.',
    ],
    [
      'The tests of T.dll were running.',
      '  T -> /src/T.dll\nTest run for /src/T.dll (.NETCoreApp,Version=v10.0)\nA total of 1 test files',
    ],
    ['a was built last.', '  a -> /src/a.dll\n'],
    ['The build of p.csproj was running; its packages had been restored.', '  Restored /src/p.csproj (in 9 ms).\n'],
    ['Packages were being restored.', '  Determining projects to restore...\n'],
  ])('says that the process tree was ended, and what ran: %s', (running, output) => {
    const folder = mkdtempSync(join(tmpdir(), 'mortise-'));
    writeFileSync(join(folder, 'p.csproj'), '<Project>\n<Target Name="Slow">\n<Exec />\n</Target></Project>');
    const shortened = output.replaceAll('/src/p.csproj', join(folder, 'p.csproj'));
    const run = { ...runOf('clean', -1, ['build']), terminatedBy: 'timed out' as const, output: shortened };
    const report = parseDiagnostics(shortened);
    const { errors, structured } = failureOf(run, {
      label: 'Build',
      report,
      partialResult: { errorCount: report.errorCount },
    });
    rmSync(folder, { recursive: true });
    expect(errors).toHaveLength(1);
    expect(errors[0]!.hint).toMatch(/^The process tree of the command was ended\. /);
    expect(errors[0]!.hint).toContain(running);
    expect(errors[0]!.rawOutput).not.toContain('MSB5021');
    expect(structured).toMatchObject({ errorCount: 0 });
  });

  it.each([
    [['N.T.A'], 'The test N.T.A was running.'],
    [['A', 'B'], '2 tests were running: A, B.'],
    [['A', 'B', 'C', 'D', 'E', 'F'], '6 tests were running: A, B, C, D, E, ….'],
  ])('names the tests that ran: %j', (runningTests, sentence) => {
    const run = {
      ...runOf('clean', -1, ['test']),
      terminatedBy: 'timed out' as const,
      output: 'Test run for /src/T.dll (',
    };
    const { errors } = failureOf(run, { label: 'Test', runningTests });
    expect(errors[0]!.hint).toContain(`The process tree of the command was ended. ${sentence}`);
  });

  it('is followed by the errors that the build had reported, and counts nothing else', () => {
    const ended = '/src/p.csproj(9,42): error MSB3073: The command "sleep 100" exited with code 130. [/src/p.csproj]';
    const output = [
      "/src/A.cs(1,2): error CS0103: The name 'x' does not exist in the current context [/src/p.csproj]",
      '/src/B.cs(3,4): warning CS0219: Unused [/src/p.csproj]',
      ended,
      '/sdk/NuGet.targets(198,5): error : Restore canceled! [/src/q.csproj]',
      '\nBuild FAILED.\n',
      ended,
      '    1 Warning(s)\n    3 Error(s)\n\nTime Elapsed 00:00:05.74',
    ].join('\n');
    const run = { ...runOf('clean', -1, ['build']), terminatedBy: 'cancelled' as const, output };
    const report = parseDiagnostics(output);
    const { message, errors, structured } = failureOf(run, {
      ...{ label: 'Build', report },
      partialResult: { errorCount: report.errorCount, summary: 'Build failed: 3 errors' },
    });
    expect(errors.map(({ code, data }) => [code, data?.command])).toEqual([
      ['OPERATION_CANCELLED', 'dotnet build'],
      ['CS0103', 'dotnet build'],
    ]);
    expect(errors[0]!.rawOutput.split('\n').filter(Boolean)).toEqual(output.split('\n').slice(0, 2));
    expect(structured).toMatchObject({ errorCount: 1, warningCount: 1, summary: message });
  });

  it('names the setting of the time limit, and keeps the end of a long output', () => {
    const run = {
      ...runOf('clean', -1, ['build']),
      terminatedBy: 'timed out' as const,
      output: 'line\n'.repeat(20_000),
    };
    const [error] = failureOf(run, { label: 'Build' }).errors;
    expect(error!.hint).toContain('Dotnet.TimeoutMs');
    expect(error!.rawOutput.length).toBeLessThan(4100);
    expect(error!.rawOutput).toMatch(/^… \d+ characters before this are omitted\nline\n/);
  });
});

describe('diagnosticFields', () => {
  it('shows diagnostics as the contract has them', () => {
    const { warnings, errors, ...counts } = diagnosticFields(parseDiagnostics(fixtureOutput('multi-targeted')));
    expect(counts).toEqual({ errorCount: 3, warningCount: 0 });
    expect(warnings).toBeUndefined();
    expect(errors![0]).toEqual({
      file: '/src/multi/A.cs',
      line: 1,
      column: 28,
      code: 'CS0103',
      message: "The name 'nope' does not exist in the current context",
      severity: 'error',
      count: 2,
      project: '/src/multi/multi.csproj',
      frameworks: ['net10.0', 'netstandard2.0'],
    });
  });

  it('cuts at 50 warnings, and counts the rest even of a flood', () => {
    const lines = Array.from({ length: 3000 }, (_, i) => `A.cs(${i + 1},1): warning CS8602: m`);
    const output = [...lines, ...lines].join('\n');
    const fields = diagnosticFields(parseDiagnostics(output));
    expect(fields).toMatchObject({ errorCount: 0, warningCount: 6000, omittedWarnings: 2950 });
    expect(fields.warnings).toHaveLength(50);
    expect(fields).not.toHaveProperty('errors');
  });
});
