import { computed, signal } from '@preact/signals';
import { PLUGINS_META, PLUGINS_URI } from 'mortise/core/page-names';
import { isObject, isSameJson, type Json, type JsonObject, parseJson, writeJson } from '../json/json.js';
import { onAnnouncement, onConnected, request } from './connection.js';
import type { Plugin, PluginProblem, Principal, Prompt, Resource, ResourceTemplate, Tool } from './types.js';

export const tools = signal<readonly Tool[] | undefined>(undefined);

// Undefined until the list has come once.
const listedResources = signal<readonly Resource[] | undefined>(undefined);
const listedTemplates = signal<readonly ResourceTemplate[] | undefined>(undefined);
const listedPrompts = signal<readonly Prompt[] | undefined>(undefined);
const listedPlugins = signal<readonly Plugin[] | undefined>(undefined);

export const resources = computed(() => listedResources.value ?? []);
export const resourceTemplates = computed(() => listedTemplates.value ?? []);
export const prompts = computed(() => listedPrompts.value ?? []);
export const plugins = computed(() => listedPlugins.value ?? []);
/** Whether it is known which tool is whose: the tools are listed under their plugins, and are not moved there later. */
export const arePluginsKnown = computed(() => listedPlugins.value !== undefined);
/** Whether all lists have come once. */
export const areListsKnown = computed(() =>
  [tools, listedResources, listedTemplates, listedPrompts, listedPlugins].every(({ value }) => value !== undefined),
);
/** What is wrong with plugins folders and settings. */
export const serverProblems = signal<readonly PluginProblem[]>([]);
/** Whom the server takes the page for. */
export const principal = signal<Principal | undefined>(undefined);
/** Tools that came or changed since the page is open, until they are looked at. */
export const changedTools = signal<ReadonlyMap<string, 'new' | 'changed'>>(new Map());

/** What each action of a tool takes, by the name of the tool. */
let toolActions: ReadonlyMap<string, JsonObject> = new Map();

export const pluginOfTool = computed(() => {
  const names = new Map<string, string>();
  for (const plugin of plugins.value) for (const tool of plugin.tools) names.set(tool, plugin.name);
  return names;
});

/** The name of the plugin of a tool; those of the server itself belong to none. */
export function groupOf(tool: Tool): string {
  return pluginOfTool.value.get(tool.name) ?? 'mortise';
}

export function findTool(name: string): Tool | undefined {
  return tools.value?.find((tool) => tool.name === name);
}

/** The tool of the background sessions, by its author's name. */
export const PROJECT_TOOL = 'dotnet.project';

/** A tool by its author's name, which clients see with or without its dots (`Tools.NameStyle`). */
export function findByAuthorName(name: string): Tool | undefined {
  return findTool(name) ?? findTool(name.replaceAll('.', '_'));
}

/** About four characters make a token; what hosts count differs. */
export function tokensOf(value: unknown): number {
  return Math.ceil((typeof value === 'string' ? value : writeJson(value)).length / 4);
}

const definitionSizes = new WeakMap<Tool, number>();

/** The size of a definition as a model gets it. */
export function definitionTokens(tool: Tool): number {
  const { name, description, inputSchema } = tool;
  const size = definitionSizes.get(tool) ?? tokensOf({ name, description, inputSchema });
  definitionSizes.set(tool, size);
  return size;
}

export function markSeen(name: string): void {
  if (!changedTools.value.has(name)) return;
  changedTools.value = new Map([...changedTools.value].filter(([tool]) => tool !== name));
}

/** The tools that the page asks for before all else. Resolves when they are known, or cannot be: then the state of the connection says so. */
export const firstTools = loadTools().catch(() => {});

onConnected(() => void loadAll());
onAnnouncement((method) => {
  if (method === 'notifications/tools/list_changed') void loadTools().then(loadPlugins);
  if (method === 'notifications/resources/list_changed') void loadResources();
  if (method === 'notifications/prompts/list_changed') void loadPrompts();
});

async function loadAll(): Promise<void> {
  try {
    // From now on each change is announced; what changed before is seen here.
    await firstTools;
    await loadTools();
    await Promise.all([loadPlugins(), loadResources(), loadPrompts()]);
  } catch {
    // The state of the connection says so.
  }
}

async function loadTools(): Promise<void> {
  const before = tools.value;
  const next = (await listAll('tools/list', 'tools')) as unknown as Tool[];
  const kept = next.map(
    (tool) => before?.find((old) => isSameJson(asListed(old), asListed(tool))) ?? withItsActions(tool),
  );
  tools.value = kept;
  if (before === undefined) return;
  // What loads at the start of the server is not new.
  const isLoading = plugins.value.some(({ state }) => state === 'loading');
  const changed = new Map(changedTools.value);
  for (const tool of kept) {
    const old = before.find(({ name }) => name === tool.name);
    if (old === undefined && !isLoading) changed.set(tool.name, 'new');
    else if (old !== undefined && old !== tool) changed.set(tool.name, 'changed');
  }
  changedTools.value = changed;
}

/** A tool without what other lists say of it. */
function asListed({ actions: _, ...tool }: Tool): Json {
  return tool as unknown as Json;
}

function withItsActions(tool: Tool): Tool {
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

export async function loadPlugins(): Promise<void> {
  try {
    await readPlugins();
  } finally {
    // Where they cannot be read, the tools are listed without them.
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
  if (tools.value?.some((tool) => withItsActions(tool) !== tool)) tools.value = tools.value.map(withItsActions);
  const list = isObject(status) ? status.plugins : status;
  const next = (Array.isArray(list) ? list : []) as unknown as Plugin[];
  if (!isSameJson(next as unknown as Json, (listedPlugins.value ?? null) as unknown as Json))
    listedPlugins.value = next;
  serverProblems.value = (isObject(status) && Array.isArray(status.problems)
    ? status.problems
    : []) as unknown as PluginProblem[];
}

async function listAll(method: string, member: string): Promise<Json[]> {
  const items: Json[] = [];
  let cursor: Json | undefined;
  do {
    const page: JsonObject = await request(method, cursor === undefined ? {} : { cursor });
    const found = page[member];
    if (Array.isArray(found)) items.push(...found);
    cursor = page.nextCursor;
  } while (typeof cursor === 'string');
  return items;
}

/** The problems of a plugin, as far as the person may see them. */
export function problemsOf({ problems }: Plugin): readonly PluginProblem[] {
  return typeof problems === 'number' ? [] : problems;
}

export function hasErrors(plugin: Plugin): boolean {
  return plugin.state === 'failed' || problemsOf(plugin).some(({ severity }) => severity === 'error');
}

/** Whether states and problems of plugins are shown in full. */
export const canOperate = computed(() => plugins.value.every(({ problems }) => typeof problems !== 'number'));
