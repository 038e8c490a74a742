import { countsText, type DiagnosticFields, diagnosticFields } from '../../diagnose/diagnostic-fields.js';
import type { DiagnosticReport } from '../../diagnose/diagnostics.js';
import { warningLines } from '../../diagnose/warning-lines.js';
import { lockTargetFor } from '../../locks/lock-target.js';
import type { Action, ActionCall, Answer } from '../../tool/action.js';
import { msbuildOptions, positional } from '../../tool/cli.js';
import type { Arguments, ParameterName } from '../../tool/parameters.js';
import { escapeProperty } from '../../tool/value-kind.js';
import { shownProject } from './output-lines.js';
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

const BUILD_TAKES: readonly ParameterName[] = [
  ...(['project', 'configuration', 'framework', 'runtime', 'noRestore', 'noIncremental'] as const),
  ...(['verbosity', 'output', 'properties'] as const),
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
    ...propertyOptions(args),
  ];
}

/** Project and configuration as every structured result names them. */
export function target({ project, configuration }: Arguments): object {
  return {
    ...(project !== undefined && { project: shownProject(project) }),
    ...(configuration !== undefined && { configuration }),
  };
}

function buildSummary(isSuccess: boolean, errorCount: number, warningCount: number): string {
  if (!isSuccess) return `Build FAILED (${errorCount} error(s), ${warningCount} warning(s))`;
  return warningCount > 0 ? `Build succeeded (${warningCount} warning(s))` : 'Build succeeded';
}

/** Counts and warnings; the errors of a failure stand in its own `errors[]`. */
export function warningFields(report: DiagnosticReport): Omit<DiagnosticFields, 'errors'> {
  const { errors: _errors, ...fields } = diagnosticFields(report);
  return fields;
}

async function build(call: ActionCall): Promise<Answer> {
  const { args } = call;
  const fieldsOf = (report: DiagnosticReport, isSuccess: boolean) => {
    const { errorCount, warningCount, ...lists } = warningFields(report);
    const summary = buildSummary(isSuccess, errorCount, warningCount);
    return { ...target(args), errorCount, warningCount, summary, ...lists };
  };
  const built = await runBuild(
    {
      verb: 'Build',
      argv: buildArguments(args),
      // A task may log errors and let the build end with 0; what else a build says of itself does not count.
      isSuccess: ({ report: { errorCount } }) => errorCount === 0,
      known: (log) => fieldsOf(log.report, false),
    },
    call,
  );
  const { run, report, outputs } = built;
  return {
    data: { success: true, ...fieldsOf(report, true), ...(outputs.length > 0 && { outputs }) },
    ...oneLine('Build', built),
    command: run.command,
  };
}

/** `Build succeeded: 0 errors, 2 warnings`. */
export function succeeded(verb: string, report: DiagnosticReport): string {
  return `${verb} succeeded: ${countsText(report)}`;
}

/** One line, with at most ten warnings below it. */
export function oneLine(verb: string, { run, report }: BuildRun): Pick<Answer, 'text' | 'output' | 'isPartial'> {
  const { lines, isPartial } = warningLines(report, shownProject);
  return { text: [succeeded(verb, report), ...lines].join('\n'), output: run.output, isPartial };
}

export const buildAction: Action = {
  takes: BUILD_TAKES,
  lock: projectLock('build', { errorCount: 0, warningCount: 0, summary: '' }),
  progress: ['Building project...', 'Build complete'],
  run: build,
};

/** Restore, Clean and what else says only that it was done, with its warnings. */
export function simpleAction(spec: {
  verb: string;
  takes: readonly ParameterName[];
  progress: readonly [string, string];
  argv(args: Arguments): string[];
  confirm?: Action['confirm'];
}): Action {
  const { verb, takes, progress, argv, confirm } = spec;
  return {
    takes,
    lock: projectLock(verb.toLowerCase()),
    progress,
    ...(confirm && { confirm }),
    run: async (call) => {
      const { args } = call;
      const known = ({ report }: BuildLog) => ({ ...target(args), ...warningFields(report) });
      const built = await runBuild({ verb, argv: argv(args), known }, call);
      return {
        data: { success: true, ...known(built), summary: succeeded(verb, built.report) },
        ...oneLine(verb, built),
        command: built.run.command,
      };
    },
  };
}
