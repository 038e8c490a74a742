import type { ErrorResult } from '@mortise/plugin';
import type { CommandRun } from '../../process/command-run.js';
import { categoryOf, mcpErrorCodeOf } from '../codes/code-catalog.js';
import { RESOURCE_NOT_FOUND } from '../codes/code-info.js';
import type { FailureEvidence, RootCauseKind } from '../codes/root-cause-kind.js';
import { projectOf } from '../explain/reporting-project.js';
import { rootCauseOf } from '../explain/root-cause.js';
import { adviceOnMessage, type CliAdvice, codeOfMessage, exitHint } from '../parse/cli-messages.js';
import { bounded, head, lastChars } from '../parse/truncate.js';
import { testCrashIn } from '../tests/test-crash.js';
import { isPlatformRun, testExitMeaning, unknownTestOption } from '../tests/test-exit.js';
import { namesOf, type ReportedFailure, reportedFailure, type TestRun, testCounts } from '../tests/test-results.js';
import { diagnosticError } from './diagnostic-error.js';

const MAX_MESSAGE_CHARS = 500;
const MAX_STDOUT_CHARS = 4000;
/** The maximum size of the failed tests in the text; `firstFailures` has them as data. */
const FAILURES_CHARS = 1600;
const TEST_HOST_BAD_OPTION = 5;
const TEST_HOST_NO_TESTS = 8;
const NO_TESTS_ADVICE = ['listTests: true shows which tests there are.', 'Correct the filter, or add tests.'] as const;
const OTHER_ADVICE = [
  'See the output of the test application.',
  'Correct the problem that its output reports.',
] as const;

interface ExitContext {
  readonly label: string;
  readonly tests?: TestRun;
  readonly sessions?: FailureEvidence['sessions'];
}

/** What a failure without any diagnostic is in its own words. */
interface Explanation {
  readonly message: string;
  readonly hint?: string;
  readonly cause?: { readonly rootCauseKind: 'InvalidParameter' | 'TestFailure'; readonly action: string };
  readonly rawOutput?: string;
}

/** A failure that the CLI reports with a message that corresponds to a code; undefined for other messages. */
function spokenError(run: CommandRun, context: ExitContext): ErrorResult | undefined {
  const output = run.stderr.trim() || run.stdout.trim();
  const code = codeOfMessage(output);
  if (code === undefined) return undefined;
  const message = head(output.split(/\n\s*\n|\n\s+at /, 1)[0]!.replace(/\s*\n\s*/g, ' '), MAX_MESSAGE_CHARS);
  const project = projectOf(run);
  const projects = project === undefined ? [] : [project];
  const raw = bounded(run.output.trim());
  return diagnosticError(
    { severity: 'error', code, message, projects, frameworks: [], raw },
    { ...evidenceOf(run, context), code, message, ...(project !== undefined && { project }) },
  );
}

/** Causes which mean that something the call needs is missing. */
const MISSING: ReadonlySet<RootCauseKind | undefined> = new Set([
  ...(['ProjectNotFound', 'TemplateNotFound', 'MissingTool', 'MissingSdk', 'MissingRuntime'] as const),
  'MissingWorkload',
]);

/**
 * The command failed without a diagnostic (docs/spec/contract.md#exit-code): the code that corresponds to its message, or else `EXIT_<n>`, or
 * COMMAND_FAILED if it exited with 0.
 */
export function exitError(run: CommandRun, context: ExitContext): ErrorResult {
  const isTests = (context.tests?.failed ?? 0) > 0;
  return (isTests ? undefined : spokenError(run, context)) ?? terminationError(run, context);
}

