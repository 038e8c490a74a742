import { randomUUID } from 'node:crypto';
import { existsSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import type { JsonObject } from '../json.js';
import { errorOutcome } from '../runtime/error-outcome.js';
import { loadPlugin } from '../runtime/load-plugin.js';
import type { Outcome } from '../runtime/outcome.js';
import type {
  CallChannel,
  CompletionRef,
  PluginDefinition,
  PluginHost,
  PluginInstance,
  PluginLogEntry,
  ToolDefinition,
} from '../runtime/plugin-instance.js';
import type { PluginProblem } from '../runtime/problem.js';
import { withEnd } from './call-end.js';
import { type CallOptions, callWith } from './call-options.js';
import { withoutMarks } from './hide-secrets.js';
import { importSource } from './import-source.js';
import { type ListResult, toListResult } from './list-result.js';
import { firstError, type PromptResult, type ReadResult, type RunResult, toRunResult } from './run-result.js';
import { serverRules } from './server-rules.js';
import { watched } from './watchdog.js';

/**
 * A plugin: either its imported module (`import * as plugin from './plugin.js'`), or the path or file URL of a
 * JavaScript file, a TypeScript file or a folder that the server would load.
 */
export type PluginSource = object | string | URL;

export interface OpenOptions {
  /**
   * The settings in `Plugins.Config`. For a plugin of `definePlugin`: its own settings, as they are in the settings
   * file.
   */
  config?: Record<string, unknown>;
  /** The absolute path of `api.dataDir`. Default: a temporary folder, which `dispose` removes. */
  dataDir?: string;
  /**
   * The time in milliseconds after which a call counts as blocked if it does not return to the event loop. The process
   * of the tests then ends with a message that says where the call is, because no other code can run. Default 10,000;
   * Infinity to switch it off.
   */
  blockedAfterMs?: number;
}

const BLOCKED_AFTER_MS = 10_000;

type ReadOptions = CallOptions & { variables?: Record<string, string>; uri?: string };

/** A plugin that runs without a server. */
export interface TestPlugin {
  readonly definition: PluginDefinition;
  readonly tools: ToolDefinition[];
  /** Errors and warnings from loading the plugin. */
  readonly problems: PluginProblem[];
  /** Lines that the plugin logged outside of calls. */
  readonly logs: PluginLogEntry[];
  /** The URIs that were passed to `resourceUpdated`. */
  readonly updatedResources: string[];
  /** The number of calls of `resourceListChanged`. */
  readonly resourceListChanges: number;
  /** The number of calls of `reloadPlugins`. */
  readonly reloads: number;
  /**
   * Arguments and result are validated as in the server. null stands for a client that sends no arguments: the tool
   * gets `{}`.
   */
  callTool(name: string, args?: object | null, options?: CallOptions): Promise<RunResult>;
  /**
   * `key` is a URI that a client could read, or a registered uriTemplate; `variables` fill its simple `{name}` parts.
   */
  readResource(key: string, options?: ReadOptions): Promise<ReadResult>;
  /** Lists the resources of a template. If the server would drop an entry, the result has an error. */
  listResources(uriTemplate: string, options?: CallOptions): Promise<ListResult>;
  /**
   * Subscribes the first client to the URI, so that `watch` of its resource begins.
   * @returns a function that ends the subscription: `signal` of `watch` fires
   * @throws Error if the plugin has no such resource
   */
  subscribe(uri: string): Promise<() => void>;
  getPrompt(name: string, args?: Record<string, string>, options?: CallOptions): Promise<PromptResult>;
  complete(
    ref: CompletionRef,
    argument: string,
    value: string,
    knownArguments?: Record<string, string>,
  ): Promise<string[]>;
  dispose(): Promise<void>;
}

/**
 * Loads a plugin for a test, from a path in the same way as the server. If Node.js cannot import TypeScript itself,
 * jiti must be installed.
 * @throws Error if the module cannot be imported; all other faults are in `problems`
 */
export async function openPlugin(source: PluginSource, options: OpenOptions = {}): Promise<TestPlugin> {
  const isPath = typeof source === 'string' || source instanceof URL;
  const { namespace, file } = isPath ? await importSource(source) : { namespace: source, file: resolve('plugin.js') };
  const seen: Seen = { logs: [], updatedResources: [], resourceListChanges: 0, reloads: 0 };
  const dataDir = options.dataDir ?? join(tmpdir(), `mortise-plugin-${randomUUID()}`);
  const host: PluginHost = {
    pluginName: 'plugin-under-test',
    pluginsDir: resolve('.'),
    config: (options.config ?? {}) as JsonObject,
    dataDir,
    ownSettings: async ({ name = 'plugin-under-test' }) => ({
      key: `Plugins.Settings.${name}`,
      values: (options.config ?? {}) as JsonObject,
      places: {},
      unavailable: [],
      dataDir,
    }),
    log: (entry) => {
      seen.logs.push(withoutMarks(entry));
    },
    server: { name: 'test', version: '0' },
    processes: { environment: {}, own: () => ({ remove() {} }) },
    reloadPlugins: async () => {
      seen.reloads++;
    },
    resourceUpdated: (uri) => {
      seen.updatedResources.push(uri);
    },
    resourceListChanged: () => {
      seen.resourceListChanges++;
    },
    definitionChanged: () => {},
  };
  const root = isPath ? packageFolder(file) : undefined;
  const plugin = await loadPlugin(namespace, { file, host, root });
  const removeData = options.dataDir === undefined ? () => rmSync(dataDir, { recursive: true, force: true }) : () => {};
  return toTestPlugin(plugin, seen, { removeData, blockedAfterMs: options.blockedAfterMs ?? BLOCKED_AFTER_MS });
}

/** The folder of the nearest package.json. A test names a plugin by its entry file, so this is the plugin's folder. */
function packageFolder(file: string): string | undefined {
  const folder = dirname(file);
  if (existsSync(join(folder, 'package.json'))) return folder;
  return folder === file ? undefined : packageFolder(folder);
}

interface Seen {
  logs: PluginLogEntry[];
  updatedResources: string[];
  resourceListChanges: number;
  reloads: number;
}

function toTestPlugin(
  plugin: PluginInstance,
  seen: Seen,
  { removeData, blockedAfterMs }: { removeData: () => void; blockedAfterMs: number },
): TestPlugin {
  return {
    get definition() {
      return plugin.definition;
    },
    get tools() {
      return plugin.definition.tools;
    },
    get problems() {
      return plugin.definition.problems;
    },
    get reloads() {
      return seen.reloads;
    },
    get resourceListChanges() {
      return seen.resourceListChanges;
    },
    logs: seen.logs,
    updatedResources: seen.updatedResources,
    callTool: (name, args, options) => callTool(plugin, name, args, { blockedAfterMs, ...options }),
    readResource: (key, options) => readResource(plugin, key, options),
    listResources: async (uriTemplate, options = {}) => {
      const list = (channel: CallChannel) => plugin.run({ do: 'list', key: uriTemplate }, channel);
      const { outcome, record } = await withEnd(options, (signal) => callWith(list, { ...options, signal }));
      return withoutMarks({ ...toListResult(outcome, uriTemplate), ...record }, options.unsafeOutput);
    },
    subscribe: async (uri) => {
      const { findResource } = await serverRules();
      const resource = await findResource(plugin.definition, uri);
      if (!resource) throw new Error(`The plugin has no resource ${uri}.`);
      plugin.watchResource!({ ...resource, uri });
      return () => plugin.unwatchResource!(uri);
    },
    getPrompt: (name, args, options) => getPrompt(plugin, name, args, options),
    complete: async (ref, argument, value, knownArguments = {}) => {
      const { shownCompletions } = await serverRules();
      const work = { do: 'complete', ref, argument, value, knownArguments } as const;
      const run = async (channel: CallChannel) => {
        const completion = await plugin.run(work, channel);
        return { kind: 'completed', values: 'values' in completion ? completion.values : [] };
      };
      return shownCompletions((await callWith(run, {})).outcome.values);
    },
    dispose: () => plugin.dispose().finally(removeData),
  };
}

async function callTool(
  plugin: PluginInstance,
  name: string,
  args: object | null = {},
  { blockedAfterMs, ...options }: CallOptions & { readonly blockedAfterMs: number },
): Promise<RunResult> {
  const tool = plugin.definition.tools.find((item) => item.name === name);
  if (tool === undefined) throw new Error(`The plugin has no tool '${name}': ${summary(plugin.definition)}`);
  const { refusedArguments, checkedResult } = await serverRules();
  const refused = refusedArguments((args ?? {}) as JsonObject, tool);
  const end = { timeoutMs: options.timeoutMs ?? tool.timeoutMs, ...options };
  const call = (channel: CallChannel) =>
    plugin.run({ do: 'call', name, args: (args ?? undefined) as JsonObject }, channel);
  const { outcome, record } = refused
    ? { outcome: refused, record: { progress: [], logs: [] } }
    : await watched(name, blockedAfterMs, () =>
        withEnd(end as CallOptions, (signal) => callWith(call, { ...options, signal })),
      );
  const finalOutcome = (await checkedResult(outcome, tool)) as Exclude<Outcome, { kind: 'input_required' }>;
  return withoutMarks(toRunResult(finalOutcome, tool, record), options.unsafeOutput);
}

async function readResource(
  plugin: PluginInstance,
  key: string,
  { variables = {}, uri = expand(key, variables), ...options }: ReadOptions = {},
): Promise<ReadResult> {
  const { findResource, bounds } = await serverRules();
  const isRegistered = plugin.definition.resources.some((one) => (one.uri ?? one.uriTemplate) === key);
  const resource = isRegistered ? { key, variables } : await findResource(plugin.definition, key);
  const read = (channel: CallChannel) =>
    resource
      ? plugin.run({ do: 'read', key: resource.key, uri, variables: resource.variables }, channel)
      : Promise.resolve(errorOutcome('RESOURCE_NOT_FOUND', `Resource not found: ${key}`));
  const { outcome, record } = await withEnd(options, (signal) => callWith(read, { ...options, signal }));
  const bounded = bounds(outcome);
  const result =
    bounded.kind === 'success'
      ? { contents: bounded.contents, ...record }
      : { contents: [], error: firstError(bounded), ...record };
  return withoutMarks(result, options.unsafeOutput);
}

async function getPrompt(
  plugin: PluginInstance,
  name: string,
  args: Record<string, string> = {},
  options: CallOptions = {},
): Promise<PromptResult> {
  const { refusedPrompt, bounds } = await serverRules();
  const prompt = plugin.definition.prompts.find((one) => one.name === name);
  const refused = prompt && refusedPrompt(prompt, args);
  const get = (channel: CallChannel) =>
    refused ? Promise.resolve(refused) : plugin.run({ do: 'prompt', name, args }, channel);
  const { outcome, record } = await withEnd(options, (signal) => callWith(get, { ...options, signal }));
  const bounded = bounds(outcome);
  if (bounded.kind === 'error')
    return withoutMarks({ messages: [], error: firstError(bounded), ...record }, options.unsafeOutput);
  const { description, messages } = bounded;
  const result = { ...(description !== undefined && { description }), messages, ...record };
  return withoutMarks(result, options.unsafeOutput);
}

const expand = (template: string, variables: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (part, name: string) =>
    Object.hasOwn(variables, name) ? encodeURIComponent(variables[name]!) : part,
  );

/** Lists the tools and the problems of a loaded plugin, for messages. */
export function summary({ tools, problems }: PluginDefinition): string {
  const names = tools.map(({ name }) => name).join(', ') || 'none';
  const lines = problems.map(({ code, message, hint }) => `\n- ${code}: ${message} ${hint}`);
  return `its tools are ${names}.${lines.join('')}`;
}
