import { resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type { JsonObject } from '../json.js';
import { describeError } from '../runtime/describe.js';
import { loadPlugin } from '../runtime/load-plugin.js';
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
import { type CallOptions, callWith } from './call-options.js';
import { firstError, type PromptResult, type ReadResult, type RunResult, toRunResult } from './run-result.js';

/** A plugin's module: imported already (`import * as plugin from './plugin.js'`), or its path or file URL. */
export type PluginSource = object | string | URL;

export interface OpenOptions {
  /** What is under `Plugins.Config`. */
  config?: Record<string, unknown>;
}

/** A plugin without a server around it. */
export interface TestPlugin {
  readonly definition: PluginDefinition;
  readonly tools: ToolDefinition[];
  /** Errors and warnings of loading. */
  readonly problems: PluginProblem[];
  /** Lines that were logged outside of calls. */
  readonly logs: PluginLogEntry[];
  /** URIs given to `resourceUpdated`. */
  readonly updatedResources: string[];
  /** How often `reloadPlugins` was called. */
  readonly reloads: number;
  /** Arguments are given as they are: it is the server that checks them against inputSchema. */
  callTool(name: string, args?: object | null, options?: CallOptions): Promise<RunResult>;
  /** `key` is the registered uri or uriTemplate; a template's variables fill its simple `{name}` parts. */
  readResource(
    key: string,
    options?: CallOptions & { variables?: Record<string, string>; uri?: string },
  ): Promise<ReadResult>;
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
 * Loads a plugin for a test. On a Node.js that cannot import TypeScript, import the module in the test and give that.
 * @throws Error when the module cannot be imported; what is wrong inside is in `problems`
 */
export async function openPlugin(source: PluginSource, options: OpenOptions = {}): Promise<TestPlugin> {
  const isFile = typeof source === 'string' || source instanceof URL;
  const url = isFile ? toUrl(source) : undefined;
  const moduleNamespace: object = url === undefined ? (source as object) : await importModule(url);
  const file = url === undefined ? resolve('plugin.js') : fileURLToPath(url);
  const seen = { logs: [] as PluginLogEntry[], updatedResources: [] as string[], reloads: 0 };
  const host: PluginHost = {
    pluginName: 'plugin-under-test',
    pluginsDir: resolve('.'),
    config: (options.config ?? {}) as JsonObject,
    log: (entry) => {
      seen.logs.push(entry);
    },
    server: { name: 'test', version: '0' },
    processes: { environment: {}, own: () => ({ remove() {} }) },
    reloadPlugins: async () => {
      seen.reloads++;
    },
    resourceUpdated: (uri) => {
      seen.updatedResources.push(uri);
    },
    definitionChanged: () => {},
  };
  return toTestPlugin(await loadPlugin(moduleNamespace, { file, host }), seen);
}

function toUrl(source: string | URL): URL {
  if (source instanceof URL) return source;
  return source.startsWith('file:') ? new URL(source) : pathToFileURL(resolve(source));
}

async function importModule(url: URL): Promise<object> {
  try {
    return await import(url.href);
  } catch (cause) {
    const help = /\.[cm]?ts$/.test(url.pathname)
      ? ' Where Node.js cannot import TypeScript, import the module in the test and give the namespace.'
      : '';
    throw new Error(`${fileURLToPath(url)} cannot be imported: ${describeError(cause)}.${help}`, { cause });
  }
}

interface Seen {
  logs: PluginLogEntry[];
  updatedResources: string[];
  reloads: number;
}

function toTestPlugin(plugin: PluginInstance, seen: Seen): TestPlugin {
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
    logs: seen.logs,
    updatedResources: seen.updatedResources,
    callTool: async (name, args = {}, options = {}) => {
      const tool = plugin.definition.tools.find((item) => item.name === name);
      if (tool === undefined) throw new Error(`The plugin has no tool '${name}': ${summary(plugin.definition)}`);
      const { outcome, record } = await callWith(
        (channel) => plugin.callTool(name, args as JsonObject, channel),
        options,
      );
      return toRunResult(outcome, tool, record);
    },
    readResource: async (key, { variables = {}, uri = expand(key, variables), ...options } = {}) => {
      const call = callWith((channel) => plugin.readResource(key, uri, variables, channel), options);
      const { outcome, record } = await call;
      return outcome.kind === 'success'
        ? { contents: outcome.contents, ...record }
        : { contents: [], error: firstError(outcome), ...record };
    },
    getPrompt: async (name, args = {}, options = {}) => {
      const { outcome, record } = await callWith((channel) => plugin.getPrompt(name, args, channel), options);
      if (outcome.kind === 'error') return { messages: [], error: firstError(outcome), ...record };
      const { description, messages } = outcome;
      return { ...(description !== undefined && { description }), messages, ...record };
    },
    complete: async (ref, argument, value, knownArguments = {}) => {
      const run = async (channel: CallChannel) => ({
        kind: 'completed',
        ...(await plugin.complete(ref, argument, value, knownArguments, channel)),
      });
      return (await callWith(run, {})).outcome.values;
    },
    dispose: () => plugin.dispose(),
  };
}

const expand = (template: string, variables: Record<string, string>): string =>
  template.replace(/\{(\w+)\}/g, (part, name: string) =>
    Object.hasOwn(variables, name) ? encodeURIComponent(variables[name]!) : part,
  );

/** What was loaded and what was not, for messages. */
export function summary({ tools, problems }: PluginDefinition): string {
  const names = tools.map(({ name }) => name).join(', ') || 'none';
  const lines = problems.map(({ code, message, hint }) => `\n- ${code}: ${message} ${hint}`);
  return `its tools are ${names}.${lines.join('')}`;
}
