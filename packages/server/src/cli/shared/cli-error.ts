import type { CommanderError } from 'commander';
import { SettingsError } from '../../settings/settings-error.js';
import type { Ending } from './exit-codes.js';
import { indent, placeText } from './format-text.js';
import type { Style } from './style.js';

/** What went wrong, where, and what to do: how every error of the command line is shown. */
export interface Complaint {
  readonly message: string;
  /** A file, with line and column where known. */
  readonly where?: string;
  /** The next step. */
  readonly hint?: string;
}

/** Ends a command with complaints and an exit code. */
export class CliError extends Error {
  override readonly name = 'CliError';
  readonly ending: Ending;
  readonly complaints: readonly Complaint[];

  constructor(ending: Ending, ...complaints: Complaint[]) {
    super(complaints.map(({ message }) => message).join('\n'));
    this.ending = ending;
    this.complaints = complaints;
  }
}

/** Any error as one of the command line's; what is nobody's fault but ours is `internal`. */
export function toCliError(error: unknown): CliError {
  if (error instanceof CliError) return error;
  if (error instanceof SettingsError) return new CliError('usage', ...error.problems.map(complaintOf));
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  const hint = 'This is a fault of Mortise. Please report it with what you ran.';
  return new CliError('internal', { message: `Internal error: ${message}`, hint });
}

type SettingsProblem = SettingsError['problems'][number];

function complaintOf({ message, hint, file, line, column }: SettingsProblem): Complaint {
  return { message, hint, ...(file === undefined ? {} : { where: placeText({ file, line, column }) }) };
}

/** What commander complains about, in our own form. Undefined when it only showed what was asked for. */
export function fromCommander(error: CommanderError, command: string): CliError | undefined {
  if (error.exitCode === 0) return undefined;
  if (error.code === 'commander.help') return new CliError('usage');
  const [message = '', suggestion] = error.message.replace(/^error: /, '').split('\n', 2);
  const help = `See ${command} --help`;
  const near = suggestion && /\(Did you mean (.+)\?\)/.exec(suggestion)?.[1];
  return new CliError('usage', { message: upperFirst(message), hint: near ? `Did you mean ${near}? ${help}` : help });
}

/** `mortise: <what happened>`, then where, then what to do. */
export function complaintText({ message, where, hint }: Complaint, { arrow }: Style): string {
  const lines = [where, hint && `${arrow} ${hint}`].filter((line) => line !== undefined && line !== '');
  return [`mortise: ${message}`, ...lines.map((line) => indent(line!, 2))].join('\n');
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
