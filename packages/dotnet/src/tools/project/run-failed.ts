import type { ActionContext, ActionError } from '../../actions/action.js';
import { commandFailed, type FailedCommand } from '../../actions/command-failed.js';
import type { Arguments } from '../../actions/parameters.js';
import type { DiagnosticReport } from '../../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../../process/command-run.js';
import { isBuildFailure } from '../../sessions/build-output.js';
import { runningSessions } from './run-build.js';

const NO_DIAGNOSTICS: DiagnosticReport = { diagnostics: [], errorCount: 0, warningCount: 0, succeeded: undefined };

/** The advice if `dotnet run` reports a library, or a project without a framework (SDK 10). */
const NOT_RUNNABLE = {
  hint: 'Run a project whose OutputType is Exe.',
  rootCauseKind: 'InvalidParameter',
  recommendedAction: { actionKind: 'ManualStep', description: 'Name another project, or set OutputType to Exe.' },
} as const;

/** Matches the messages of `dotnet run --no-build` if nothing is built, with and without an app host (SDK 10). */
const NOT_BUILT =
  /^Unhandled exception: An error occurred trying to start process|The application to execute does not exist/m;

/** Creates the error for a failed `dotnet run` or `dotnet watch`. It has diagnostics only if the build failed. */
export function runFailed(run: CommandRun, label: string, partialResult: object, call: ActionContext): ActionError {
  const isBuild = isBuildFailure(run.output);
  return commandFailed(run, {
    label,
    partialResult,
    advice: adviceFor(run, call.args),
    sessions: runningSessions(call),
    ...(!isBuild && { report: NO_DIAGNOSTICS }),
  });
}

function adviceFor({ stderr }: CommandRun, args: Arguments): FailedCommand['advice'] {
  if (stderr.includes('Ensure you have a runnable project type.')) return NOT_RUNNABLE;
  if (!args.noBuild || !NOT_BUILT.test(stderr)) return undefined;
  // The values of `environment` can be secrets, so they are not repeated.
  const { noBuild: _, environment: __, ...same } = args;
  return {
    hint: 'noBuild was given, and the project is not built in this configuration. Call again without noBuild.',
    rootCauseKind: 'BuildError',
    recommendedAction: {
      actionKind: 'CallTool',
      description: 'Build the project and run it.',
      toolName: 'dotnet_project',
      arguments: { ...same },
    },
  };
}
