import { ActionError } from '../../actions/action.js';
import { diagnosticError } from '../../advice/diagnostic-error.js';
import { failedExitCode } from '../../advice/failure.js';
import { codeOfMessage } from '../../diagnostics/parse/cli-messages.js';
import { NUGET_UNCODED } from '../../diagnostics/parse/multi-line-messages.js';
import type { CommandRun } from '../../process/command-run.js';

/**
 * Creates the error for a command that got no response from any package source. The command may have exited with 0
 * (docs/spec/dotnet-runtime.md#exit-codes).
 * @param problems the CLI's message for each source. It can begin with the name of the source or of the requested
 * package
 */
export function sourcesFailed(
  run: CommandRun,
  problems: readonly string[],
  { message, structured = {} }: { message: string; structured?: object },
): ActionError {
  const { command, output } = run;
  const exitCode = failedExitCode(run);
  const codes = problems.map((problem) => codeOfMessage(problem) ?? codeOfMessage(problem.replace(/^[^\n]+?: /, '')));
  const code = codes.find((candidate) => candidate !== undefined) ?? NUGET_UNCODED;
  const entry = diagnosticError(
    { code, message, severity: 'error', projects: [], frameworks: [], raw: problems.join('\n') },
    { code, message },
  );
  // A restore would not help if the sources cannot be reached.
  const isAboutRestore = entry.rootCauseKind === 'RestoreFailure';
  return new ActionError(message, {
    errors: [{ ...entry, ...(isAboutRestore && UNREACHABLE), data: { command, exitCode } }],
    exitCode,
    structured,
    output,
  });
}

const UNREACHABLE = {
  rootCauseKind: 'NetworkUnreachable',
  recommendedAction: {
    actionKind: 'CallTool',
    description: 'Check the network, and the addresses of the sources.',
    toolName: 'dotnet_package',
    arguments: { action: 'ListSources' },
  },
} as const;
