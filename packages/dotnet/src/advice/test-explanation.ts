import type { ErrorResult } from '@mortise/plugin';
import { bounded, head } from '../diagnostics/parse/truncate.js';
import { ownFrameIn, testCrashIn } from '../diagnostics/tests/test-crash.js';
import { isPlatformRun, testExitMeaning, unknownTestOption } from '../diagnostics/tests/test-exit.js';
import {
  namesOf,
  type ReportedFailure,
  reportedFailure,
  type TestRun,
  testCounts,
} from '../diagnostics/tests/test-results.js';
import type { UnfinishedAssembly } from '../diagnostics/tests/test-run.js';
import type { CommandRun } from '../process/command-run.js';
import { categoryOf, mcpErrorCodeOf } from './codes/code-catalog.js';
import { rootCauseOf } from './root-cause.js';

export const MAX_MESSAGE_CHARS = 500;
/** The maximum number of characters of failed tests in `rawOutput`; `firstFailures` has them as data. */
const FAILURES_CHARS = 1600;
const TEST_HOST_BAD_OPTION = 5;
const TEST_HOST_NO_TESTS = 8;
const NO_TESTS_ADVICE = ['listTests: true shows which tests there are.', 'Correct the filter, or add tests.'] as const;
const OTHER_ADVICE = [
  'See the output of the test application.',
  'Correct the problem that its output reports.',
] as const;

/** The message of a failure without diagnostics, and advice on it. */
export interface Explanation {
  readonly message: string;
  readonly hint?: string;
  readonly cause?: { readonly rootCauseKind: 'InvalidParameter' | 'TestFailure'; readonly action: string };
  readonly rawOutput?: string;
}

/** Explains a test run that failed without diagnostics; undefined if the output shows no cause in the tests. */
export function explainTests(
  run: CommandRun,
  tests: TestRun | undefined,
  runningTests: readonly string[],
): Explanation | undefined {
  return failedTests(tests) ?? crashedTests(run, runningTests) ?? wrongSettings(run) ?? testHost(run);
}

function failedTests(tests: TestRun | undefined): Explanation | undefined {
  if (tests === undefined || tests.failed === 0) return undefined;
  const { failed, total, failures, notes = [], reportLines = [], rerun } = tests;
  const names = namesOf(failures);
  const distinctCount = new Set(failures.map(({ testName }) => testName)).size;
  const more = distinctCount > names.length ? `, and ${distinctCount - names.length} more` : '';
  const list = names.length > 0 ? `: ${names.join(', ')}${more}` : '';
  const texts = failures.map((failure) => failureText(reportedFailure(failure)));
  return {
    message: `${failed} of ${total} tests failed${list}`,
    hint: [...notes, `${testCounts(tests)}.`, ...(rerun === undefined ? [] : [rerun])].join(' '),
    cause: { rootCauseKind: 'TestFailure', action: 'Correct the code under test, or the tests.' },
    rawOutput: [head(texts.join('\n'), FAILURES_CHARS), ...reportLines].join('\n'),
  };
}

function failureText({ testName, displayName, message, output, file, line, stackTrace }: ReportedFailure): string {
  const location = file === undefined ? stackTrace : `at ${file}:line ${line}`;
  return [`Failed ${displayName ?? testName}`, message, location, output && `Output: ${output}`]
    .filter(Boolean)
    .join('\n');
}

/** Builds the entry of `errors[]` for an assembly whose tests did not all run. */
export function unfinishedError(
  run: CommandRun,
  { name, framework, cause, output = '' }: UnfinishedAssembly,
  runner: TestRun['runner'],
  runningTests: readonly string[],
): ErrorResult {
  const code = run.exitCode === 0 ? 'COMMAND_FAILED' : `EXIT_${run.exitCode}`;
  const message = `${name}${framework === undefined ? '' : ` (${framework})`} did not run all of its tests. ${head(cause, MAX_MESSAGE_CHARS)}`;
  const mcpErrorCode = mcpErrorCodeOf(code);
  const rootCause = rootCauseOf({ code, message, run, stderr: output, exitCode: run.exitCode });
  const frame = ownFrameIn(`\n  ${output}`);
  const hint =
    runner === 'vstest' || frame !== undefined
      ? crashHint(runningTests, frame)
      : 'See the output of the test application.';
  return {
    code,
    message,
    category: categoryOf(code),
    hint: rootCause.recommendedAction?.description ?? hint,
    rawOutput: bounded(output),
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...(rootCause.rootCauseKind === undefined
      ? { rootCauseKind: 'TestFailure', recommendedAction: { actionKind: 'ManualStep', description: END_OF_PROCESS } }
      : rootCause),
  };
}

