import type { CallContext } from '../call-context.js';
import { configValue } from '../config-value.js';
import { isDefinedTool } from '../define-tool.js';
import type { JsonObject } from '../json.js';
import { PluginContext } from '../plugin-context.js';
import type { Completer, CompletionContext } from '../register.js';
import { Catalog, type ToolEntry } from './catalog.js';
import { loadClassTools } from './class-tools.js';
import { describeError } from './describe.js';
import { errorOutcome } from './error-outcome.js';
import { normaliseList } from './listed-resources.js';
import { missingExports } from './missing-exports.js';
import { normaliseReturned, type ResultOptions, type ToolStyle } from './normalise.js';
import type { ErrorOutcome, ListOutcome, Outcome, PromptOutcome, ReadOutcome } from './outcome.js';
import type {
  CallChannel,
  Completion,
  CompletionRef,
  PluginDefinition,
  PluginHost,
  PluginInstance,
  PluginResults,
  PluginWork,
  WatchedResource,
  WorkHandlers,
  WorkOf,
} from './plugin-instance.js';
import { createPluginLogger } from './plugin-logger.js';
import { normalisePrompt } from './registered-prompts.js';
import { normaliseRead } from './registered-resources.js';
import { REGISTER_TOOL_ORIGIN, runRegister } from './registered-tools.js';
import { findRegistration } from './registration.js';
import { ResourceWatches } from './resource-watches.js';
import { type PluginCode, runCall } from './run-call.js';
import { exportsOf } from './tool-exports.js';
import { withSection } from './with-section.js';

export interface LoadOptions {
  /** An absolute path, for messages. */
  file: string;
  host: PluginHost;
  /** The plugin's folder, if the plugin is a folder. Its package.json says what the plugin may import. */
  root?: string | undefined;
}

/**
 * Loads the plugin of an imported module: its classes and tool objects, and then everything that its `register(api)`
 * registers. Never rejects because of the plugin: problems are in the definition (docs/spec/plugins.md#load-failure).
 */
export async function loadPlugin(moduleNamespace: object, { file, host, root }: LoadOptions): Promise<PluginInstance> {
  const plugin = new LoadedPlugin(host);
  const { catalog } = plugin;
  const onDispose = (dispose: () => unknown) => plugin.onDispose(dispose);
  const moduleExports = exportsOf(moduleNamespace);
  const registration = await findRegistration(moduleExports, { file, host });
  for (const problem of registration?.problems ?? []) catalog.addProblem(problem);
  catalog.settings = registration?.settings;
  if (registration?.register) catalog.instructions = registration.instructions;
  plugin.useSection(registration?.values);
  const register = registration?.register;
  if (registration && !register) return plugin;
  const contextFor = (name: string) => plugin.contextFor(name);
  loadClassTools(moduleExports, { file, catalog, hasRegister: register !== undefined, contextFor, onDispose });
  const missing = register === undefined ? missingExports(moduleExports, file, root) : undefined;
  if (missing) catalog.addProblem(missing);
  if (register !== undefined) {
    const disposers = new Disposers(host);
    onDispose(() => disposers.run());
    await runRegister(register, {
      file,
      host,
      catalog,
      dataDir: registration?.dataDir ?? host.dataDir,
      getConfig: plugin.getConfig,
      onDispose: (dispose) => disposers.add(dispose),
      disposeNow: () => disposers.run(),
      isDisposed: () => plugin.isDisposed,
    });
  }
  plugin.announceChanges();
  return plugin;
}

/** The clean-up functions of a plugin. Each runs once, the last added first. Errors are logged. */
class Disposers {
  #list: (() => unknown)[] = [];

  constructor(readonly host: PluginHost) {}

  add(dispose: () => unknown): void {
    this.#list.push(dispose);
  }

  async run(): Promise<void> {
    for (let dispose = this.#list.pop(); dispose !== undefined; dispose = this.#list.pop()) {
      try {
        await dispose();
      } catch (error) {
        this.host.log({ level: 'error', message: `dispose threw: ${describeError(error)}` });
      }
    }
  }
}

/**
 * One call of a tool. It has methods instead of closures, because creating closures would cost more than the rest of
 * the call.
 */
class ToolCode implements PluginCode<Outcome>, ResultOptions {
  constructor(
    readonly entry: ToolEntry,
    readonly args: JsonObject,
    readonly getConfig: (key: string) => string | null,
    readonly warn: (message: string) => void,
  ) {}

  get scope(): string | undefined {
    return this.entry.scope;
  }

  get style(): ToolStyle {
    const { source, definition } = this.entry;
    if (isDefinedTool(source)) return 'defined';
    return definition.origin === REGISTER_TOOL_ORIGIN ? 'registered' : 'class';
  }

  run(context: CallContext): unknown {
    return this.entry.invoke(this.args, context);
  }

  normalise(returned: unknown): Outcome {
    return normaliseReturned(returned, this);
  }
}

/**
 * The maximum number of different warnings of a plugin that are logged, each once. Otherwise a plugin whose warnings
 * vary could fill the log.
 */
const MAX_WARNINGS = 100;

class LoadedPlugin implements PluginInstance, WorkHandlers {
  readonly catalog = new Catalog();
  readonly getConfig: (key: string) => string | null;
  readonly #host: PluginHost;
  #config: JsonObject;
  readonly #disposers: Disposers;
  readonly #warnings = new Set<string>();
  readonly #watches: ResourceWatches;
  isDisposed = false;
  #isAnnouncing = false;

