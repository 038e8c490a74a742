import type { ErrorResult } from '@mortise/plugin';
import {
  adviceOnMessage,
  type CliAdvice,
  codeOfMessage,
  exitHint,
  withoutAnnouncement,
} from '../diagnostics/parse/cli-messages.js';
import { bounded, head, lastChars } from '../diagnostics/parse/truncate.js';
import type { TestRun } from '../diagnostics/tests/test-results.js';
import type { CommandRun } from '../process/command-run.js';
import { categoryOf, mcpErrorCodeOf } from './codes/code-catalog.js';
import { RESOURCE_NOT_FOUND } from './codes/codes.js';
import type { FailureEvidence, RootCauseKind } from './codes/root-cause-kind.js';
import { diagnosticError } from './diagnostic-error.js';
import { missingSdkMessage } from './missing-sdk.js';
import { projectOf } from './reporting-project.js';
import { rootCauseOf } from './root-cause.js';
import { type Explanation, explainTests, MAX_MESSAGE_CHARS } from './test-explanation.js';

const MAX_STDOUT_CHARS = 4000;
interface ExitContext {
  readonly label: string;
  readonly tests?: TestRun;
  /** The tests that were running when their process ended. */
  readonly runningTests?: readonly string[];
  readonly sessions?: FailureEvidence['sessions'];
}

/** A failure that the CLI reports with a message that corresponds to a code; undefined for other messages. */
function spokenError(run: CommandRun, context: ExitContext): ErrorResult | undefined {
  const output = withoutAnnouncement(run.stderr.trim() || run.stdout.trim());
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

function explain(run: CommandRun, { label, tests, runningTests = [] }: ExitContext): Explanation {
  return (
    explainTests(run, tests, runningTests) ??
    missingSdk(run) ??
    templateEngine(run) ??
    crash(run) ??
    commandLine(run.stderr) ?? {
      message: firstMessage(run) || `${label} failed with exit code ${run.exitCode} and no output`,
    }
  );
}

const HOST_FAILURE = 155;

/** The host found no SDK that global.json allows, so that the CLI did not start. */
function missingSdk({ exitCode, output }: CommandRun): Explanation | undefined {
  const message = exitCode === HOST_FAILURE ? missingSdkMessage(output) : undefined;
  return message === undefined ? undefined : { message };
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