function terminationError(run: CommandRun, context: ExitContext): ErrorResult {
  const code = run.exitCode === 0 ? 'COMMAND_FAILED' : `EXIT_${run.exitCode}`;
  const { message, hint, cause: listedCause, rawOutput } = explain(run, context);
  const cause = listedCause
    ? {
        rootCauseKind: listedCause.rootCauseKind,
        recommendedAction: { actionKind: 'ManualStep' as const, description: listedCause.action },
      }
    : rootCauseOf({ ...evidenceOf(run, context), code, message });
  const { isMissing, ...spoken }: Partial<CliAdvice> = adviceOnMessage(run.stderr.trim() || run.stdout.trim()) ?? {};
  const terminatedBy = exitHint(run.exitCode, run.output.trim() !== '');
  const advice = spoken.hint ?? hint ?? cause.recommendedAction?.description ?? terminatedBy;
  const mcpErrorCode = isMissing || MISSING.has(cause.rootCauseKind) ? RESOURCE_NOT_FOUND : mcpErrorCodeOf(code);
  return {
    code,
    message,
    category: categoryOf(code),
    hint: advice,
    rawOutput: rawOutput ?? bounded(run.output.trim()),
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...cause,
    ...(spoken.recommendedAction && { recommendedAction: spoken.recommendedAction }),
  };
}

function evidenceOf(run: CommandRun, { tests, sessions }: ExitContext) {
  const { stderr, stdout, exitCode } = run;
  return {
    run,
    ...(sessions && { sessions }),
    stderr,
    lastStdout: lastChars(stdout.trim(), MAX_STDOUT_CHARS),
    exitCode,
    ...(tests && { failedTests: tests.failed }),
  };
}

function explain(run: CommandRun, { label, tests }: ExitContext): Explanation {
  return (
    failedTests(tests) ??
    crashedTests(run) ??
    testHost(run) ??
    templateEngine(run) ??
    crash(run) ??
    commandLine(run.stderr) ?? {
      message: firstMessage(run) || `${label} failed with exit code ${run.exitCode} and no output`,
    }
  );
}

