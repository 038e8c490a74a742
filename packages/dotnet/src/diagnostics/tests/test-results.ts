import { plainText } from '../parse/clean-line.js';
import { head } from '../parse/truncate.js';
import { listedByPlatform, parsePlatformOutput, platformFailures } from './mtp-output.js';
import { NO_TESTS, type TestFailure, type TestRun } from './test-run.js';
import { listedByVSTest, parseVSTestOutput, vstestFailures } from './vstest-output.js';

export { sumTestRuns, type TestAssembly, type TestFailure, type TestRun } from './test-run.js';
export { parseTrx } from './trx.js';

const NOTE =
  /^No test matches the given testcase filter |^No test is available in |Incorrect format for TestCaseFilter/;

/**
 * Parses the output of `dotnet test` in any of its dialects: VSTest; a Microsoft.Testing.Platform project under the
 * VSTest command; the command of Microsoft.Testing.Platform. Also parses the logs that Microsoft.Testing.Platform
 * projects write.
 */
export function parseTestOutput(text: string): TestRun {
  const lines = plainText(text).split(/\r?\n/);
  const run = parsePlatformOutput(lines) ?? parseVSTestOutput(lines) ?? NO_TESTS;
  const listed = listedByPlatform(lines) ?? listedByVSTest(lines);
  const notes = [...new Set(lines.map((line) => line.trim()).filter((line) => NOTE.test(line)))];
  return { ...run, ...(listed && { listed }), ...(notes.length > 0 && { notes }) };
}

/** Returns the tests that failed before a run was ended. Such a run has printed no counts. */
export function readTestFailures(text: string): TestFailure[] {
  const lines = plainText(text).split(/\r?\n/);
  return [...vstestFailures(lines), ...platformFailures(lines)];
}

const LOG_OF_FAILED_TESTS = / : error run failed: Tests failed: '([^'\n]+)'/g;

/**
 * Returns the paths of the logs that name the failed tests of Microsoft.Testing.Platform projects. Under the VSTest
 * command, the output itself does not name them. The logs are UTF-16.
 */
export function testLogsIn(text: string): string[] {
  return [...text.matchAll(LOG_OF_FAILED_TESTS)].map(([, path]) => path!);
}

/** Builds the fields of a result that describe its tests (docs/spec/dotnet-results.md#test-fields). */
export function testFields(run: TestRun): object {
  const {
    passed,
    failed,
    skipped,
    total,
    durationMs,
    failures,
    assemblies,
    skippedTests = [],
    retriedTests = [],
  } = run;
  return {
    passed,
    failed,
    skipped,
    total,
    durationMs,
    ...failureFields(failures),
    ...(skippedTests.length > 0 && {
      skippedTests: skippedTests.slice(0, MAX_NAMES).map(({ testName, reason }) => ({
        testName,
        ...(reason !== undefined && { reason: beginning(reason, REASON_CHARS) }),
      })),
    }),
    ...(retriedTests.length > 0 && {
      retriedTests: retriedTests.slice(0, MAX_NAMES).map(({ testName, passedOnTry }) => ({ testName, passedOnTry })),
    }),
    assemblies,
  };
}

export function failureFields(failures: readonly TestFailure[]): object {
  return {
    firstFailures: failures.slice(0, MAX_FAILURES).map(reportedFailure),
    ...(failures.length > 0 && { failedTests: namesOf(failures) }),
  };
}

/** Returns the distinct names of failed tests, at most {@link MAX_NAMES}. */
export function namesOf(failures: readonly TestFailure[]): string[] {
  return [...new Set(failures.map(({ testName }) => testName))].slice(0, MAX_NAMES);
}

