import type { DiagnosticReport } from '../../diagnose/diagnostics.js';
import type { CommandRun } from '../../process/command-run.js';
import { isBuildFailure } from '../../sessions/build-output.js';
import type { ActionCall, ActionFailed } from '../../tool/action.js';
import { commandFailed } from '../../tool/command-failed.js';
import { runningSessions } from './run-build.js';

const NO_DIAGNOSTICS: DiagnosticReport = { diagnostics: [], errorCount: 0, warningCount: 0, succeeded: undefined };

/** What `dotnet run` says of a library, and of a project without framework (SDK 10). */
const NOT_RUNNABLE = {
  hint: 'Run a project whose OutputType is Exe.',
  rootCauseKind: 'InvalidParameter',
  recommendedAction: { actionKind: 'ManualStep', description: 'Name another project, or set OutputType to Exe.' },
} as const;

/** A `dotnet run` or `watch` that failed: by its build, with diagnostics, or by the program, in the program's words. */
export function runFailed(run: CommandRun, verb: string, known: object, call: ActionCall): ActionFailed {
  const isBuild = isBuildFailure(run.output);
  const advice = run.stderr.includes('Ensure you have a runnable project type.') ? NOT_RUNNABLE : undefined;
  return commandFailed(run, {
    verb,
    known,
    advice,
    sessions: runningSessions(call),
    ...(!isBuild && { report: NO_DIAGNOSTICS }),
  });
}
