import { computed, signal } from '@preact/signals';
import { PLUGINS_META, PLUGINS_URI } from 'mortise/core/page-names';
import { isObject, isSameJson, type Json, type JsonObject, parseJson, writeJson } from '../json/json.js';
import { onAnnouncement, onConnected, request } from './connection.js';
import type { Plugin, PluginProblem, Principal, Prompt, Resource, ResourceTemplate, Tool } from './types.js';

export const tools = signal<readonly Tool[] | undefined>(undefined);

// Each list is undefined until the server has sent it once.
const listedResources = signal<readonly Resource[] | undefined>(undefined);
const listedTemplates = signal<readonly ResourceTemplate[] | undefined>(undefined);
const listedPrompts = signal<readonly Prompt[] | undefined>(undefined);
const listedPlugins = signal<readonly Plugin[] | undefined>(undefined);

export const resources = computed(() => listedResources.value ?? []);
export const resourceTemplates = computed(() => listedTemplates.value ?? []);
export const prompts = computed(() => listedPrompts.value ?? []);
export const plugins = computed(() => listedPlugins.value ?? []);
/** True once the plugins of the tools are known. The list of tools waits for them, so that its entries do not move. */
export const arePluginsKnown = computed(() => listedPlugins.value !== undefined);
export const areListsKnown = computed(() =>
  [tools, listedResources, listedTemplates, listedPrompts, listedPlugins].every(({ value }) => value !== undefined),
);
/** Problems that belong to no plugin: those of plugins folders and settings. */
export const serverProblems = signal<readonly PluginProblem[]>([]);
/** The identity and rights that the server grants to the page's access key. */
export const principal = signal<Principal | undefined>(undefined);
/** Names of the tools that were added or changed since the page was opened, and that the user has not looked at yet. */
export const changedTools = signal<ReadonlyMap<string, 'new' | 'changed'>>(new Map());

/** The parameters of each action, by the name of the tool. */
let toolActions: ReadonlyMap<string, JsonObject> = new Map();

export const pluginOfTool = computed(() => {
  const names = new Map<string, string>();
  for (const plugin of plugins.value) for (const tool of plugin.tools) names.set(tool, plugin.name);
  return names;
});

/** The name of the plugin that provides a tool; `mortise` for the server's own tools. */
export function groupOf(tool: Tool): string {
  return pluginOfTool.value.get(tool.name) ?? 'mortise';
}

export function findTool(name: string): Tool | undefined {
  return tools.value?.find((tool) => tool.name === name);
}

/** The author's name of the tool that runs background sessions. */
export const PROJECT_TOOL = 'dotnet.project';

/** Finds a tool by its author's name. Depending on `Tools.NameStyle`, the server lists it with `_` for each dot. */
export function findByAuthorName(name: string): Tool | undefined {
  return findTool(name) ?? findTool(name.replaceAll('.', '_'));
}

/** Estimates the number of tokens at four characters per token. The counts of hosts differ. */
export function tokensOf(value: unknown): number {
  return Math.ceil((typeof value === 'string' ? value : writeJson(value)).length / 4);
}

const definitionSizes = new WeakMap<Tool, number>();

/** Estimates the tokens of the part of a definition that a model gets: name, description and input schema. */
export function definitionTokens(tool: Tool): number {
  const { name, description, inputSchema } = tool;
  const tokens = definitionSizes.get(tool) ?? tokensOf({ name, description, inputSchema });
  definitionSizes.set(tool, tokens);
  return tokens;
}

export function markSeen(name: string): void {
  if (!changedTools.value.has(name)) return;
  changedTools.value = new Map([...changedTools.value].filter(([tool]) => tool !== name));
}

/**
 * The first request of the page. Resolves when the tools are known, or when they cannot be read; `connection` then has
 * the reason.
 */
export const firstTools = loadTools().catch(() => {});

onConnected(() => void loadAll());
onAnnouncement((method) => {
  if (method === 'notifications/tools/list_changed') void loadTools().then(loadPlugins);
  if (method === 'notifications/resources/list_changed') void loadResources();
  if (method === 'notifications/prompts/list_changed') void loadPrompts();
});

async function loadAll(): Promise<void> {
  try {
    // The server announces only changes from now on, so read the tools again: they may have changed before.
    await firstTools;
    await loadTools();
    await Promise.all([loadPlugins(), loadResources(), loadPrompts()]);
  } catch {
    // `connection` and `connectionMessage` already say what failed.
  }
}

