import type { DiagnosticReport } from '../../diagnose/diagnostics.js';
import type { CommandRun } from '../../process/command-run.js';
import { isBuildFailure } from '../../sessions/build-output.js';
import type { ActionFailed } from '../../tool/action.js';
import { commandFailed } from '../../tool/command-failed.js';

const NO_DIAGNOSTICS: DiagnosticReport = { diagnostics: [], errorCount: 0, warningCount: 0, succeeded: undefined };

/** A `dotnet run` or `watch` that failed: by its build, with diagnostics, or by the program, in the program's words. */
export function runFailed(run: CommandRun, verb: string, known: object): ActionFailed {
  return commandFailed(run, { verb, known, ...(!isBuildFailure(run.output) && { report: NO_DIAGNOSTICS }) });
}
