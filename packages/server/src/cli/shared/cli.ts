import { Command, type CommanderError } from 'commander';
import { fromCommander } from './cli-error.js';
import type { ExitStatus } from './exit-codes.js';
import type { Terminal } from './terminal.js';

/** The services of every command. */
export interface Cli {
  readonly terminal: Terminal;
  /** Sets the exit status of the command. */
  end(exitStatus: ExitStatus): void;
}

export interface CommandOptions {
  readonly name: string;
  /** The command of a subcommand, for example `key` for `key new`. */
  readonly parent?: string;
  /** The description in the command's own help. Default: its summary (program.ts). */
  readonly description?: string;
  /** Command lines without `mortise`, and what each does. */
  readonly examples: readonly (readonly [commandLine: string, effect: string])[];
}

/** Creates a command whose errors and help have the form that all commands share. */
export function createCommand({ name, parent, description = '', examples }: CommandOptions): Command {
  const command = new Command(name);
  const words = name === 'mortise' ? [name] : ['mortise', parent, name];
  const fullName = words.filter((word) => word !== undefined).join(' ');
  return command
    .description(description)
    .configureHelp({ showGlobalOptions: true, subcommandTerm: (subcommand) => subcommand.name() })
    .configureOutput({ outputError: () => {} })
    .exitOverride((error: CommanderError) => {
      throw fromCommander(error, fullName) ?? error;
    })
    .addHelpText('after', examplesText(examples));
}

function examplesText(examples: CommandOptions['examples']): string {
  const width = Math.max(...examples.map(([commandLine]) => commandLine.length));
  const lines = examples.map(([commandLine, effect]) => `  mortise ${commandLine.padEnd(width)}  # ${effect}`);
  return `\nExamples:\n${lines.join('\n')}`;
}
