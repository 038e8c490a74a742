import { type Action, type ActionContext, type ActionError, type ActionResult, changed } from '../actions/action.js';
import type { CliAction } from '../actions/cli-action.js';
import { commandFailed } from '../actions/command-failed.js';
import { type DiagnosticReport, parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../process/command-run.js';
import { type EfOutput, parseEfOutput, withoutNotes } from './ef-output.js';
import { environmentOf } from './project/environment.js';

const JSON_OPTIONS = ['--json', '--prefix-output'];

interface EfAction extends Pick<CliAction, 'commandArgs'> {
  /** The options that determine the output format of dotnet-ef. Default: {@link JSON_OPTIONS}. */
  form?: readonly string[];
  answer(output: EfOutput, run: CommandRun, call: ActionContext): ActionResult;
  /** Matches the error which means that there was nothing to do, and the summary for that case. */
  nothing?: { readonly pattern: RegExp; readonly summary: string };
}

/** Creates an action that runs dotnet-ef and parses its prefixed output. */
export function ef({ commandArgs, form = JSON_OPTIONS, answer, nothing }: EfAction): Action['execute'] {
  return async (call) => {
    const run = await call.dotnet(await commandArgs(call.args, call), { ownArgs: form, env: environmentOf(call.args) });
    const output = parseEfOutput(run);
    if (run.terminatedBy === 'exited' && nothing?.pattern.test(output.errors))
      return changed(nothing.summary, { changed: false }, { command: run.command, output: output.plain });
    if (run.terminatedBy !== 'exited' || run.exitCode !== 0) throw efFailed(run, output, call);
    return { command: run.command, output: output.plain, ...answer(output, run, call) };
  };
}

/** Creates the error with the diagnostics of the build or, if it has none, with the message of dotnet-ef. */
function efFailed(run: CommandRun, { errors, build, cause }: EfOutput, { args }: ActionContext): ActionError {
  const report = diagnosticsOf(build, errors);
  const isBuild = /^Build failed\b/m.test(errors);
  const target = args.project !== undefined && { project: args.project };
  return commandFailed(
    {
      ...run,
      stderr: cause ?? (errors === '' ? withoutNotes(run.stderr) : errors),
      ...(errors !== '' && { output: errors }),
    },
    {
      label: 'EF',
      report,
      ...(cause !== undefined && { advice: { explanation: errors, ...STARTUP_FAILED } }),
      ...(isBuild && {
        advice: {
          hint: 'Build the project to see its errors.',
          rootCauseKind: 'CompilationError',
          recommendedAction: {
            actionKind: 'CallTool',
            description: 'Build the project to see its errors.',
            toolName: 'dotnet_project',
            arguments: { action: 'Build', ...target },
          },
        },
      }),
    },
  );
}

/**
 * Returns the diagnostics of the build. If it has no errors, returns the diagnostics that dotnet-ef passes on, for
 * example for a project that is not restored.
 */
function diagnosticsOf(build: string, errors: string): DiagnosticReport {
  const buildReport = parseDiagnostics(build);
  if (buildReport.errorCount > 0) return buildReport;
  const efReport = parseDiagnostics(errors);
  return efReport.diagnostics.some(({ file }) => file !== undefined) ? efReport : buildReport;
}

/** The advice if the startup project throws. The design-time tools run it with the environment of this server. */
const STARTUP_FAILED = {
  hint: 'The startup project threw this while the tools started it. Give it the configuration that it needs at design time, or add an IDesignTimeDbContextFactory.',
  rootCauseKind: 'StartupFailed',
  recommendedAction: {
    actionKind: 'ManualStep',
    description: 'Give the startup project its configuration, or add an IDesignTimeDbContextFactory.',
  },
} as const;
