import type { Command } from 'commander';
import { newPlugin } from '../../scaffold/new-plugin.js';
import { listed, STYLES } from '../../scaffold/scaffold.js';
import { ScaffoldError } from '../../scaffold/scaffold-error.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { loadOptionsFor, type SettingsOptions } from '../shared/settings-options.js';

export function newCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'new',
    summary: 'create a plugin with a test',
    description:
      'Makes a plugin, its test, package.json and README, in the plugins folder; in C# a project here, which is built into it.\n' +
      'In a folder without configuration it also writes ./appsettings.json, and trusts that folder.',
    examples: [
      ['new word-count', 'a plugin with the tool word_count'],
      ['new word-count --style register', 'as a register(api) function'],
      ['new word-count --style dotnet', 'in C#: a project in ./word-count'],
    ],
  })
    .argument('<name>', "the plugin's name; the tool's name comes from it")
    .option('--style <style>', `how it is written: ${listed(STYLES)}`, STYLES[0])
    .option('--json', 'one JSON document on stdout')
    .action((name: string, _: unknown, command: Command) => {
      const { style, json, ...options } = command.optsWithGlobals<SettingsOptions & { style: string; json?: true }>();
      const made = refusalsAsUsage(() => newPlugin({ name, style }, loadOptionsFor(options)));
      terminal.out(json ? JSON.stringify(made, null, 2) : made.notes.join('\n'));
      end('ok');
    });
}

function refusalsAsUsage<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof ScaffoldError) throw new CliError('usage', { message: error.message, hint: error.hint });
    throw error;
  }
}
