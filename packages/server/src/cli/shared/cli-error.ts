import type { CommanderError } from 'commander';
import { SettingsError } from '../../settings/settings-error.js';
import { errorStack } from '../../util/error-message.js';
import type { ExitStatus } from './exit-codes.js';
import { indent, locationText } from './format-text.js';
import type { Style } from './style.js';

/** An error of the command line: what went wrong, where, and what to do. */
export interface CliProblem {
  readonly message: string;
  /** A file, with line and column if they are known. */
  readonly where?: string;
  /** The next action, as an imperative. */
  readonly hint?: string;
}

/** Ends a command with problems and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly exitStatus: ExitStatus;
  readonly problems: readonly CliProblem[];

  constructor(exitStatus: ExitStatus, ...problems: CliProblem[]) {
    super(problems.map(({ message }) => message).join('\n'));
    this.exitStatus = exitStatus;
    this.problems = problems;
  }
}

/** Converts any error to a CliError. Unexpected errors have the exit status `internal`. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof SettingsError) return new CliError('usage', ...error.problems.map(toCliProblem));
  const message = errorStack(error);
  const hint = 'This is a bug in Mortise. Please report it with the command that you ran.';
  return new CliError('internal', { message: `Internal error: ${message}`, hint });
}

type SettingsProblem = SettingsError['problems'][number];

function toCliProblem({ message, hint, file, line, column }: SettingsProblem): CliProblem {
  return { message, hint, ...(file === undefined ? {} : { where: locationText({ file, line, column }) }) };
}

/** Converts an error of commander. Returns undefined if commander only printed the help or the version. */
export function fromCommander(error: CommanderError, command: string): CliError | undefined {
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.help') return new CliError('usage');
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n', 2);
  const help = `See ${command} --help`;
  const names = suggestion && /\(Did you mean (.+)\?\)/.exec(suggestion)?.[1];
  return new CliError('usage', {
    message: upperFirst(message),
    hint: names ? `Did you mean ${names}? ${help}` : help,
  });
}

/** Formats a problem on up to three lines: `mortise: <what happened>`, where, and what to do. */
export function cliProblemText({ message, where, hint }: CliProblem, { arrow }: Style): string {
  const lines = [where, hint && `${arrow} ${hint}`].filter((line) => line !== undefined && line !== '');
  return [`mortise: ${message}`, ...lines.map((line) => indent(line!, 2))].join('\n');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
