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

/** The lock of an action on `project`, or on the folder. */
export function projectLock(operation: string, refused?: object): NonNullable<Action['lock']> {
  return {
    operation,
    targets: ({ args, cwd }) => [lockTargetFor(args.project, cwd)],
    ...(refused && { refused }),
  };
}

/** `-p:Name=value` for each of `properties`. */
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

/** `-t:Name`: what runs instead of the command's own target, or in addition to it, as the CLI has it. */
export function targetOption({ target: name }: Arguments): string[] {
  return name === undefined ? [] : [`-t:${name}`];
}

/** The CLI restores a file-based app and runs no target of it (SDK 10). */
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

/** Project and configuration as every structured result names them. */
export function target({ project, configuration }: Arguments): object {
  return {
    ...(project !== undefined && { project: displayProject(project) }),
    ...(configuration !== undefined && { configuration }),
  };
}

/** Counts and warnings; the errors of a failure are in its own `errors[]`. */
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
    // A task can log errors and let the build exit with 0; other output of the build is not considered.
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

/** The folder of a framework in the path of an output. */
const FRAMEWORK_FOLDER = /[\\/]net[a-z]*\d[^\\/]*(?=[\\/])/gi;

/** The number of projects that were built; one that has several frameworks counts once. */
function projectCount(outputs: BuildLog['outputs']): number {
  return new Set(outputs.map(({ project, path }) => `${project} ${path.replace(FRAMEWORK_FOLDER, '')}`)).size;
}

/**
 * One line, with at most ten warnings below it; without warnings a sentence, below which Build gives the counts
 * (docs/spec/dotnet-results.md#summaries).
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

/** Restore, Clean and other actions that only report success, with warnings. */
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

/** The binary log of one build, which `-bl` writes into the folder that MSBuild runs in. */
export interface Binlog {
  /** `binlog`, where it was written. */
  fields(): { readonly binlog?: string };
  /** For the text of a success. */
  lines(): readonly string[];
  /** The failure, with the path of the log in its hint. */
  named(error: unknown): unknown;
}

/** File systems keep coarser times than the clock. */
const CLOCK_SLACK_MS = 20;

/** @param cwd the folder of the build. The log is MSBuild's `msbuild.binlog`; a former one is overwritten, as the CLI does. */
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
