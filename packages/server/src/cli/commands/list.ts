import type { Command } from 'commander';
import { pluginFolders } from '../../plugin-loading/configured-plugins.js';
import { awaitPlugins } from '../shared/await-plugins.js';
import { catalogText } from '../shared/catalog-text.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { issuesOf, openServer } from '../shared/open-server.js';
import type { SettingsOptions } from '../shared/settings-options.js';

export function listCommand({ terminal, end }: Cli): Command {
  return createCommand({
    name: 'list',
    description: 'Shows every plugin with its tools and problems: code, location and next step.',
    examples: [
      ['list', 'what is loaded'],
      ['list --json', 'print it as JSON'],
      ['list --plugins ./plugins', 'of one folder'],
    ],
  })
    .option('--json', 'one JSON document on stdout')
    .action(async (_: unknown, command: Command) => {
      const options = command.optsWithGlobals<SettingsOptions & { json?: true }>();
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
      terminal.out(options.json ? JSON.stringify(catalog, null, 2) : catalogText(catalog, terminal));
      await host.close();
      end('ok');
    });
}
