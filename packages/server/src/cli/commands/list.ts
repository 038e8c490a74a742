import type { Command } from 'commander';
import { LOCAL } from '../../core/principal.js';
import type { ListedTool } from '../../core/server-api.js';
import { pluginFolders } from '../../plugins/find/configured-plugins.js';
import { awaitPlugins } from '../shared/await-plugins.js';
import { type Catalog, catalogText } from '../shared/catalog-text.js';
import { type Cli, createCommand } from '../shared/cli.js';
import { costText, definitionCosts, totalTokens } from '../shared/definition-cost.js';
import { issuesOf, openServer } from '../shared/open-server.js';
import { partOfCatalog } from '../shared/part-of-catalog.js';
import { addProfileOptions, type ProfileOptions } from '../shared/profiles.js';
import type { SettingsOptions } from '../shared/settings-options.js';

interface ListOptions extends SettingsOptions, ProfileOptions {
  readonly json?: true;
  readonly tokens?: true;
  readonly schema?: true;
}

export function listCommand({ terminal, end }: Cli): Command {
  const command = createCommand({
    name: 'list',
    description:
      'Shows every plugin, or one, with its tools and problems: code, location and next step.\n' +
      'Plugins are loaded for it: code at the top of a module, or in register, runs.',
    examples: [
      ['list', 'what is loaded'],
      ['list notes', 'one plugin, or one tool'],
      ['list notes_add --schema', 'the JSON Schemas of a tool'],
      ['list --json', 'print it as JSON'],
      ['list --tokens', 'what the definition of each tool costs a model, estimated'],
      ['list --profile ci', 'what the profile ci shows'],
      ['list --plugins ./plugins', 'of one folder'],
    ],
  })
    .argument('[name]', 'a plugin or a tool; default: everything')
    .option('--schema', 'the JSON Schemas of the arguments and results of each tool, as JSON')
    .option('--tokens', 'what the definition of each tool costs a model, estimated')
    .option('--json', 'one JSON document on stdout');
  return addProfileOptions(command).action(async (name: string | undefined, _: unknown, command: Command) => {
    const options = command.optsWithGlobals<ListOptions>();
    const open = await openServer(terminal, options);
    const { server, loaded } = open;
    await awaitPlugins(server, terminal);
    const hiddenPlugins = server.plugins(LOCAL).length - server.plugins().length;
    const wholeCatalog = {
      configuration: loaded.file ?? null,
      directories: pluginFolders(loaded),
      packages: loaded.settings.Plugins.Packages,
      plugins: server.plugins(),
      ...server.mcpLists(),
      problems: issuesOf(open),
    };
    await server.close();
    const catalog = name === undefined ? wholeCatalog : partOfCatalog(wholeCatalog, name);
    const costs = definitionCosts(catalog.tools);
    const document = options.tokens ? { definitions: costs, tokens: totalTokens(costs) } : catalog;
    const text = () =>
      options.tokens
        ? costText(costs, loaded.settings.Tools.DefinitionBudget)
        : catalogText(catalog, terminal, { isPart: name !== undefined, hiddenPlugins });
    if (options.schema) terminal.out(JSON.stringify(schemasOf(catalog), null, 2));
    else terminal.out(options.json ? JSON.stringify(document, null, 2) : text());
    end('ok');
  });
}

/** Returns the schemas by tool name. */
function schemasOf({ tools }: Catalog): Record<string, Pick<ListedTool, 'inputSchema' | 'outputSchema'>> {
  return Object.fromEntries(
    tools.map(({ name, inputSchema, outputSchema }) => [name, { inputSchema, ...(outputSchema && { outputSchema }) }]),
  );
}
