import { parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../process/command-run.js';
import type { Action, ActionContext, ActionResult } from './action.js';
import { commandFailed, type FailedCommand } from './command-failed.js';
import type { Arguments } from './parameters.js';
import { escapeProperty, looksLikeOption } from './value-kind.js';
import { withWarnings } from './with-warnings.js';

/** An option of a command line. It is omitted if its value is undefined, false or empty. */
export type Option = readonly [name: string, value: string | boolean | number | undefined];

/**
 * Returns the arguments for options, for example `-c Release --no-build`. The value `true` stands for an option without
 * a value. A value that looks like an option or a response file is joined to the name, `--filter=@x`, which all
 * commands accept (SDK 10).
 */
export function options(...values: readonly Option[]): string[] {
  return values.flatMap(([name, value]) => {
    if (value === undefined || value === false || value === '') return [];
    if (value === true) return [name];
    const text = String(value);
    return looksLikeOption(text) ? [`${name}=${text}`] : [name, text];
  });
}

type Options = (...values: readonly Option[]) => string[];

const escaping =
  (encode: (value: string) => string): Options =>
  (...values) =>
    options(...values.map(([name, value]): Option => [name, typeof value === 'string' ? encode(value) : value]));

/**
 * Options whose values the CLI passes to MSBuild as properties. Values are escaped, so that none can set another
 * property.
 */
export const msbuildOptions: Options = escaping(escapeProperty);

/** Options of `dotnet test` with VSTest. The CLI itself quotes their values and escapes `;` (SDK 10). */
export const vstestOptions: Options = escaping((value) => escapeProperty(value, /[%"]/g));

/** Returns the argument for a value, if any. The caller must have refused values that look like an option. */
export function positional(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

export interface CliAction {
  /** The command line after `dotnet`. */
  commandArgs(args: Arguments, call: ActionContext): readonly string[] | Promise<readonly string[]>;
  /** The name of the command in messages: `Build`. Default: the first argument. */
  readonly label?: string;
  /** True if the command succeeded. Default: its exit code is 0. */
  isSuccess?(run: CommandRun): boolean;
  /** Returns the fields of the result of a failed command, in addition to its errors. */
  partialResult?(run: CommandRun, call: ActionContext): object;
  /** Returns advice about a failure that replaces the advice of the diagnosis. */
  advice?(run: CommandRun, call: ActionContext): FailedCommand['advice'];
  readonly run?: Parameters<ActionContext['dotnet']>[1];
}

/** Creates the implementation of an action that reads. Its text is the output of the CLI. */
export function query(
  cli: CliAction & { data(run: CommandRun, call: ActionContext): object | Promise<object> },
): Action['execute'] {
  return async (call) => {
    const run = await runCli(cli, call);
    return queryResult(run, await cli.data(run, call));
  };
}

/** Returns the result of an action that reads. Its text is the output of the CLI. */
export function queryResult(run: CommandRun, data: object): ActionResult {
  const { output, exitCode, command } = run;
  return { data, text: output.trim(), exitCode, command, output };
}

/** Creates the implementation of an action that changes something. Warnings of the command are added to its result. */
export function change(
  cli: CliAction & { answer(run: CommandRun, call: ActionContext): ActionResult | Promise<ActionResult> },
): Action['execute'] {
  return async (call) => {
    const run = await runCli(cli, call);
    const { command, exitCode, output } = run;
    return withWarnings({ command, exitCode, ...(await cli.answer(run, call)) }, parseDiagnostics(output));
  };
}

/** Runs the command of an action. @throws ActionError if the command fails */
export async function runCli(cli: CliAction, call: ActionContext): Promise<CommandRun> {
  const run = await call.dotnet(await cli.commandArgs(call.args, call), cli.run);
  const isSuccess = run.terminatedBy === 'exited' && (cli.isSuccess?.(run) ?? run.exitCode === 0);
  if (isSuccess) return run;
  throw commandFailed(run, {
    label: cli.label ?? run.args[0] ?? 'dotnet',
    partialResult: cli.partialResult?.(run, call),
    advice: cli.advice?.(run, call),
  });
}
