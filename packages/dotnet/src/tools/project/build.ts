import { statSync } from 'node:fs';
import { join } from 'node:path';
import { type Action, type ActionContext, ActionError, type ActionResult } from '../../actions/action.js';
import { projectOrFile } from '../../actions/checks.js';
import { msbuildOptions, positional } from '../../actions/cli-action.js';
import { InvalidParameterError } from '../../actions/invalid-parameter.js';
import type { Arguments, ParameterName } from '../../actions/parameters.js';
import { escapeProperty } from '../../actions/value-kind.js';
import {
  cleanCounts,
  type DiagnosticFields,
  diagnosticFields,
  failedSummary,
  succeededSummary,
  warningLines,
} from '../../advice/diagnostic-fields.js';
import type { DiagnosticReport } from '../../diagnostics/parse/parse-diagnostics.js';
import { lockTargetFor } from '../../locks/lock-target.js';
import { displayProject } from './output-lines.js';
import { type BuildLog, type BuildRun, runBuild } from './run-build.js';

/**
 * Creates the lock of an action on `project` or, by default, on the folder of the call.
 * @param refused fields of the result if the lock is refused
 */
export function projectLock(operation: string, refused?: object): NonNullable<Action['lock']> {
  return {
    operation,
    targets: ({ args, cwd }) => [lockTargetFor(args.project, cwd)],
    ...(refused && { refused }),
  };
}

/** Returns `-p:Name=value` for each of `properties`. */
export function propertyOptions({ properties = {} }: Arguments): string[] {
  return Object.entries(properties).map(([name, value]) => `-p:${name}=${escapeProperty(String(value))}`);
}

const BUILD_OPTIONS: readonly ParameterName[] = [
  ...(['project', 'configuration', 'framework', 'runtime', 'noRestore', 'noIncremental'] as const),
  ...(['verbosity', 'output', 'properties', 'target', 'binlog'] as const),
];

function buildArguments(args: Arguments): string[] {
  return [
    'build',
    ...positional(args.project),
    ...msbuildOptions(
      ['-c', args.configuration],
      ['-f', args.framework],
      ['-r', args.runtime],
      ['--no-restore', args.noRestore],
      ['--no-incremental', args.noIncremental],
      ['-v', args.verbosity],
      ['-o', args.output],
    ),
    ...targetOption(args),
    ...(args.binlog ? ['-bl'] : []),
    ...propertyOptions(args),
  ];
}

/**
 * Returns `-t:Name`. The command of the CLI determines whether the target replaces its own target or runs in addition.
 */
export function targetOption({ target: name }: Arguments): string[] {
  return name === undefined ? [] : [`-t:${name}`];
}

/**
 * Refuses a target for a file-based app, because the CLI would only restore the app and run no target (SDK 10).
 * @throws InvalidParameterError
 */
export function checkTarget({ project = '', target: name }: Arguments): void {
  if (name === undefined || !/\.cs$/i.test(project)) return;
  throw new InvalidParameterError(
    'target',
    'conflict',
    `Parameter 'target' cannot be used with the C# file ${project}`,
    {
      hint: 'Leave it out, or name a project that has the target.',
    },
  );
}

/** Returns the project and the configuration for structured results. */
export function target({ project, configuration }: Arguments): object {
  return {
    ...(project !== undefined && { project: displayProject(project) }),
    ...(configuration !== undefined && { configuration }),
  };
}

/** Returns the counts and the warnings. The errors of a failure are in the `errors[]` of the result. */
export function warningFields(report: DiagnosticReport): Omit<DiagnosticFields, 'errors'> {
  const { errors: _errors, ...fields } = diagnosticFields(report);
  return fields;
}

async function build(call: ActionContext): Promise<ActionResult> {
  const { args } = call;
  const fieldsOf = ({ report, outputs }: BuildLog, isSuccess: boolean) => {
    const { errorCount, warningCount, ...lists } = warningFields(report);
    const summary = isSuccess
      ? succeededSummary('Build', report, projectCount(outputs))
      : failedSummary('Build', report);
    const own = args.target === undefined ? {} : { target: args.target };
    return { ...target(args), ...own, errorCount, warningCount, summary, ...lists, ...binlog?.fields() };
  };
  const binlog = args.binlog ? createBinlog(call.cwd) : undefined;
  const command = {
    label: 'Build',
    commandArgs: buildArguments(args),
    // The build can exit with 0 although a task has logged errors.
    isSuccess: ({ report: { errorCount } }: BuildLog) => errorCount === 0,
    partialResult: (log: BuildLog) => fieldsOf(log, false),
  };
  const built = await runBuild(command, call).catch((error: unknown) => {
    throw binlog?.named(error) ?? error;
  });
  const { run, outputs } = built;
  const { text, ...line } = summaryLine('Build', built);
  return {
    data: { success: true, ...fieldsOf(built, true), ...(outputs.length > 0 && { outputs }) },
    ...line,
    text: [text, ...(binlog?.lines() ?? [])].join('\n'),
    command: run.command,
  };
}