/** Reads the tools. An unchanged tool stays the same object, because its form and its size are stored by object. */
async function loadTools(): Promise<void> {
  const before = tools.value;
  const listed = (await listAll('tools/list', 'tools')) as unknown as Tool[];
  const next = listed.map(
    (tool) => before?.find((old) => isSameJson(withoutActions(old), withoutActions(tool))) ?? withActionsOf(tool),
  );
  tools.value = next;
  if (before === undefined) return;
  // A tool that appears while the plugins load at the start of the server does not count as new.
  const isLoading = plugins.value.some(({ state }) => state === 'loading');
  const changed = new Map(changedTools.value);
  for (const tool of next) {
    const old = before.find(({ name }) => name === tool.name);
    if (old === undefined && !isLoading) changed.set(tool.name, 'new');
    else if (old !== undefined && old !== tool) changed.set(tool.name, 'changed');
  }
  changedTools.value = changed;
}

/** Returns the tool in the form of `tools/list`. The actions come from the resource of the plugins. */
function withoutActions({ actions: _, ...tool }: Tool): Json {
  return tool as unknown as Json;
}

/** Adds the tool's actions if they are known. @returns the same object if nothing changes */
function withActionsOf(tool: Tool): Tool {
  const actions = toolActions.get(tool.name);
  return isSameJson(actions ?? null, tool.actions ?? null) ? tool : { ...tool, ...(actions && { actions }) };
}

async function loadResources(): Promise<void> {
  listedResources.value = (await listAll('resources/list', 'resources')) as unknown as Resource[];
  listedTemplates.value = (await listAll(
    'resources/templates/list',
    'resourceTemplates',
  )) as unknown as ResourceTemplate[];
}

async function loadPrompts(): Promise<void> {
  listedPrompts.value = (await listAll('prompts/list', 'prompts')) as unknown as Prompt[];
}

/**
 * Reads the plugins, their problems, the page's principal and the actions of tools.
 * @throws RpcError, ConnectionError
 */
export async function loadPlugins(): Promise<void> {
  try {
    await readPlugins();
  } finally {
    // If the plugins cannot be read, the tools are listed without them.
    listedPlugins.value ??= [];
  }
}

async function readPlugins(): Promise<void> {
  const { contents } = await request('resources/read', { uri: PLUGINS_URI });
  const [first] = Array.isArray(contents) ? contents : [];
  const text = isObject(first) && typeof first.text === 'string' ? first.text : '{}';
  const status = parseJson(text);
  const meta = isObject(first) && isObject(first._meta) ? first._meta : {};
  const { [PLUGINS_META.principal]: reader, [PLUGINS_META.actions]: actions = {} } = meta;
  if (isObject(reader)) principal.value = reader as unknown as Principal;
  toolActions = new Map(Object.entries(isObject(actions) ? actions : {}) as [string, JsonObject][]);
  if (tools.value?.some((tool) => withActionsOf(tool) !== tool)) tools.value = tools.value.map(withActionsOf);
  const list = isObject(status) ? status.plugins : status;
  const next = (Array.isArray(list) ? list : []) as unknown as Plugin[];
  if (!isSameJson(next as unknown as Json, (listedPlugins.value ?? null) as unknown as Json))
    listedPlugins.value = next;
  serverProblems.value = (isObject(status) && Array.isArray(status.problems)
    ? status.problems
    : []) as unknown as PluginProblem[];
}

/** Reads all pages of a list. @param member the member of each page that has its entries */
async function listAll(method: string, member: string): Promise<Json[]> {
  const items: Json[] = [];
  let cursor: Json | undefined;
  do {
    const page: JsonObject = await request(method, cursor === undefined ? {} : { cursor });
    const pageItems = page[member];
    if (Array.isArray(pageItems)) items.push(...pageItems);
    cursor = page.nextCursor;
  } while (typeof cursor === 'string');
  return items;
}

/** The problems of a plugin; empty if the page's key may only see their number. */
export function problemsOf({ problems }: Plugin): readonly PluginProblem[] {
  return typeof problems === 'number' ? [] : problems;
}

export function hasErrors(plugin: Plugin): boolean {
  return plugin.state === 'failed' || problemsOf(plugin).some(({ severity }) => severity === 'error');
}

/** True if the server shows plugins and their problems in full, as it does to operators. */
export const canOperate = computed(() => plugins.value.every(({ problems }) => typeof problems !== 'number'));
