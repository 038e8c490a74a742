import { type ErrorResult, errorCodeEntry, type FailOptions } from '@mortise/plugin';
import type { Diagnostic } from '../diagnostics/parse/diagnostic.js';
import { hasNoCode } from '../diagnostics/parse/multi-line-messages.js';
import { type DiagnosticReport, parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import { bounded, lastChars } from '../diagnostics/parse/truncate.js';
import { type TestRun, testFields } from '../diagnostics/tests/test-results.js';
import type { CommandRun } from '../process/command-run.js';
import type { FailureEvidence } from './codes/root-cause-kind.js';
import { diagnosticError } from './diagnostic-error.js';
import { diagnosticFields, distinctCounts, failedSummary } from './diagnostic-fields.js';
import { exitError } from './exit-error.js';
import { explain, explainsErrors } from './explaining-warnings.js';
import {
  describeInterruptedWork,
  hasStartedTests,
  testsRunning,
  withoutInterruptionLines,
  withoutInterruptions,
} from './interruption.js';
import { packageInMessage } from './package-in-message.js';
import { withProjects } from './reporting-project.js';
import { rootCauseOf } from './root-cause.js';
import { fitting, shareHelp } from './shared-help.js';
import { unfinishedError } from './test-explanation.js';

export interface FailureContext {
  /** The name of the action in messages, such as `Build`. */
  readonly label: string;
  /** The diagnostics, if they have been parsed already; otherwise they are parsed from the output. */
  readonly report?: DiagnosticReport;
  /** The results of a test run, from TRX or text. */
  readonly tests?: TestRun;
  /** The tests that were running when their process ended. */
  readonly runningTests?: readonly string[];
  /** The background sessions, one of which may hold a file or a port. */
  readonly sessions?: FailureEvidence['sessions'];
  /** Fields of the action's result that are known in spite of the failure. */
  readonly partialResult?: object;
  /** A one-line summary; default: the number of errors. */
  readonly summary?: string;
}

export type CommandFailure = FailOptions & { readonly message: string; readonly errors: ErrorResult[] };

/** Builds the arguments of `fail()` for a command that failed (docs/spec/contract.md#errors). */
export function failureOf(run: CommandRun, context: FailureContext): CommandFailure {
  if (run.terminatedBy !== 'exited') return interrupted(run, context);
  const { label, tests, sessions, runningTests = [] } = context;
  const report = context.report ?? parseDiagnostics(run.output);
  const errors = inBlockingOrder(withProjects(report, run).filter(({ severity }) => severity === 'error'));
  const hasFailedTests = (tests?.failed ?? 0) > 0;
  const entries = diagnosticErrors(errors, run, sessions);
  const unfinished = assemblyCount(tests) > 1 ? tests?.unfinished : undefined;
  if (hasFailedTests || (entries.length === 0 && !unfinished))
    entries.push(exitError(run, { label, runningTests, ...(tests && { tests }), ...(sessions && { sessions }) }));
  entries.push(...(unfinished ?? []).map((assembly) => unfinishedError(run, assembly, tests?.runner, runningTests)));
  withCommand(entries, run);
  explain(entries, report);
  const summary = tests ? context.summary : undefined;
  const message = errors.length > 0 ? (summary ?? failedSummary(label, report)) : entries[0]!.message;
  const fields = reportFields(report);
  const { errors: listed, codes, omitted } = shareHelp(entries, JSON.stringify(fields).length);
  const omittedErrors = omitted + Math.max(0, distinctCounts(report).error - errors.length);
  return {
    message,
    errors: listed,
    ...(codes && { codes }),
    exitCode: failedExitCode(run),
    structured: {
      ...context.partialResult,
      ...fields,
      ...(omittedErrors > 0 && { omittedErrors }),
      ...(tests && testFields(tests)),
      ...(errors.length > 0 && { summary: context.summary ?? message }),
    },
  };
}

/** Counts the test assemblies of a run. If there is only one, its error is that of the whole run. */
function assemblyCount(tests: TestRun | undefined): number {
  const all = [...(tests?.assemblies ?? []), ...(tests?.unfinished ?? [])];
  return new Set(all.map(({ name, framework }) => `${name} ${framework}`)).size;
}

function diagnosticErrors(
  errors: readonly Diagnostic[],
  run: CommandRun,
  sessions: FailureEvidence['sessions'],
): ErrorResult[] {
  const missingPackages = errors.flatMap(({ code, message }) =>
    /^NU110[01]$/.test(code) ? (packageInMessage(message) ?? []) : [],
  );
  return errors.map((error) => diagnosticError(error, { ...evidenceOf(error, run, sessions), missingPackages }));
}

/**
 * Returns the exit code to report: -1 for a run that was terminated and for a failed command that exited with 0
 * (docs/spec/dotnet-runtime.md#exit-codes).
 */
export function failedExitCode({ terminatedBy, exitCode }: CommandRun): number {
  return terminatedBy === 'exited' && exitCode !== 0 ? exitCode : -1;
}

function evidenceOf(
  diagnostic: Diagnostic,
  { args, cwd }: CommandRun,
  sessions: FailureEvidence['sessions'],
): FailureEvidence {
  const { code, message, file, line, column, projects } = diagnostic;
  return {
    code,
    message,
    run: { args, cwd },
    ...(file !== undefined && { file }),
    ...(line !== undefined && { line }),
    ...(column !== undefined && { column }),
    ...(projects[0] !== undefined && { project: projects[0] }),
    ...(sessions && { sessions }),
  };
}

/** Returns the counts and the warnings of a report with diagnostics. Its errors are in `errors[]`. */
function reportFields(report: DiagnosticReport): object {
  if (report.diagnostics.length === 0) return {};
  const { errors: _, omittedErrors: _omitted, warnings, ...fields } = diagnosticFields(report);
  if (warnings === undefined) return fields;
  const listed = fitting(
    warnings.toSorted((a, b) => Number(explainsErrors(b)) - Number(explainsErrors(a))),
    WARNING_CHARS,
  );
  const omittedWarnings = distinctCounts(report).warning - listed.length;
  return { ...fields, warnings: listed, ...(omittedWarnings > 0 && { omittedWarnings }) };
}

/** The maximum length of the warnings of a failure, in characters of JSON. */
const WARNING_CHARS = 1_500;

/** The maximum length of stderr in the first error; the full output has the rest. */
const STDERR_CHARS = 1_000;

/** Adds the command to each entry, and its exit code and stderr to the first one. */
function withCommand(entries: ErrorResult[], run: CommandRun): void {
  const { command } = run;
  const stderr = lastChars(run.stderr.trim(), STDERR_CHARS);
  const first = { exitCode: failedExitCode(run), ...(stderr !== '' && { stderr }) };
  entries.forEach((entry, index) => {
    const { additionalData } = entry.data ?? {};
    entry.data = { command, ...(index === 0 && first), ...(additionalData && { additionalData }) };
  });
}

const INTERRUPTIONS = {
  cancelled: { code: 'OPERATION_CANCELLED', hint: undefined },
  'timed out': {
    code: 'OPERATION_TIMEOUT',
    hint: 'Give a longer timeoutSeconds, or raise the setting Dotnet.TimeoutMs.',
  },
} as const;

const noTestStartedIn = ({ args }: CommandRun): string =>
  args.includes('--no-build') ? 'No test had started.' : 'The build had not ended, and no test had started.';

/**
 * Builds the failure of a run that was cancelled or timed out, whose exit code means nothing. The errors that a build
 * reported before that follow the first entry.
 */
function interrupted(
  run: CommandRun,
  { label, partialResult, report, tests, runningTests = [], sessions }: FailureContext,
): CommandFailure {
  const terminatedBy = run.terminatedBy as keyof typeof INTERRUPTIONS;
  const { code, hint } = INTERRUPTIONS[terminatedBy];
  const details = errorCodeEntry(code)!;
  const seconds = Math.round((run.limitMs ?? run.durationMs) / 1000);
  const message =
    terminatedBy === 'cancelled'
      ? 'The operation was cancelled by the user'
      : `${label} did not end within ${seconds} s`;
  const running =
    testsRunning(runningTests) ?? describeInterruptedWork(run.output, report ?? parseDiagnostics(run.output));
  const noTestStarted = label === 'Test' && !hasStartedTests(run.output) ? noTestStartedIn(run) : undefined;
  const before = report && withoutInterruptions(report);
  const output = withoutInterruptionLines(run.output);
  const entry: ErrorResult = {
    code,
    message,
    category: details.category,
    hint: ['The process tree of the command was ended.', running, noTestStarted, hint ?? details.hint]
      .filter(Boolean)
      .join(' '),
    rawOutput: bounded(output),
    mcpErrorCode: details.mcpErrorCode!,
    ...rootCauseOf({ code, message: '', lastStdout: output, run, runningTests }),
  };
  const reported = before
    ? inBlockingOrder(withProjects(before, run).filter(({ severity }) => severity === 'error'))
    : [];
  const entries = [entry, ...diagnosticErrors(reported, run, sessions)];
  withCommand(entries, { ...run, stderr: withoutInterruptionLines(run.stderr) });
  const fields = before ? reportFields(before) : {};
  const { errors, codes, omitted } = shareHelp(entries, JSON.stringify(fields).length);
  return {
    message,
    errors,
    ...(codes && { codes }),
    exitCode: -1,
    structured: {
      ...partialResult,
      ...(partialResult && 'summary' in partialResult && { summary: message }),
      ...(partialResult && 'errorCount' in partialResult && before && { errorCount: before.errorCount }),
      ...fields,
      ...(omitted > 0 && { omittedErrors: omitted }),
      ...(tests && testFields(tests)),
    },
  };
}

const ORDINARY_ERROR = 3;
const WARNING_AS_ERROR = 4;
const UNCODED = 5;

/** Codes of errors to correct first: a missing SDK, then package sources that fail, then packages that are missing. */
const BLOCKING: readonly RegExp[] = [/^MSB4236$/, /^NU(?:13\d\d|1801)$/, /^NU1(?:10\d|110)$/];

/**
 * Sorts errors into the order in which to correct them (docs/spec/errors.md#order). It does not depend on the order of
 * the output, which differs from run to run if projects are restored or built in parallel.
 */
function inBlockingOrder(errors: readonly Diagnostic[]): Diagnostic[] {
  return errors.toSorted((a, b) => rankOf(a) - rankOf(b) || compare(keyOf(a), keyOf(b)));
}

function rankOf({ code, message }: Diagnostic): number {
  const blocking = BLOCKING.findIndex((codes) => codes.test(code));
  if (blocking >= 0) return blocking;
  if (hasNoCode(code)) return UNCODED;
  return /^Warning As Error: /.test(message) ? WARNING_AS_ERROR : ORDINARY_ERROR;
}

/** The sort key within a rank: code and message for errors of NuGet, otherwise the project. */
function keyOf({ code, message, projects }: Diagnostic): string {
  return code.startsWith('NU') ? `${code} ${message}` : (projects[0] ?? '');
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
