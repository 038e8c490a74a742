import type { ActionContext } from '../../actions/action.js';
import type { CommandRun } from '../../process/command-run.js';
import { displayCommand } from '../../process/format-command.js';

/** A command that was not run, because files show already how it would have failed. Its exit code is not known. */
export function commandNotRun(
  { cwd }: Pick<ActionContext, 'cwd'>,
  args: readonly string[],
  stderr: string,
): CommandRun {
  return {
    args,
    command: displayCommand('dotnet', args),
    cwd,
    terminatedBy: 'exited',
    exitCode: 0,
    output: stderr,
    stdout: '',
    stderr,
    omittedBytes: 0,
    startedAt: new Date(),
    durationMs: 0,
  };
}