/** Matches the folder of a framework in the path of an output. */
const FRAMEWORK_FOLDER = /[\\/]net[a-z]*\d[^\\/]*(?=[\\/])/gi;

/** Returns the number of projects that were built. A project with several frameworks counts once. */
function projectCount(outputs: BuildLog['outputs']): number {
  return new Set(outputs.map(({ project, path }) => `${project} ${path.replace(FRAMEWORK_FOLDER, '')}`)).size;
}

/**
 * Returns a summary line with at most ten warnings below it. Without warnings it is a sentence; below it Build has the
 * counts (docs/spec/dotnet-results.md#summaries).
 */
export function summaryLine(
  label: string,
  { run, report, outputs }: BuildRun,
): Pick<ActionResult, 'text' | 'output' | 'isPartial'> {
  const { lines, isPartial } = warningLines(report, displayProject);
  const projects = label === 'Build' ? projectCount(outputs) : 0;
  const summary = succeededSummary(label, report, projects);
  const isSentence = lines.length === 0 && !summary.includes(':');
  const counts = isSentence && projects > 0 ? [cleanCounts(projects)] : [];
  return {
    text: [isSentence ? `${summary}.` : summary, ...counts, ...lines].join('\n'),
    output: run.output,
    isPartial,
  };
}

export const buildAction: Action = {
  optional: BUILD_OPTIONS,
  checks: { project: projectOrFile },
  check: checkTarget,
  lock: projectLock('build', { errorCount: 0, warningCount: 0, summary: '' }),
  progress: ['Building project...', 'Build complete'],
  execute: build,
};

/** Creates an action such as Restore or Clean, which reports only success and warnings. */
export function buildVerbAction(spec: {
  label: string;
  optional: readonly ParameterName[];
  progress: readonly [string, string];
  commandArgs(args: Arguments): string[];
  confirm?: Action['confirm'];
}): Action {
  const { label, optional, progress, commandArgs, confirm } = spec;
  return {
    optional,
    checks: { project: projectOrFile },
    lock: projectLock(label.toLowerCase()),
    progress,
    ...(confirm && { confirm }),
    execute: async (call) => {
      const { args } = call;
      const fields = ({ report }: BuildLog) => ({ ...target(args), ...warningFields(report) });
      const built = await runBuild({ label, commandArgs: commandArgs(args), partialResult: fields }, call);
      return {
        data: { success: true, ...fields(built), summary: succeededSummary(label, built.report) },
        ...summaryLine(label, built),
        command: built.run.command,
      };
    },
  };
}

/** The binary log of a build, which `-bl` writes to the folder of the build. */
export interface Binlog {
  /** Returns the field `binlog`, if the build has written the log. */
  fields(): { readonly binlog?: string };
  /** Returns the line about the log for the text of a success. */
  lines(): readonly string[];
  /** Adds the path of the log to the hint of an error, if the build has written the log. */
  named(error: unknown): unknown;
}

/** The maximum difference between the clock and the times of files, which are coarser. */
const CLOCK_SLACK_MS = 20;

/** @param cwd the folder of the build. Its `msbuild.binlog` is overwritten, as by the CLI */
function createBinlog(cwd: string): Binlog {
  const path = join(cwd, 'msbuild.binlog');
  const startedAt = Date.now() - CLOCK_SLACK_MS;
  const isFresh = () => (statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0) >= startedAt;
  const sentence = `Binary log: ${path}`;
  return {
    fields: () => (isFresh() ? { binlog: path } : {}),
    lines: () => (isFresh() ? [sentence] : []),
    named(error) {
      const [first, ...more] = error instanceof ActionError ? (error.options.errors ?? []) : [];
      if (!(error instanceof ActionError) || first === undefined || !isFresh()) return error;
      const hint = first.hint === undefined ? sentence : `${first.hint} ${sentence}`;
      return new ActionError(error.message, { ...error.options, errors: [{ ...first, hint }, ...more] });
    },
  };
}
