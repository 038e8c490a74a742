import { traitsOf } from '../../core/plugin-kinds.js';
import type { PluginNeeds } from '../../core/plugin-needs.js';
import type { PackageOrigin } from '../../core/plugin-origin.js';
import type { PluginStatus } from '../../core/plugin-status.js';
import type { ListedTool, McpLists } from '../../core/server-api.js';
import { count, firstLine, firstPluginHint, firstSentence, hiddenPluginsHint, indent } from './format-text.js';
import { type Issue, issueCounts, issueText, pluginIssue } from './issue.js';
import type { Status, Style } from './style.js';
import type { Terminal } from './terminal.js';

export interface Catalog extends Omit<McpLists, 'toolsOfAnyOutput'> {
  /** The configuration file that was read; null if none was. */
  readonly configuration: string | null;
  readonly directories: readonly string[];
  /** The names in `Plugins.Packages`. */
  readonly packages: readonly string[];
  readonly plugins: readonly PluginStatus[];
  readonly problems: readonly Issue[];
}

const MAX_NAME_COLUMN = 40;

interface CatalogTextOptions {
  /** True for one plugin or tool: the summary is left out. */
  readonly isPart?: boolean;
  /** The number of plugins that the chosen profiles hide. */
  readonly hiddenPlugins?: number;
}

/** Formats plugins with their tools and problems for people. */
export function catalogText(
  catalog: Catalog,
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
  { isPart = false, hiddenPlugins = 0 }: CatalogTextOptions = {},
): string {
  const { plugins, problems } = catalog;
  const options = rowOptions(catalog.tools, columns, style);
  const blocks = plugins.map((plugin) => pluginRows(plugin, catalog.tools, options));
  const generalProblems = problems
    .filter(({ plugin }) => plugin === undefined)
    .map((problem) => issueText(problem, style));
  return [...blocks, builtIn(catalog, options), generalProblems, isPart ? [] : summary(catalog, style, hiddenPlugins)]
    .filter((block) => block.length > 0)
    .map((block) => block.join('\n'))
    .join('\n\n');
}

/** Formats one plugin with its tools and problems. @param tools all tools of the server */
export function pluginText(
  plugin: PluginStatus,
  tools: readonly ListedTool[],
  { style, columns }: Pick<Terminal, 'style' | 'columns'>,
): string {
  const ownTools = tools.filter(({ name }) => plugin.tools.includes(name));
  return pluginRows(plugin, ownTools, rowOptions(ownTools, columns, style)).join('\n');
}

function rowOptions(tools: readonly ListedTool[], columns: number | undefined, style: Style): RowOptions {
  const nameColumn = Math.min(MAX_NAME_COLUMN, Math.max(0, ...tools.map(({ name }) => name.length)));
  return { nameColumn, columns, style };
}

function pluginRows(plugin: PluginStatus, tools: readonly ListedTool[], options: RowOptions): string[] {
  const { style } = options;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  const issues = plugin.problems.map((problem) => pluginIssue(problem));
  const rows = plugin.tools.map((name) => toolRow(name, byName.get(name), options));
  return [pluginRow(plugin, issues, style), ...rows, ...issues.map((issue) => indent(issueText(issue, style), 4))];
}

/** Formats the server's own tools, which belong to no plugin. */
function builtIn({ plugins, tools }: Catalog, options: RowOptions): string[] {
  const toolNames = new Set(plugins.flatMap((plugin) => plugin.tools));
  const builtInTools = tools.filter(({ name }) => !toolNames.has(name));
  if (builtInTools.length === 0) return [];
  const { style } = options;
  const head = `${style.statusSymbol('ok')} ${style.bold('built in')}  ${count(builtInTools.length, 'tool')}`;
  return [head, ...builtInTools.map((tool) => toolRow(tool.name, tool, options))];
}

function pluginRow(
  { name, version, origin, needs, confinedTo, kind, state, tools, resources, prompts, path }: PluginStatus,
  problems: readonly Issue[],
  style: Style,
) {
  const providedCounts = [
    tools.length > 0 ? count(tools.length, 'tool') : '',
    resources.length > 0 ? count(resources.length, 'resource') : '',
    prompts.length > 0 ? count(prompts.length, 'prompt') : '',
  ].filter(Boolean);
  const countsOrState = providedCounts.length > 0 ? providedCounts.join(', ') : STATES[state];
  const details = [
    ...(origin?.from === 'package' ? [packageText(origin)] : []),
    ...(needs ? [`declares that it needs ${needsText(needs)}`] : []),
    ...(confinedTo ? [`confined to ${needsText(confinedTo)}`] : []),
  ];
  const description = `${traitsOf({ kind }).label}${countsOrState}`;
  return `${style.statusSymbol(statusOf(state, problems))} ${style.bold(name)}${version === undefined ? '' : ` ${version}`}  ${description}  ${style.dim(path)}${details.map((text) => `\n    ${style.dim(text)}`).join('')}`;
}

const packageText = ({ package: name, version, integrity }: PackageOrigin) =>
  `npm package ${name}${version === undefined ? '' : `@${version}`}, ${integrity ?? 'not in package-lock.json'}`;

const needsText = ({ read = [], write = [], network, run }: PluginNeeds): string =>
  [
    ...read.map((path) => `read ${path}`),
    ...write.map((path) => `write ${path}`),
    ...(network ? ['network'] : []),
    ...(run ? ['run programs'] : []),
  ].join(', ') || 'nothing besides its own folder';

const STATES: Readonly<Record<PluginStatus['state'], string>> = {
  loading: 'still loading',
  loaded: 'nothing offered',
  failed: 'not loaded',
  'no tools': 'no tools',
};

function statusOf(state: PluginStatus['state'], problems: readonly Issue[]): Status {
  if (state === 'failed' || problems.some(({ severity }) => severity === 'error')) return 'error';
  if (problems.length > 0 || state === 'loading') return 'warning';
  return state === 'no tools' ? 'none' : 'ok';
}

interface RowOptions {
  readonly nameColumn: number;
  readonly columns: number | undefined;
  readonly style: Style;
}

function toolRow(name: string, tool: ListedTool | undefined, { nameColumn, columns, style }: RowOptions): string {
  const maxChars = columns === undefined ? undefined : Math.max(20, columns - nameColumn - 7);
  const description = firstLine(firstSentence(tool?.description ?? tool?.title ?? ''), maxChars);
  return `    ${description ? `${name.padEnd(nameColumn)}  ${style.dim(description)}` : name}`;
}

function summary(
  { plugins, tools, problems, directories, packages, configuration }: Catalog,
  { arrow }: Style,
  hiddenPlugins: number,
): string[] {
  const counts = [count(plugins.length, 'plugin'), count(tools.length, 'tool'), issueCounts(problems)].filter(Boolean);
  const configurationText = configuration === null ? 'no configuration file' : `configuration ${configuration}`;
  const isEmpty = plugins.length === 0 && hiddenPlugins === 0;
  const hints = [
    ...(isEmpty && directories[0] !== undefined ? [firstPluginHint(directories[0])] : []),
    ...(hiddenPlugins > 0 ? [hiddenPluginsHint(hiddenPlugins)] : []),
  ].map((hint) => `${arrow} ${hint}`);
  const packagesText = packages.length > 0 ? `packages ${packages.join(', ')}; ` : '';
  const sources = `Plugins folder ${directories.join(', ') || 'none'}; ${packagesText}${configurationText}.`;
  return [`${counts.join(', ')}.`, sources, ...hints];
}
