import type { Command } from 'commander';
import { version } from '../version.js';
import { type Cli, createCommand } from './cli.js';
import { callCommand } from './commands/call.js';
import { doctorCommand } from './commands/doctor.js';
import { initCommand } from './commands/init.js';
import { listCommand } from './commands/list.js';
import { newCommand } from './commands/new.js';
import { serveCommand } from './commands/serve.js';
import { trustCommand } from './commands/trust.js';
import { validateCommand } from './commands/validate.js';
import { EXIT_CODES } from './exit-codes.js';
import { addSettingsOptions } from './settings-options.js';

const COMMANDS = [
  serveCommand,
  listCommand,
  callCommand,
  newCommand,
  initCommand,
  validateCommand,
  doctorCommand,
  trustCommand,
];

/** The whole command line. */
export function createProgram(cli: Cli): Command {
  const program = createCommand({
    name: 'mortise',
    summary: 'Drop a plugin into a folder, and every MCP client has its tools.',
    examples: [
      ['new hello', 'make a plugin'],
      ['list', 'see what is loaded, and what is wrong'],
      ['call hello --arg name=Ada', 'try it'],
      ['init', 'print the entry for your MCP client'],
    ],
  });
  addSettingsOptions(program)
    .version(version, '-v, --version', 'print the version')
    .helpOption('-h, --help', 'print this help, or that of a command')
    .addHelpText('after', exitCodesText());
  for (const create of COMMANDS) program.addCommand(create(cli));
  return program;
}

function exitCodesText(): string {
  const rows = Object.values(EXIT_CODES).map(({ code, meaning }) => `  ${String(code).padEnd(5)}${meaning}`);
  return `\nExit codes:\n${rows.join('\n')}`;
}
