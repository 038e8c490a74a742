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
import { hasStartedTests, outputBeforeEnd, runningAt, testsRunning, withoutEnd } from './interruption.js';
import { packageInMessage } from './package-in-message.js';
import { withProjects } from './reporting-project.js';
import { rootCauseOf } from './root-cause.js';
import { fitting, shareHelp } from './shared-help.js';
import { unfinishedError } from './test-explanation.js';

/** What the caller of a command knows beyond its run. */
export interface FailureContext {
  /** As messages call the action: `Build`. */
  readonly label: string;
  /** The diagnostics, if they were read line by line or with options; otherwise they are read from the output. */
  readonly report?: DiagnosticReport;
  /** The results of a test run, from TRX or text. */
  readonly tests?: TestRun;
  /** The tests that were running when their process ended. */
  readonly runningTests?: readonly string[];
  /** Background sessions, to find the one that has a file open. */
  readonly sessions?: FailureEvidence['sessions'];
  /** Fields of the action's result that are known in spite of the failure. */
  readonly partialResult?: object;
  /** A one-line summary; default: the number of errors. */
  readonly summary?: string;
}

export type CommandFailure = FailOptions & { readonly message: string; readonly errors: ErrorResult[] };

/** The arguments of `fail()` for a command that failed (docs/spec/contract.md#errors). */
export function failureOf(run: CommandRun, context: FailureContext): CommandFailure {
  if (run.terminatedBy !== 'exited') return interrupted(run, context);
  const { label, tests, sessions, runningTests = [] } = context;
  const report = context.report ?? parseDiagnostics(run.output);
  const errors = inBlockingOrder(withProjects(report, run).filter(({ severity }) => severity === 'error'));
  const hasFailedTests = (tests?.failed ?? 0) > 0;
  const entries = diagnosticErrors(errors, run, sessions);
  const unfinished = namedAssemblies(tests) > 1 ? tests?.unfinished : undefined;
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

/** How many assemblies a run had; the message of the only one need not name it. */
function namedAssemblies(tests: TestRun | undefined): number {
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

/** A failure never has exit code 0, although some failing commands exit with it (docs/spec/dotnet-runtime.md#exit-codes). */
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

/** Counts and warnings, where the output had diagnostics at all; the errors are in `errors[]`. */
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

/** Characters of JSON for the warnings of a failure. */
const WARNING_CHARS = 1_500;

/** The maximum length of stderr in the first error; the rest is in the full output. */
const STDERR_CHARS = 1_000;

/** Each entry names the command; its exit code and the real stderr are in the first one only. */
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
 * A run that was terminated: its exit code is meaningless, and its output is incomplete. The errors that a
 * build had reported until then follow.
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
  const running = testsRunning(runningTests) ?? runningAt(run.output, report ?? parseDiagnostics(run.output));
  const noTestStarted = label === 'Test' && !hasStartedTests(run.output) ? noTestStartedIn(run) : undefined;
  const before = report && withoutEnd(report);
  const output = outputBeforeEnd(run.output);
  const entry: ErrorResult = {
    code,
    message,
    category: details.category,
    hint: ['Its process tree was ended.', running, noTestStarted, hint ?? details.hint].filter(Boolean).join(' '),
    rawOutput: bounded(output),
    mcpErrorCode: details.mcpErrorCode!,
    ...rootCauseOf({ code, message: '', lastStdout: output, run, runningTests }),
  };
  const reported = before
    ? inBlockingOrder(withProjects(before, run).filter(({ severity }) => severity === 'error'))
    : [];
  const entries = [entry, ...diagnosticErrors(reported, run, sessions)];
  withCommand(entries, { ...run, stderr: outputBeforeEnd(run.stderr) });
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

/** Codes that keep others from being seen or corrected: an SDK before the sources of packages, and these before packages. */
const BLOCKING: readonly RegExp[] = [/^MSB4236$/, /^NU(?:13\d\d|1801)$/, /^NU1(?:10\d|110)$/];

/**
 * Errors in the order in which they are to be corrected (docs/spec/errors.md#order). It does not depend on the order of
 * the output, which differs from run to run where projects are restored or built in parallel.
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

/** Errors of packages are ordered by code and message; those of a build keep their order within a project. */
function keyOf({ code, message, projects }: Diagnostic): string {
  return code.startsWith('NU') ? `${code} ${message}` : (projects[0] ?? '');
}

const compare = (a: string, b: string): number => (a === b ? 0 : a < b ? -1 : 1);
