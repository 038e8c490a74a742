import { Command } from 'commander';
import { CONFIG_FILE } from '../settings/paths.js';
import { version } from '../util/version.js';
import { type Cli, createCommand } from './shared/cli.js';
import { EXIT_CODES } from './shared/exit-codes.js';
import { addSettingsOptions } from './shared/settings-options.js';
import type { Terminal } from './shared/terminal.js';

interface CommandEntry {
  readonly summary: string;
  load(): Promise<(cli: Cli) => Command>;
}

/**
 * The commands. Each is loaded only if the command line names it, because a client that starts `serve` should not wait
 * for the others. The table of commands in README.md has a row for each.
 */
export const COMMANDS = {
  serve: {
    summary: 'serve the tools to MCP clients, over stdio or HTTP',
    load: async () => (await import('./commands/serve.js')).serveCommand,
  },
  workbench: {
    summary: 'serve over HTTP, and open the workbench page: try tools as a person',
    load: async () => (await import('./commands/workbench.js')).workbenchCommand,
  },
  list: {
    summary: 'show plugins, their tools and their problems',
    load: async () => (await import('./commands/list.js')).listCommand,
  },
  call: {
    summary: 'call one tool and print its result',
    load: async () => (await import('./commands/call.js')).callCommand,
  },
  read: { summary: 'read a resource and print it', load: async () => (await import('./commands/read.js')).readCommand },
  prompt: {
    summary: 'get a prompt and print its messages',
    load: async () => (await import('./commands/prompt.js')).promptCommand,
  },
  dev: {
    summary: 'run one plugin while you write it: reload, call and show problems at each change',
    load: async () => (await import('./commands/dev.js')).devCommand,
  },
  new: { summary: 'create a plugin with a test', load: async () => (await import('./commands/new.js')).newCommand },
  init: {
    summary: 'print the entry for each MCP client, and create the configuration',
    load: async () => (await import('./commands/init.js')).initCommand,
  },
  validate: {
    summary: 'check configuration and plugins without serving',
    load: async () => (await import('./commands/validate.js')).validateCommand,
  },
  pack: {
    summary: 'check a plugin package, and make the tarball to publish',
    load: async () => (await import('./commands/pack.js')).packCommand,
  },
  audit: {
    summary: 'filter and sum up the audit of calls',
    load: async () => (await import('./commands/audit.js')).auditCommand,
  },
  doctor: {
    summary: 'diagnose problems and suggest fixes',
    load: async () => (await import('./commands/doctor.js')).doctorCommand,
  },
  status: {
    summary: 'show the state of a running server: replica, version, store, tasks',
    load: async () => (await import('./commands/status.js')).statusCommand,
  },
  key: {
    summary: 'make an access key for HTTP',
    load: async () => (await import('./commands/key.js')).keyCommand,
  },
  trust: {
    summary: `let the ${CONFIG_FILE} of a folder be used, or accept the changed tools of a plugin`,
    load: async () => (await import('./commands/trust.js')).trustCommand,
  },
} satisfies Record<string, CommandEntry>;

/**
 * Creates the program. It loads only commands whose name occurs in `argv`. If there is none, the program lists all
 * commands with their summaries, for the help.
 */
export async function createProgram(cli: Cli, argv: readonly string[]): Promise<Command> {
  const program = createCommand({
    name: 'mortise',
    description: 'Drop a plugin into a folder, and every MCP client has its tools.',
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
  const commands: [name: string, CommandEntry][] = Object.entries(COMMANDS);
  const candidates = commands.filter(([name]) => argv.includes(name));
  if (candidates.length === 0) {
    for (const [name, { summary }] of commands) program.addCommand(new Command(name).summary(summary));
  }
  for (const [, { summary, load }] of candidates) {
    const command = (await load())(cli).summary(summary);
    program.addCommand(command.description() === '' ? command.description(summary) : command);
  }
  writeHelpTo(cli.terminal, program);
  return program;
}

/** Sends the help of a command and of its subcommands to the terminal. */
function writeHelpTo(terminal: Terminal, command: Command): void {
  command.configureOutput({
    writeOut: (text) => void terminal.stdout.write(text),
    writeErr: (text) => void terminal.stderr.write(text),
  });
  for (const subcommand of command.commands) writeHelpTo(terminal, subcommand);
}

function exitCodesText(): string {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`);
  return `\nExit codes:\n${rows.join('\n')}`;
}
