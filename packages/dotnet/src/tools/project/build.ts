import { diagnosticFields } from '../../diagnose/diagnostic-fields.js';
import { readDiagnostics } from '../../diagnose/diagnostics.js';
import { lockTargetFor } from '../../locks/lock-target.js';
import type { CommandRun } from '../../process/command-run.js';
import type { Action, ActionCall, Answer } from '../../tool/action.js';
import { options, positional, runCli } from '../../tool/cli.js';
import type { Arguments, ParameterName } from '../../tool/parameters.js';
import { buildProgress } from './build-progress.js';
import { outputsOf, shownProject } from './output-lines.js';

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
  return Object.entries(properties).map(([name, value]) => `-p:${name}=${escapeValue(String(value))}`);
}

/** A semicolon or a comma would begin the next property; MSBuild unescapes it. */
function escapeValue(value: string): string {
  return value.replace(/[%;,]/g, (char) => `%${char.charCodeAt(0).toString(16).toUpperCase()}`);
}

const BUILD_TAKES: readonly ParameterName[] = [
  ...(['project', 'configuration', 'framework', 'runtime', 'noRestore', 'noIncremental'] as const),
  ...(['verbosity', 'output', 'properties'] as const),
];

function buildArguments(args: Arguments): string[] {
  return [
    'build',
    ...positional(args.project),
    ...options(
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

/** A build that ended with 0 and did not say that it succeeded has failed (dotnet-runtime.md §1). */
function hasSucceeded(run: CommandRun, args: Arguments): boolean {
  const { succeeded, errorCount } = readDiagnostics(run.output);
  const isQuiet = /^q/i.test(args.verbosity ?? '');
  return run.exitCode === 0 && errorCount === 0 && (succeeded ?? isQuiet);
}

async function build(call: ActionCall): Promise<Answer> {
  const { args } = call;
  const run = await runCli(
    {
      verb: 'Build',
      argv: buildArguments,
      isSuccess: (ended) => hasSucceeded(ended, args),
      known(ended) {
        const { errors: _errors, ...fields } = diagnosticFields(readDiagnostics(ended.output));
        return { ...target(args), ...fields, summary: buildSummary(false, fields.errorCount, fields.warningCount) };
      },
      run: { onLine: buildProgress(call) },
    },
    call,
  );
  const fields = diagnosticFields(readDiagnostics(run.output));
  const { errorCount, warningCount } = fields;
  const outputs = outputsOf(run.output);
  const { errorCount: _e, warningCount: _w, ...lists } = fields;
  return {
    data: {
      success: true,
      ...target(args),
      errorCount,
      warningCount,
      summary: buildSummary(true, errorCount, warningCount),
      ...lists,
      ...(outputs.length > 0 && { outputs }),
    },
    ...oneLine('Build', run, fields),
    command: run.command,
    exitCode: run.exitCode,
  };
}

export const MAX_SHOWN_WARNINGS = 10;

type Fields = ReturnType<typeof diagnosticFields>;

/** `Build succeeded: 0 errors, 2 warnings`, with at most ten warnings below it. */
export function oneLine(
  verb: string,
  run: CommandRun,
  { errorCount, warningCount, warnings = [] }: Fields,
): Pick<Answer, 'text' | 'output'> {
  const shown = warnings.slice(0, MAX_SHOWN_WARNINGS).map(({ file, line, column, code, message }) => {
    const place = file === undefined ? '' : `${file}${line === undefined ? '' : `(${line},${column ?? 1})`}: `;
    return `${place}warning ${code}: ${message}`;
  });
  const more = warningCount - shown.length;
  const head = `${verb} succeeded: ${counted(errorCount, 'error')}, ${counted(warningCount, 'warning')}`;
  const text = [head, ...shown, ...(more > 0 ? [`… and ${counted(more, 'more warning')}`] : [])].join('\n');
  return { text, ...(more > 0 && { output: run.output }) };
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
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
      const known = (run: CommandRun) => {
        const { errors: _errors, ...fields } = diagnosticFields(readDiagnostics(run.output));
        return { ...target(args), ...fields };
      };
      const run = await runCli({ verb, argv, known, run: { onLine: buildProgress(call) } }, call);
      const fields = diagnosticFields(readDiagnostics(run.output));
      const shown = oneLine(verb, run, fields);
      return {
        data: { success: true, ...target(args), ...fields, summary: shown.text.split('\n')[0] },
        ...shown,
        command: run.command,
      };
    },
  };
}
