import type { Command } from 'commander';
import { pluginFolders } from '../../plugin-loading/configured-plugins.js';
import { awaitPlugins } from '../shared/await-plugins.js';
import { catalogText } from '../shared/catalog-text.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { costText, definitionCosts, totalTokens } from '../shared/definition-cost.js';
import { issuesOf, openServer } from '../shared/open-server.js';
import { addProfileOptions, type ProfileOptions } from '../shared/profiles.js';
import type { SettingsOptions } from '../shared/settings-options.js';

interface ListOptions extends SettingsOptions, ProfileOptions {
  readonly json?: true;
  readonly tokens?: true;
}

export function listCommand({ terminal, end }: Cli): Command {
  const command = createCommand({
    name: 'list',
    description: 'Shows every plugin with its tools and problems: code, location and next step.',
    examples: [
      ['list', 'what is loaded'],
      ['list --json', 'print it as JSON'],
      ['list --tokens', 'what the definition of each tool costs a model, estimated'],
      ['list --profile ci', 'what the profile ci shows'],
      ['list --plugins ./plugins', 'of one folder'],
    ],
  })
    .option('--tokens', 'what the definition of each tool costs a model, estimated')
    .option('--json', 'one JSON document on stdout');
  return addProfileOptions(command).action(async (_: unknown, command: Command) => {
    const options = command.optsWithGlobals<ListOptions>();
    const open = await openServer(terminal, options);
    const { host, loaded } = open;
    await awaitPlugins(host, terminal);
    const catalog = {
      configuration: loaded.file ?? null,
      directories: pluginFolders(loaded),
      packages: loaded.settings.Plugins.Packages,
      plugins: host.plugins(),
      ...host.mcpLists(),
      problems: issuesOf(open),
    };
    const costs = definitionCosts(catalog.tools);
    const shown = options.tokens ? { definitions: costs, tokens: totalTokens(costs) } : catalog;
    const text = () =>
      options.tokens ? costText(costs, loaded.settings.Tools.DefinitionBudget) : catalogText(catalog, terminal);
    terminal.out(options.json ? JSON.stringify(shown, null, 2) : text());
    await host.close();
    end('ok');
  });
}