  constructor(host: PluginHost) {
    this.#host = host;
    this.#disposers = new Disposers(host);
    this.#watches = new ResourceWatches(this.catalog.resources, (entry) => host.log(entry));
    this.#config = host.config;
    this.getConfig = (key) => configValue(this.#config, key);
  }

  /** Adds the settings of the section that the plugin has chosen by its name. */
  useSection(values: JsonObject | undefined): void {
    if (values) this.#config = withSection(this.#config, values);
  }

  get definition(): PluginDefinition {
    return this.catalog.definition;
  }

  contextFor(className: string): PluginContext {
    const logger = createPluginLogger((entry) => this.#host.log(entry), className);
    return new PluginContext({ config: this.#config, logger });
  }

  onDispose(dispose: () => unknown): void {
    this.#disposers.add(dispose);
  }

  /** Starts to report changes of the definition to the server. Changes in the same tick are reported together. */
  announceChanges(): void {
    this.catalog.onChange(() => {
      if (this.#isAnnouncing) return;
      this.#isAnnouncing = true;
      queueMicrotask(() => {
        this.#isAnnouncing = false;
        if (!this.isDisposed) this.#host.definitionChanged(this.definition);
      });
    });
  }

  run<W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]> {
    const handlers: Record<W['do'], (work: W, channel: CallChannel) => Promise<PluginResults[W['do']]>> = this as never;
    return handlers[work.do as W['do']](work, channel);
  }

  call({ name, args }: WorkOf<'call'>, channel: CallChannel): Promise<Outcome> {
    const entry = this.catalog.tools.get(name);
    if (entry === undefined) return Promise.resolve(this.#missing(`tool '${name}'`));
    const warn = (message: string) => this.#warnOnce(`Tool '${name}': ${message}`, channel, entry.scope);
    return runCall(new ToolCode(entry, args === undefined ? {} : args, this.getConfig, warn), channel);
  }

  async read({ key, uri, variables }: WorkOf<'read'>, channel: CallChannel): Promise<ReadOutcome> {
    const entry = this.catalog.resources.get(key);
    if (entry === undefined) return this.#missing(`resource ${key}`);
    return runCall<ReadOutcome>(
      {
        getConfig: this.getConfig,
        run: (context) => entry.read(uri, variables, context),
        normalise: (returned) => normaliseRead(returned, uri, entry.definition.mimeType),
        warn: (message) => this.#warnOnce(message, channel, undefined),
      },
      channel,
    );
  }

  async list({ key }: WorkOf<'list'>, channel: CallChannel): Promise<ListOutcome> {
    const entry = this.catalog.resources.get(key);
    const list = entry?.list;
    if (list === undefined) return this.#missing(`list of ${key}`);
    return runCall<ListOutcome>(
      {
        getConfig: this.getConfig,
        run: list,
        normalise: (returned) => normaliseList(returned, entry!.definition),
        warn: (message) => this.#warnOnce(message, channel, undefined),
      },
      channel,
    );
  }

  get watched(): readonly WatchedResource[] {
    return this.#watches.resources;
  }

  watchResource(resource: WatchedResource): void {
    if (!this.isDisposed) this.#watches.start(resource);
  }

  unwatchResource(uri: string): void {
    this.#watches.stop(uri);
  }

  async prompt({ name, args }: WorkOf<'prompt'>, channel: CallChannel): Promise<PromptOutcome> {
    const entry = this.catalog.prompts.get(name);
    if (entry === undefined) return this.#missing(`prompt '${name}'`);
    const run = (context: Parameters<typeof entry.get>[1]) => entry.get(args, context);
    const warn = (message: string) => this.#warnOnce(message, channel, undefined);
    return runCall<PromptOutcome>({ getConfig: this.getConfig, run, normalise: normalisePrompt, warn }, channel);
  }

  async complete(
    { ref, argument, value, knownArguments }: WorkOf<'complete'>,
    channel: CallChannel,
  ): Promise<Completion> {
    const context: CompletionContext = {
      arguments: knownArguments,
      get signal() {
        return channel.signal;
      },
    };
    try {
      const completer = this.#completers(ref)?.get(argument);
      const values: unknown = await completer?.(value, context);
      return { values: Array.isArray(values) ? values.filter((item) => typeof item === 'string') : [] };
    } catch (error) {
      this.#host.log({ level: 'warn', message: `complete of '${argument}' threw: ${describeError(error)}` });
      return { values: [] };
    }
  }

  async dispose(): Promise<void> {
    this.isDisposed = true;
    this.#watches.stopAll();
    await this.#disposers.run();
  }

  #warnOnce(message: string, channel: CallChannel, scope: string | undefined): void {
    if (this.#warnings.has(message) || this.#warnings.size >= MAX_WARNINGS) return;
    this.#warnings.add(message);
    channel.log({ level: 'warn', message, ...(scope !== undefined && { scope }) });
  }

  #completers(ref: CompletionRef): ReadonlyMap<string, Completer> | undefined {
    const { prompts, resources } = this.catalog;
    return ref.type === 'prompt' ? prompts.get(ref.name)?.complete : resources.get(ref.uriTemplate)?.complete;
  }

  #missing(what: string): ErrorOutcome {
    return errorOutcome('PLUGIN_UNAVAILABLE', `The plugin '${this.#host.pluginName}' no longer provides the ${what}`, {
      hint: 'Refresh the list. The plugin has removed the entry, or never had it.',
    });
  }
}
