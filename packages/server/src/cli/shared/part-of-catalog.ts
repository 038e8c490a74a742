import { suggestNames } from '@mortise/plugin/runtime';
import type { ListedTool } from '../../core/server-api.js';
import type { Catalog } from './catalog-text.js';
import { CliError } from './cli-error.js';

/**
 * Returns the part of the catalog that a name means: a plugin with everything that it provides, or one tool with its
 * plugin. Names of plugins take precedence.
 * @throws CliError if nothing has the name
 */
export function partOfCatalog(catalog: Catalog, name: string): Catalog {
  const plugin = catalog.plugins.find((candidate) => candidate.name === name);
  if (plugin) return ofPlugin(catalog, plugin);
  const tool = toolNamed(catalog.tools, name);
  if (!tool) throw nothingNamed(catalog, name);
  const owner = catalog.plugins.find(({ tools }) => tools.includes(tool.name));
  if (!owner) return { ...EMPTY_CATALOG, ...sourcesOf(catalog), tools: [tool] };
  return ofPlugin(catalog, { ...owner, tools: [tool.name], resources: [], prompts: [] });
}

/** Finds a tool by its name or by the portable spelling of its name. */
export function toolNamed(tools: readonly ListedTool[], name: string): ListedTool | undefined {
  return tools.find((tool) => tool.name === name) ?? tools.find((tool) => tool.name === name.replace(/[^\w-]/g, '_'));
}

const EMPTY_CATALOG = { plugins: [], tools: [], resources: [], templates: [], prompts: [], problems: [] };

const sourcesOf = ({ configuration, directories, packages }: Catalog) => ({ configuration, directories, packages });

function ofPlugin(catalog: Catalog, plugin: Catalog['plugins'][number]): Catalog {
  return {
    ...sourcesOf(catalog),
    plugins: [plugin],
    tools: catalog.tools.filter(({ name }) => plugin.tools.includes(name)),
    resources: catalog.resources.filter(({ uri }) => plugin.resources.includes(uri)),
    templates: catalog.templates.filter(({ uriTemplate }) => plugin.resources.includes(uriTemplate)),
    prompts: catalog.prompts.filter(({ name }) => plugin.prompts.includes(name)),
    problems: catalog.problems.filter((problem) => problem.plugin === plugin.name),
  };
}

function nothingNamed({ plugins, tools }: Catalog, name: string): CliError {
  const names = [...plugins, ...tools].map((entry) => entry.name);
  const suggestions = suggestNames(name, [...new Set(names)]);
  const hint = suggestions.length > 0 ? `Did you mean ${suggestions.join(' or ')}?` : 'See `mortise list`.';
  return new CliError('notFound', { message: `There is no plugin or tool '${name}'.`, hint });
}
