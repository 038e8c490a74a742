import type { Command } from 'commander';
import { version } from '../util/version.js';
import { type Cli, createCommand } from './shared/cli.js';
import { EXIT_CODES } from './shared/exit-codes.js';
import { addSettingsOptions } from './shared/settings-options.js';

type CreateCommand = (cli: Cli) => Command;

/** Each is loaded when the command line names it: a client waits for `serve`, and needs nothing of the others. */
const COMMANDS: Record<string, () => Promise<CreateCommand>> = {
  serve: async () => (await import('./commands/serve.js')).serveCommand,
  list: async () => (await import('./commands/list.js')).listCommand,
  call: async () => (await import('./commands/call.js')).callCommand,
  read: async () => (await import('./commands/read.js')).readCommand,
  prompt: async () => (await import('./commands/prompt.js')).promptCommand,
  dev: async () => (await import('./commands/dev.js')).devCommand,
  new: async () => (await import('./commands/new.js')).newCommand,
  init: async () => (await import('./commands/init.js')).initCommand,
  validate: async () => (await import('./commands/validate.js')).validateCommand,
  pack: async () => (await import('./commands/pack.js')).packCommand,
  doctor: async () => (await import('./commands/doctor.js')).doctorCommand,
  trust: async () => (await import('./commands/trust.js')).trustCommand,
};

/** The command line, with the commands that `argv` may mean; with all of them when it names none. */
export async function createProgram(cli: Cli, argv: readonly string[]): Promise<Command> {
  const program = createCommand({
    name: 'mortise',
    summary: 'Drop a plugin into a folder, and every MCP client has its tools.',
    examples: [
      ['new hello', 'create a plugin'],
      ['dev hello', 'run it while you write it'],
      ['list', 'show plugins, tools and problems'],
      ['call hello --arg name=Ada', 'try it'],
      ['init', 'print the entry for your MCP client'],
    ],
  });
  addSettingsOptions(program)
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help, or that of a command')
    .addHelpText('after', exitCodesText());
  const named = Object.keys(COMMANDS).filter((name) => argv.includes(name));
  const names = named.length > 0 ? named : Object.keys(COMMANDS);
  const commands = await Promise.all(names.map((name) => COMMANDS[name]!()));
  for (const create of commands) program.addCommand(create(cli));
  return program;
}

function exitCodesText(): string {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`);
  return `\nExit codes:\n${rows.join('\n')}`;
}
