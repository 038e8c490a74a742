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

/** Builds the error if the CLI printed a message that corresponds to a code; undefined for other messages. */
function messageError(run: CommandRun, context: ExitContext): ErrorResult | undefined {
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

/** The causes which mean that something that the call needs is missing. */
const MISSING_RESOURCE: ReadonlySet<RootCauseKind | undefined> = new Set([
  ...(['ProjectNotFound', 'TemplateNotFound', 'MissingTool', 'MissingSdk', 'MissingRuntime'] as const),
  'MissingWorkload',
]);

/**
 * Builds the error for a command that failed without a diagnostic (docs/spec/contract.md#exit-code). Its code is that
 * of the printed message, else `EXIT_<n>`, or COMMAND_FAILED if the command exited with 0.
 */
export function exitError(run: CommandRun, context: ExitContext): ErrorResult {
  const hasFailedTests = (context.tests?.failed ?? 0) > 0;
  return (hasFailedTests ? undefined : messageError(run, context)) ?? exitCodeError(run, context);
}

function exitCodeError(run: CommandRun, context: ExitContext): ErrorResult {
  const code = run.exitCode === 0 ? 'COMMAND_FAILED' : `EXIT_${run.exitCode}`;
  const { message, hint, cause: listedCause, rawOutput } = explain(run, context);
  const cause = listedCause
    ? {
        rootCauseKind: listedCause.rootCauseKind,
        recommendedAction: { actionKind: 'ManualStep' as const, description: listedCause.action },
      }
    : rootCauseOf({ ...evidenceOf(run, context), code, message });
  const { isMissing, ...cliAdvice }: Partial<CliAdvice> = adviceOnMessage(run.stderr.trim() || run.stdout.trim()) ?? {};
  const generalHint = exitHint(run.exitCode, run.output.trim() !== '');
  const mcpErrorCode =
    isMissing || MISSING_RESOURCE.has(cause.rootCauseKind) ? RESOURCE_NOT_FOUND : mcpErrorCodeOf(code);
  return {
    code,
    message,
    category: categoryOf(code),
    hint: cliAdvice.hint ?? hint ?? cause.recommendedAction?.description ?? generalHint,
    rawOutput: rawOutput ?? bounded(run.output.trim()),
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...cause,
    ...(cliAdvice.recommendedAction && { recommendedAction: cliAdvice.recommendedAction }),
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

/** The `dotnet` host exits with this if it finds no SDK that global.json allows, so that no CLI starts. */
const HOST_FAILURE = 155;

function missingSdk({ exitCode, output }: CommandRun): Explanation | undefined {
  const message = exitCode === HOST_FAILURE ? missingSdkMessage(output) : undefined;
  return message === undefined ? undefined : { message };
}

const TEMPLATE_HINTS: Readonly<Record<number, string>> = {
  73: 'Files of that name already exist: choose another name or output folder, or set force to overwrite them.',
  103: 'Check the name, the version and the package sources.',
  127: 'Correct the option that the message names: ListTemplateOptions shows those of a template.',
};

/** Advice of the CLI that is removed: command lines and the link to its exit codes. The result has a next action. */
const TEMPLATE_ADVICE =
  /^(?:To create the template anyway, run the command with [^\n]*\n.*|For details on the exit code, .*)$/gm;

function templateEngine(run: CommandRun): Explanation | undefined {
  const hint = run.args[0] === 'new' ? TEMPLATE_HINTS[run.exitCode] : undefined;
  if (hint === undefined) return undefined;
  const withoutAdvice = (text: string) => text.replace(TEMPLATE_ADVICE, '').trim();
  return { message: withoutAdvice(firstMessage(run)), hint, rawOutput: bounded(withoutAdvice(run.output)) };
}

const UNHANDLED = /^(?:Unhandled exception\. |Unhandled Exception: )(.+)$/m;
const INNER = /^ ---> (.+)$/gm;
/** A stack frame with a source line, which only code built on a machine with its sources has. */
const SOURCE_FRAME = /^\s+at .+ in .+:line \d+$/m;

/** For an unhandled exception: its message, its innermost exception and the first frame in the user's code. */
function crash({ stderr }: CommandRun): Explanation | undefined {
  const match = UNHANDLED.exec(stderr);
  if (!match) return undefined;
  const trace = stderr.slice(match.index);
  const inner = [...trace.matchAll(INNER)].at(-1)?.[1];
  const frame = SOURCE_FRAME.exec(trace)?.[0].trim();
  const lines = [`Unhandled exception. ${match[1]}`, ...(inner ? [`---> ${inner}`] : []), ...(frame ? [frame] : [])];
  return { message: head(lines.join('\n'), MAX_MESSAGE_CHARS) };
}

const PARSE_ERROR =
  /^(?:Unrecognized command or argument|Required argument missing|Required command was not provided|Option '.{1,100}' |Cannot parse argument|Argument '.{1,200}' )/;

/** For a command line that the CLI rejects. Only the first line is the message; pages of help follow it. */
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

/** The prefix of messages from the CLI, NuGet and tools. It is removed because error texts get their own prefix. */
const ERROR_PREFIX = /^(?:error:\s*)+/i;
