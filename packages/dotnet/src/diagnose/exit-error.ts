import type { ErrorResult } from '@mortise/plugin';
import type { CommandRun } from '../process/command-run.js';
import { categoryOf, mcpErrorCodeOf } from './dictionary.js';
import { bounded, head, tail } from './excerpt.js';
import { rootCauseOf } from './root-cause.js';
import { isPlatformRun, testExitMeaning, unknownTestOption } from './test-exit.js';
import type { TestFailure, TestRun } from './test-results.js';

const MAX_MESSAGE_CHARS = 500;
const STDOUT_TAIL_CHARS = 4000;
const MAX_NAMES = 3;
const TEST_HOST_BAD_OPTION = 5;

interface ExitContext {
  readonly verb: string;
  readonly tests?: TestRun;
}

/** What a failure without any diagnostic is in its own words. */
interface Explanation {
  readonly message: string;
  readonly hint?: string;
  readonly rootCauseKind?: 'InvalidParameter' | 'TestFailure';
  readonly rawOutput?: string;
}

/** `EXIT_<n>`: the command failed, and no diagnostic says why (contract.md §4). */
export function exitError(run: CommandRun, context: ExitContext): ErrorResult {
  const code = `EXIT_${run.exitCode}`;
  const { message, hint, rootCauseKind, rawOutput } = explain(run, context);
  const cause = rootCauseKind
    ? { rootCauseKind, recommendedAction: { actionKind: 'ManualStep' as const, description: hint ?? message } }
    : rootCauseOf({ ...evidenceOf(run, context.tests), code, message });
  const advice = hint ?? cause.recommendedAction?.description;
  const mcpErrorCode = run.exitCode === 0 ? undefined : mcpErrorCodeOf(code);
  return {
    code,
    message,
    category: categoryOf(code),
    ...(advice !== undefined && { hint: advice }),
    rawOutput: rawOutput ?? bounded(run.output.trim()),
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...cause,
  };
}

function evidenceOf({ stderr, stdout, exitCode }: CommandRun, tests: TestRun | undefined) {
  return {
    stderr,
    stdoutTail: tail(stdout.trim(), STDOUT_TAIL_CHARS),
    exitCode,
    ...(tests && { failedTests: tests.failed }),
  };
}

function explain(run: CommandRun, { verb, tests }: ExitContext): Explanation {
  return (
    failedTests(tests) ??
    testHost(run) ??
    commandLine(run.stderr) ?? { message: firstWords(run) || `${verb} ended with ${run.exitCode} and said nothing` }
  );
}

function failedTests(tests: TestRun | undefined): Explanation | undefined {
  if (tests === undefined || tests.failed === 0) return undefined;
  const { failed, total, failures } = tests;
  const names = failures.slice(0, MAX_NAMES).map(({ testName }) => testName);
  const more = names.length > 0 && failed > names.length ? ', …' : '';
  const list = names.length > 0 ? `: ${names.join(', ')}${more}` : '';
  return {
    message: `${failed} of ${total} tests failed${list}`,
    hint: 'Correct the code or the tests: the message of each failed test is in firstFailures.',
    rootCauseKind: 'TestFailure',
    rawOutput: bounded(failures.map(failureText).join('\n\n')),
  };
}

function failureText({ testName, message, stackTrace }: TestFailure): string {
  return [`Failed ${testName}`, message, ...(stackTrace === undefined ? [] : [stackTrace])].join('\n');
}

/** A test application of Microsoft.Testing.Platform says by its exit code why it ran no test. */
function testHost({ output, exitCode }: CommandRun): Explanation | undefined {
  if (!isPlatformRun(output)) return undefined;
  const unknown = exitCode === TEST_HOST_BAD_OPTION ? unknownTestOption(output) : undefined;
  if (unknown) {
    const { option, replacement } = unknown;
    return {
      message: `The test project does not know the option ${option}, so no test ran`,
      hint: replacement === undefined ? `Leave ${option} out.` : `Instead of ${option}, use ${replacement}.`,
      rootCauseKind: 'InvalidParameter',
    };
  }
  const meaning = testExitMeaning(exitCode);
  if (meaning === undefined) return undefined;
  return { message: meaning, rootCauseKind: exitCode === TEST_HOST_BAD_OPTION ? 'InvalidParameter' : 'TestFailure' };
}

const PARSE_ERROR =
  /^(?:Unrecognized command or argument|Required argument missing|Required command was not provided|Option '.{1,100}' |Cannot parse argument|Argument '.{1,200}' )/;

/** The CLI's parser prints its complaint first, and then pages of help. */
function commandLine(stderr: string): Explanation | undefined {
  const [line = ''] = stderr.trimStart().split('\n', 1);
  if (!PARSE_ERROR.test(line)) return undefined;
  return {
    message: head(line.trim(), MAX_MESSAGE_CHARS),
    hint: 'Correct the option or argument that the message names.',
    rootCauseKind: 'InvalidParameter',
  };
}

function firstWords({ stderr, stdout }: CommandRun): string {
  const said = stderr.trim();
  return said === '' ? tail(stdout.trim(), MAX_MESSAGE_CHARS) : head(said, MAX_MESSAGE_CHARS);
}
