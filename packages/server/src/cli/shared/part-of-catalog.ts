import { suggestNames } from '@mortise/plugin/runtime';
import type { ListedTool } from '../../core/server-api.js';
import type { Catalog } from './catalog-text.js';
import { CliError } from './cli-error.js';

/**
 * The part of the catalog that a name means: a plugin with all that it provides, else one tool with its plugin.
 * @throws CliError for a name that is neither
 */
export function partOfCatalog(catalog: Catalog, name: string): Catalog {
  const plugin = catalog.plugins.find((one) => one.name === name);
  if (plugin) return ofPlugin(catalog, plugin);
  const tool = toolNamed(catalog.tools, name);
  if (!tool) throw nothingNamed(catalog, name);
  const owner = catalog.plugins.find(({ tools }) => tools.includes(tool.name));
  if (!owner) return { ...NOTHING, ...folders(catalog), tools: [tool] };
  return ofPlugin(catalog, { ...owner, tools: [tool.name], resources: [], prompts: [] });
}

/** By either spelling of the name. */
export function toolNamed(tools: readonly ListedTool[], name: string): ListedTool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === name.replace(/[^\w-]/g, '_'));
}

const NOTHING = { plugins: [], tools: [], resources: [], templates: [], prompts: [], problems: [] };

const folders = ({ configuration, directories, packages }: Catalog) => ({ configuration, directories, packages });

function ofPlugin(catalog: Catalog, plugin: Catalog['plugins'][number]): Catalog {
  return {
    ...folders(catalog),
    plugins: [plugin],
    tools: catalog.tools.filter(({ name }) => plugin.tools.includes(name)),
    resources: catalog.resources.filter(({ uri }) => plugin.resources.includes(uri)),
    templates: catalog.templates.filter(({ uriTemplate }) => plugin.resources.includes(uriTemplate)),
    prompts: catalog.prompts.filter(({ name }) => plugin.prompts.includes(name)),
    problems: catalog.problems.filter((problem) => problem.plugin === plugin.name),
  };
}

function nothingNamed({ plugins, tools }: Catalog, name: string): CliError {
  const names = [...plugins, ...tools].map((one) => one.name);
  const suggestions = suggestNames(name, [...new Set(names)]);
  const hint = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : 'See `mortise list`.';
  return new CliError('notFound', { message: `There is no plugin or tool '${name}'.`, hint });
}