function failedTests(tests: TestRun | undefined): Explanation | undefined {
  if (tests === undefined || tests.failed === 0) return undefined;
  const { failed, total, failures, notes = [], reportLines = [] } = tests;
  const names = namesOf(failures);
  const all = new Set(failures.map(({ testName }) => testName)).size;
  const more = all > names.length ? `, and ${all - names.length} more` : '';
  const list = names.length > 0 ? `: ${names.join(', ')}${more}` : '';
  const texts = failures.map((failure) => failureText(reportedFailure(failure)));
  return {
    message: `${failed} of ${total} tests failed${list}`,
    hint: [...notes, `${testCounts(tests)}.`].join(' '),
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

/** VSTest reports how the test process ended and, with blame, which tests were running. */
function crashedTests({ output }: CommandRun): Explanation | undefined {
  const crash = testCrashIn(output);
  if (crash === undefined) return undefined;
  const { cause, tests, hang } = crash;
  if (hang !== undefined) return hangingTests(hang, tests);
  const during = tests.length === 0 ? '' : ` while ${tests.join(', ')} ran`;
  return {
    message: `The test process crashed${during}${cause === undefined ? '' : `: ${head(cause, MAX_MESSAGE_CHARS)}`}`,
    hint:
      tests.length === 0
        ? 'Call again with blame: true, which names the test that ran when the process crashed.'
        : 'The test that ran may not be the cause: look also at what it started, and at the tests before it.',
    cause: { rootCauseKind: 'TestFailure', action: 'Correct what ends the process: its output names the exception.' },
  };
}

/** `blameHangSeconds` ended the process. */
function hangingTests(time: string, tests: readonly string[]): Explanation {
  const named = tests.join(', ');
  return {
    message:
      named === ''
        ? `No test ended for ${time}, so the run was ended; the test framework did not say which test ran`
        : `${named} did not end within ${time}, so the run was ended`,
    hint:
      named === ''
        ? 'Run the tests in parts, with filter, to find the one that hangs.'
        : 'Look at what the test waits for; a longer blameHangSeconds gives a slow test more time.',
    cause: { rootCauseKind: 'TestFailure', action: `Correct ${named || 'the test that hangs'}: it does not end.` },
  };
}

/** The exit code of a Microsoft.Testing.Platform test application shows why it ran no test. */
function testHost({ output, exitCode }: CommandRun): Explanation | undefined {
  if (!isPlatformRun(output)) return undefined;
  const unknown = exitCode === TEST_HOST_BAD_OPTION ? unknownTestOption(output) : undefined;
  if (unknown) {
    const { option, replacement } = unknown;
    return {
      message: `The test project does not know the option ${option}, so no test ran`,
      hint: replacement === undefined ? `Leave ${option} out.` : `Instead of ${option}, use ${replacement}.`,
      cause: { rootCauseKind: 'InvalidParameter', action: 'Options of the test project are given as appArgs.' },
      // The rest is the help page of the test project.
      rawOutput: `Unknown option '${option}'`,
    };
  }
  const meaning = testExitMeaning(exitCode);
  if (meaning === undefined) return undefined;
  const rootCauseKind = exitCode === TEST_HOST_BAD_OPTION ? 'InvalidParameter' : 'TestFailure';
  const [hint, action] = exitCode === TEST_HOST_NO_TESTS ? NO_TESTS_ADVICE : OTHER_ADVICE;
  return { message: meaning, hint, cause: { rootCauseKind, action } };
}

/** Exit codes of `dotnet new` (SDK 10) and what to do about them. */
const TEMPLATE_HINTS: Readonly<Record<number, string>> = {
  73: 'Files of that name are there already: choose another name or output folder, or set force to overwrite them.',
  103: 'Check the name, the version and the package sources.',
  127: 'Correct the option that the message names: ListTemplateOptions shows those of a template.',
};

/** What the CLI advises on a command line, and its page on exit codes: the result has a next action instead. */
const TEMPLATE_ADVICE =
  /^(?:To create the template anyway, run the command with [^\n]*\n.*|For details on the exit code, .*)$/gm;

function templateEngine(run: CommandRun): Explanation | undefined {
  const hint = run.args[0] === 'new' ? TEMPLATE_HINTS[run.exitCode] : undefined;
  if (hint === undefined) return undefined;
  const own = (text: string) => text.replace(TEMPLATE_ADVICE, '').trim();
  return { message: own(firstMessage(run)), hint, rawOutput: bounded(own(run.output)) };
}

const UNHANDLED = /^(?:Unhandled exception\. |Unhandled Exception: )(.+)$/m;
const INNER = /^ ---> (.+)$/gm;
const OWN_FRAME = /^\s+at .+ in .+:line \d+$/m;

/** A program that an exception ended: the exception, its innermost cause, and where in the user's code it was. */
function crash({ stderr }: CommandRun): Explanation | undefined {
  const at = UNHANDLED.exec(stderr);
  if (!at) return undefined;
  const rest = stderr.slice(at.index);
  const inner = [...rest.matchAll(INNER)].at(-1)?.[1];
  const frame = OWN_FRAME.exec(rest)?.[0].trim();
  const lines = [`Unhandled exception. ${at[1]}`, ...(inner ? [`---> ${inner}`] : []), ...(frame ? [frame] : [])];
  return { message: head(lines.join('\n'), MAX_MESSAGE_CHARS) };
}

const PARSE_ERROR =
  /^(?:Unrecognized command or argument|Required argument missing|Required command was not provided|Option '.{1,100}' |Cannot parse argument|Argument '.{1,200}' )/;

/** The CLI's parser prints its complaint first, and then pages of help. */
function commandLine(stderr: string): Explanation | undefined {
  const [line = ''] = stderr.trimStart().split('\n', 1);
  if (!PARSE_ERROR.test(line)) return undefined;
  return {
    message: head(line.trim(), MAX_MESSAGE_CHARS),
    hint: 'dotnet_help shows the options of the command.',
    cause: { rootCauseKind: 'InvalidParameter', action: 'Correct the option or argument in the message.' },
  };
}

function firstMessage({ stderr, stdout }: CommandRun): string {
  const errorOutput = stderr.trim().replace(ERROR_PREFIX, '');
  return errorOutput === '' ? lastChars(stdout.trim(), MAX_MESSAGE_CHARS) : head(errorOutput, MAX_MESSAGE_CHARS);
}

/** The prefix of messages from the CLI, NuGet and tools; the text of an error already has one. */
const ERROR_PREFIX = /^(?:error:\s*)+/i;
