import { parseDiagnostics } from '../diagnostics/parse/parse-diagnostics.js';
import type { CommandRun } from '../process/command-run.js';
import type { Action, ActionContext, ActionResult } from './action.js';
import { commandFailed, type FailedCommand } from './command-failed.js';
import type { Arguments } from './parameters.js';
import { escapeProperty, looksLikeOption } from './value-kind.js';
import { withWarnings } from './with-warnings.js';

/** Options of a command line that are left out where their value is absent or false. */
export type Option = readonly [name: string, value: string | boolean | number | undefined];

/**
 * `-c Release --no-build`: the options that have a value; `true` means an option without a value. A value that looks like
 * an option or a response file is joined to the name, `--filter=@x`: all commands accept that (SDK 10).
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

/** Options whose values the CLI hands to MSBuild as properties: no value sets another one. */
export const msbuildOptions: Options = escaping(escapeProperty);

/** Those of `dotnet test` with VSTest: the CLI quotes them and escapes `;` itself (SDK 10). */
export const vstestOptions: Options = escaping((value) => escapeProperty(value, /[%"]/g));

/** `[value]`, or an empty list if it is absent. Values that look like an option must be refused before. */
export function positional(value: string | undefined): string[] {
  return value === undefined ? [] : [value];
}

export interface CliAction {
  /** The command line after `dotnet`. */
  commandArgs(args: Arguments, call: ActionContext): readonly string[] | Promise<readonly string[]>;
  /** How messages call it: `Build`. */
  readonly label?: string;
  /** Whether the command did what it should; default: it ended with 0. */
  isSuccess?(run: CommandRun): boolean;
  /** Fields that are known in addition to an error. */
  partialResult?(run: CommandRun, call: ActionContext): object;
  /** What to do about a failure, where the action knows better than the diagnosis. */
  advice?(run: CommandRun, call: ActionContext): FailedCommand['advice'];
  readonly run?: Parameters<ActionContext['dotnet']>[1];
}

/** A command that only asks: its text is what the CLI printed, its data what was read from it. */
export function query(
  cli: CliAction & { data(run: CommandRun, call: ActionContext): object | Promise<object> },
): Action['execute'] {
  return async (call) => {
    const run = await runCli(cli, call);
    return queryResult(run, await cli.data(run, call));
  };
}

/** The answer of a query: the CLI's own words. */
export function queryResult(run: CommandRun, data: object): ActionResult {
  const { output, exitCode, command } = run;
  return { data, text: output.trim(), exitCode, command, output };
}

/** A command that changes something; its result is a one-line summary. */
export function change(
  cli: CliAction & { answer(run: CommandRun, call: ActionContext): ActionResult | Promise<ActionResult> },
): Action['execute'] {
  return async (call) => {
    const run = await runCli(cli, call);
    const { command, exitCode, output } = run;
    return withWarnings({ command, exitCode, ...(await cli.answer(run, call)) }, parseDiagnostics(output));
  };
}

/** Runs the command of an action. @throws ActionError when it did not do what it should */
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
