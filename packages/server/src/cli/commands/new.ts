import type { Command } from 'commander';
import { newPlugin } from '../new/new-plugin.js';
import { joinWithOr, STYLES } from '../new/scaffold.js';
import { ScaffoldError } from '../new/scaffold-error.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { CliError } from '../shared/cli-error.js';
import { loadOptionsFor, type SettingsOptions } from '../shared/settings-options.js';

interface NewOptions extends SettingsOptions {
  readonly style: string;
  readonly full?: true;
  readonly json?: true;
}

export function newCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'new',
    description:
      'Makes a plugin, its test, package.json and README, in the plugins folder; in C# a project here, which is built into it.\n' +
      'The plugin is one short tool. With --full it also has a setting and a resource, asks questions, reports progress and logs.\n' +
      'In a folder without configuration it also writes ./appsettings.json, and trusts that folder.',
    examples: [
      ['new word-count', 'a plugin with the tool word_count'],
      ['new word-count --style typescript', 'in TypeScript, with tsconfig.json'],
      ['new word-count --full', 'with a setting, questions, progress and a resource'],
      ['new word-count --style dotnet', 'in C#: a project in ./word-count'],
    ],
  })
    .argument('<name>', "the plugin's name; the tool's name comes from it")
    .option('--style <style>', `how it is written: ${joinWithOr(STYLES)}`, STYLES[0])
    .option('--full', 'with a setting, questions, progress, logs and a resource')
    .option('--json', 'one JSON document on stdout')
    .action(async (name: string, _: unknown, command: Command) => {
      const { style, full: isFull = false, json, ...options } = command.optsWithGlobals<NewOptions>();
      const created = await refusalsAsUsage(() => newPlugin({ name, style, isFull }, loadOptionsFor(options)));
      terminal.out(json ? JSON.stringify(created, null, 2) : created.notes.join('\n'));
      end('ok');
    });
}

async function refusalsAsUsage<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ScaffoldError) throw new CliError('usage', { message: error.message, hint: error.hint });
    throw error;
  }
}
