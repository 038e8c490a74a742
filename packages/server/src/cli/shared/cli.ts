import { Command, type CommanderError } from 'commander';
import { fromCommander } from './cli-error.js';
import type { ExitStatus } from './exit-codes.js';
import type { Terminal } from './terminal.js';

/** What every command is given. */
export interface Cli {
  readonly terminal: Terminal;
  /** How the command ended. */
  end(exitStatus: ExitStatus): void;
}

export interface CommandOptions {
  readonly name: string;
  /** The command that it belongs to, as `key` of `key new`. */
  readonly parent?: string;
  /** For the command's own help; default: its summary (program.ts). */
  readonly description?: string;
  /** Command lines without `mortise`, and what each does. */
  readonly examples: readonly (readonly [commandLine: string, what: string])[];
}

/** A command whose complaints and help look like those of all the others. */
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
  const lines = examples.map(([commandLine, what]) => `  mortise ${commandLine.padEnd(width)}  # ${what}`);
  return `\nExamples:\n${lines.join('\n')}`;
}
