import type { Action, ActionContext, ActionResult } from '../../actions/action.js';
import { projectOrFile, toArguments } from '../../actions/checks.js';
import { options } from '../../actions/cli-action.js';
import type { Arguments, ParameterName } from '../../actions/parameters.js';
import { isTruncated, streamEnd } from '../../diagnostics/parse/truncate.js';
import type { CommandRun } from '../../process/command-run.js';
import { assertRunnable } from './assert-runnable.js';
import { projectLock, propertyOptions, target } from './build.js';
import { environmentOf, overridingLaunchProfile } from './environment.js';
import { runFailed } from './run-failed.js';
import { startSession } from './sessions.js';

const RUN_OPTIONS: readonly ParameterName[] = [
  ...(['project', 'configuration', 'framework', 'runtime', 'noBuild', 'noRestore', 'launchProfile'] as const),
  ...(['properties', 'environment', 'appArgs', 'startMode'] as const),
];

/** Returns `--file app.cs` for a C# file, otherwise `--project P` (docs/spec/dotnet-tools.md#project-kinds). */
function projectOption({ project }: Arguments): string[] {
  if (project === undefined) return [];
  return [/\.cs$/i.test(project) ? '--file' : '--project', project];
}

/** Returns `--` and the arguments for the program. */
export function appArguments({ appArgs }: Arguments): string[] {
  const args = appArgs === undefined ? [] : toArguments(appArgs, 'appArgs');
  return args.length === 0 ? [] : ['--', ...args];
}

function runArguments(call: ActionContext): string[] {
  const { args } = call;
  return [
    'run',
    ...projectOption(args),
    ...options(
      ['-c', args.configuration],
      ['-f', args.framework],
      ['-r', args.runtime],
      ['--no-build', args.noBuild],
      ['--no-restore', args.noRestore],
      ['--launch-profile', args.launchProfile],
    ),
    ...propertyOptions(args),
    ...overridingLaunchProfile(call),
    ...appArguments(args),
  ];
}

const outputFields = ({ exitCode, stdout, stderr }: CommandRun) => ({
  exitCode,
  stdout: streamEnd(stdout),
  stderr: streamEnd(stderr),
});

async function run(call: ActionContext): Promise<ActionResult> {
  const { args } = call;
  assertRunnable(call);
  if (args.startMode === 'Background') return startSession(call, { kind: 'run', args: runArguments(call) });
  const finished = await call.dotnet(runArguments(call), { env: environmentOf(args) });
  const fields = { ...target(args), ...outputFields(finished) };
  if (finished.terminatedBy !== 'exited' || finished.exitCode !== 0) throw runFailed(finished, 'Run', fields, call);
  return {
    data: { success: true, ...fields, summary: `The program ended with exit code ${finished.exitCode}` },
    text: finished.output.trimEnd(),
    command: finished.command,
    isPartial: isTruncated(finished),
  };
}

export const runAction: Action = {
  optional: RUN_OPTIONS,
  checks: { project: projectOrFile },
  lock: projectLock('run'),
  progress: ['Building and starting application...', 'Run complete'],
  execute: run,
};