/** Returns text such as `1 passed, 5 failed, 1 skipped (T.Later: not yet); T.Flaky passed on try 2`. */
export function testCounts({ passed, failed, skipped, skippedTests = [], retriedTests = [] }: TestRun): string {
  const names = skippedTests
    .slice(0, MAX_SKIPPED)
    .map(({ testName, reason }) =>
      reason ? `${testName}: ${beginning(reason.split('\n', 1)[0]!, REASON_CHARS)}` : testName,
    );
  const more = skippedTests.length > MAX_SKIPPED ? `; ${skippedTests.length - MAX_SKIPPED} more` : '';
  const retried = retriedTests
    .slice(0, MAX_SKIPPED)
    .map(({ testName, passedOnTry }) => `; ${testName} passed on try ${passedOnTry}`);
  return `${passed} passed, ${failed} failed, ${skipped} skipped${names.length > 0 ? ` (${names.join('; ')}${more})` : ''}${retried.join('')}`;
}

export interface ReportedFailure extends TestFailure {
  /** The expected and actual values, if the message contains both. */
  readonly expected?: string;
  readonly actual?: string;
  readonly file?: string;
  readonly line?: number;
}

/** Shortens the texts of a failure, and extracts the expected and actual values and the place in the user's code. */
export function reportedFailure({ testName, displayName, message, output, stackTrace }: TestFailure): ReportedFailure {
  const frames = stackTrace === undefined ? '' : ownFrames(stackTrace);
  const [, file, line] = /\bin (.+):(?:line )?(\d+)\s*$/m.exec(frames) ?? [];
  return {
    testName,
    ...(displayName !== undefined && { displayName: beginning(displayName, VALUE_CHARS) }),
    message: beginning(message, MESSAGE_CHARS),
    ...expectation(message),
    ...(file !== undefined && { file, line: Number(line) }),
    ...(output !== undefined && { output: beginning(output, OUTPUT_CHARS) }),
    ...(frames !== '' && { stackTrace: beginning(frames, STACK_CHARS) }),
  };
}

/** The formats of expected and actual values of xUnit.net, NUnit, MSTest and TUnit; the first match is used. */
const EXPECTATIONS: readonly RegExp[] = [
  /^\s*Expected:\s*(.+)\r?\n(?:.*\n){0,4}?\s*(?:Actual|But was):\s*(.+)$/m,
  /Expected:<(.*?)>\. Actual:<(.*?)>/s,
  /^\s*expected:\s*(.+)\r?\n\s*actual:\s*(.+)$/im,
  /^Expected (.+)\r?\n(?:but|but was|but found|but received) (.+)$/im,
];

function expectation(message: string): Pick<ReportedFailure, 'expected' | 'actual'> {
  for (const pattern of EXPECTATIONS) {
    const [, expected, actual] = pattern.exec(message) ?? [];
    if (expected === undefined || actual === undefined) continue;
    return { expected: beginning(expected.trim(), VALUE_CHARS), actual: beginning(actual.trim(), VALUE_CHARS) };
  }
  return {};
}

/**
 * Returns the first frames in the user's code. Frames of a framework have no file, or a file of the machine that built
 * the framework.
 */
function ownFrames(stackTrace: string): string {
  const frames = stackTrace.split('\n').map((frame) => frame.trimEnd());
  const own = frames.filter((frame) => / in .+:(?:line )?\d+$/.test(frame) && !FRAMEWORK_FRAME.test(frame));
  return own.slice(0, MAX_OWN_FRAMES).join('\n');
}

const FRAMEWORK_FRAME =
  /^\s*at (?:async )?(?:Xunit|NUnit|Microsoft\.VisualStudio\.TestTools|Microsoft\.Testing|TUnit|System|FluentAssertions|Shouldly)\./;

const MAX_OWN_FRAMES = 2;

const beginning = (text: string, chars: number) => (text.length <= chars ? text : `${head(text, chars - 1)}…`);

const MAX_FAILURES = 5;
const MAX_NAMES = 50;
const MAX_SKIPPED = 20;
const VALUE_CHARS = 120;
const OUTPUT_CHARS = 300;
const REASON_CHARS = 120;
const MESSAGE_CHARS = 300;
const STACK_CHARS = 240;