const END_OF_PROCESS = 'Correct what ends the process: its output names the exception.';

/** For a crash under VSTest, which reports how the test process ended and, with blame, which tests were running. */
function crashedTests({ output }: CommandRun, runningTests: readonly string[]): Explanation | undefined {
  const crash = testCrashIn(output);
  if (crash === undefined) return undefined;
  const { cause, hang, frame } = crash;
  if (hang !== undefined) return hangingTests(hang, crash.tests);
  const tests = crash.tests.length === 0 ? runningTests : crash.tests;
  const during = tests.length === 0 ? '' : ` while ${tests.join(', ')} ran`;
  return {
    message: `The test process crashed${during}${cause === undefined ? '' : `: ${head(cause, MAX_MESSAGE_CHARS)}`}`,
    hint: crashHint(tests, frame),
    cause: { rootCauseKind: 'TestFailure', action: END_OF_PROCESS },
  };
}

function crashHint(tests: readonly string[], frame: string | undefined): string {
  if (frame !== undefined) return `The process ended in ${frame}.`;
  if (tests.length === 0) return 'Call again with blame: true, which names the test that ran when the process crashed.';
  return 'The test that ran may not be the cause: look also at what it started, and at the tests before it.';
}

/** VSTest takes the arguments after `--` as settings of the run and rejects other ones. */
function wrongSettings({ output }: CommandRun): Explanation | undefined {
  if (!/^One or more runsettings provided contain invalid token/m.test(output)) return undefined;
  return {
    message: 'No test ran: with VSTest, appArgs are settings of the run, and one of them is not Name=value',
    hint: 'Write settings such as RunConfiguration.MaxCpuCount=1; only Microsoft.Testing.Platform takes options of the test application.',
    cause: { rootCauseKind: 'InvalidParameter', action: 'Correct appArgs, or leave them out.' },
  };
}

/** For a test process that was ended because no test ended within `blameHangSeconds`. */
function hangingTests(time: string, tests: readonly string[]): Explanation {
  const names = tests.join(', ');
  return {
    message:
      names === ''
        ? `No test ended for ${time}, so the run was ended; the test framework did not say which test ran`
        : `${names} did not end within ${time}, so the run was ended`,
    hint:
      names === ''
        ? 'Run the tests in parts, with filter, to find the one that hangs.'
        : 'Look at what the test waits for; a longer blameHangSeconds gives a slow test more time.',
    cause: { rootCauseKind: 'TestFailure', action: `Correct ${names || 'the test that hangs'}: it does not end.` },
  };
}

/** For a test application of Microsoft.Testing.Platform, whose exit code shows why it ran no test. */
function testHost({ output, exitCode }: CommandRun): Explanation | undefined {
  if (!isPlatformRun(output)) return undefined;
  if (/^\s*- Unexpected argument --\s*$/m.test(output)) return surplusDashes();
  const unknown = unknownTestOption(output);
  if (unknown) {
    const { option, replacement } = unknown;
    return {
      message: `The test project does not know the option ${option}, so no test ran`,
      hint: replacement === undefined ? `Leave ${option} out.` : `Instead of ${option}, use ${replacement}.`,
      cause: { rootCauseKind: 'InvalidParameter', action: 'Options of the test project are given as appArgs.' },
      // The output continues with the help page of the test project.
      rawOutput: `Unknown option '${option}'`,
    };
  }
  const meaning = testExitMeaning(exitCode);
  if (meaning === undefined) return undefined;
  const rootCauseKind = exitCode === TEST_HOST_BAD_OPTION ? 'InvalidParameter' : 'TestFailure';
  const [hint, action] = exitCode === TEST_HOST_NO_TESTS ? NO_TESTS_ADVICE : OTHER_ADVICE;
  return { message: meaning, hint, cause: { rootCauseKind, action } };
}

function surplusDashes(): Explanation {
  return {
    message: "No test ran: appArgs has the argument '--', which is put before appArgs anyway",
    hint: "Leave '--' out of appArgs.",
    cause: { rootCauseKind: 'InvalidParameter', action: "Leave '--' out of appArgs." },
    rawOutput: 'Unexpected argument --',
  };
}
