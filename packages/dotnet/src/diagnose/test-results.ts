import { head } from './excerpt.js';
import { plainText } from './output-line.js';
import { listedByPlatform, readPlatformOutput } from './platform-output.js';
import { NO_TESTS, type TestFailure, type TestRun } from './test-run.js';
import { listedByVSTest, readVSTestOutput } from './vstest-output.js';

export { sumTestRuns, type TestAssembly, type TestFailure, type TestRun } from './test-run.js';
export { readTrx } from './trx.js';

const NOTE =
  /^No test matches the given testcase filter |^No test is available in |Incorrect format for TestCaseFilter/;

/**
 * The results in the output of `dotnet test`, in any of its dialects: VSTest; a Microsoft.Testing.Platform project
 * under the VSTest command; the command of Microsoft.Testing.Platform, and the logs that its projects leave.
 */
export function readTestOutput(text: string): TestRun {
  const lines = plainText(text).split(/\r?\n/);
  const run = readPlatformOutput(lines) ?? readVSTestOutput(lines) ?? NO_TESTS;
  const listed = listedByPlatform(lines) ?? listedByVSTest(lines);
  const notes = [...new Set(lines.map((line) => line.trim()).filter((line) => NOTE.test(line)))];
  return { ...run, ...(listed && { listed }), ...(notes.length > 0 && { notes }) };
}

const LOG_OF_FAILED_TESTS = / : error run failed: Tests failed: '([^'\n]+)'/g;

/**
 * The logs with the failed tests of Microsoft.Testing.Platform projects under the VSTest command, whose own output
 * does not name them. They are UTF-16; `readTestOutput` reads their text.
 */
export function testLogsIn(text: string): string[] {
  return [...text.matchAll(LOG_OF_FAILED_TESTS)].map(([, path]) => path!);
}

/** The fields of a result that tell of its tests (docs/spec/contract.md#test-fields). */
export function testFields(run: TestRun): object {
  const { passed, failed, skipped, total, durationMs, failures, assemblies } = run;
  return {
    passed,
    failed,
    skipped,
    total,
    durationMs,
    firstFailures: failures.slice(0, MAX_FAILURES).map(shownFailure),
    assemblies,
  };
}

/** A failure as a result shows it: the beginning of its message, and the first frames of the user's code. */
export function shownFailure({ testName, message, stackTrace }: TestFailure): TestFailure {
  return {
    testName,
    message: beginning(message, MESSAGE_CHARS),
    ...(stackTrace !== undefined && { stackTrace: beginning(ownFrames(stackTrace), STACK_CHARS) }),
  };
}

/** The frames that have a place in a file: those of frameworks have none. The first frame where none has. */
function ownFrames(stackTrace: string): string {
  const frames = stackTrace.split('\n');
  const own = frames.filter((frame) => / in .+:line \d+$/.test(frame.trimEnd())).slice(0, MAX_OWN_FRAMES);
  return (own.length > 0 ? own : frames.slice(0, 1)).join('\n');
}

const MAX_OWN_FRAMES = 2;

const beginning = (text: string, chars: number) => (text.length <= chars ? text : `${head(text, chars - 1)}…`);

const MAX_FAILURES = 5;
const MESSAGE_CHARS = 300;
const STACK_CHARS = 240;
