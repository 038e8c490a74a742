import { pathToFileURL } from 'node:url';
import {
  type CallChannel,
  loadPlugin,
  type Outcome,
  type PluginDefinition,
  type PluginInstance,
  type PluginProblem,
  type PluginResults,
  type PluginWork,
  type WatchedResource,
} from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import { enforceMessageLimits } from '../call/results/result-limits.js';
import type { RunnableCandidate } from '../core/plugin-candidate.js';
import type { LoadedRunner, LoadRunner, Runner, RunnerCallbacks } from '../core/plugin-runner.js';
import { checkDefinition, type DefinitionSource } from '../plugins/load/check-definition.js';
import { fingerprintInTurns } from '../plugins/load/fingerprint.js';
import { describeLoadError } from '../plugins/load/load-error.js';
import type { LoadOptions, loadModule, ModuleNamespace } from '../plugins/load/load-module.js';
import { moduleProblem } from '../plugins/load/module-size.js';
import { createTrackedProcesses } from '../processes/tracked-processes.js';
import type { PluginLimits } from '../settings/plugin-limits.js';
import { SERVER } from '../util/version.js';
import { withLoadTimeout } from './shared/with-load-timeout.js';

export interface InProcessOptions {
  /** The folder in which translated TypeScript is cached. Without it nothing is cached. */
  cacheDir?: string | undefined;
  /** A plugin that takes longer has a problem until it has loaded. */
  loadTimeoutMs: number;
  limits: PluginLimits;
  /** Ends the processes that the plugins start. */
  reaper: Reaper;
}

const HINT = 'Look for an await at the top level or in register that never settles, or raise Plugins.LoadTimeoutMs.';

/** Runs plugins in the server's own process (`Plugins.Isolation` `none`). */
export function inProcess({ cacheDir, loadTimeoutMs, limits, reaper }: InProcessOptions): LoadRunner {
  const versions = new Map<string, number>();

  async function load(candidate: RunnableCandidate, callbacks: RunnerCallbacks): Promise<LoadedRunner> {
    const { entry, root } = candidate;
    const version = versions.get(entry) ?? 0;
    versions.set(entry, version + 1);
    const fingerprintAtLoad = await fingerprintInTurns({ entry, ...(root !== undefined && { root }) });
    const problem = moduleProblem(fingerprintAtLoad, limits);
    if (problem) return { problem };
    const loaded = await loadThirdParty(entry, { root, cacheDir, ...(version > 0 && { version }) });
    if ('problem' in loaded) return loaded;
    const runner = new InProcessRunner(entry, limits, callbacks);
    const definitionChanged = (definition: PluginDefinition) => runner.changed(definition);
    const instance = await instanceOf(loaded, candidate, { ...callbacks, definitionChanged }, reaper);
    if ('problem' in instance) return instance;
    runner.plugin = instance.runner;
    return { runner, fingerprint: fingerprintAtLoad };
  }

  const loadInTime = withLoadTimeout(load, { loadTimeoutMs, hint: HINT });
  return async (candidate, callbacks) => withCheckedDefinition(await loadInTime(candidate, callbacks));
}

/** Checks the definition of a loaded plugin. This is work of the server, and does not count for the plugin's time. */
async function withCheckedDefinition(loaded: LoadedRunner): Promise<LoadedRunner> {
  if ('runner' in loaded) await (loaded.runner as InProcessRunner).check();
  else if (loaded.afterTimeout) return { ...loaded, afterTimeout: loaded.afterTimeout.then(withCheckedDefinition) };
  return loaded;
}

/** Runs a plugin in the server, with the same checks and limits as in a process of its own. */
class InProcessRunner implements Runner {
  readonly #limits: PluginLimits;
  readonly #source: DefinitionSource;
  readonly #callbacks: RunnerCallbacks;
  /** Set when the plugin has loaded. */
  plugin: PluginInstance | undefined;
  #definition: PluginDefinition | undefined;
  #checking = Promise.resolve();
  #uses = 0;
  #isDisposed = false;

  constructor(file: string, limits: PluginLimits, callbacks: RunnerCallbacks) {
    this.#limits = limits;
    this.#source = { file, prefix: '', limits };
    this.#callbacks = callbacks;
  }

  /** Checks the first definition of the plugin. */
  check(): Promise<void> {
    return this.changed(this.plugin!.definition);
  }

  /** Checks a changed definition, after all earlier ones. */
  changed(definition: PluginDefinition): Promise<void> {
    this.#checking = this.#checking.then(async () => {
      const isFirst = this.#definition === undefined;
      this.#definition = await checkDefinition(definition, this.#source);
      if (!isFirst) await this.#callbacks.definitionChanged(this.#definition);
    });
    return this.#checking;
  }

  get definition(): PluginDefinition {
    return this.#definition!;
  }

  async run<W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]> {
    this.#uses += 1;
    try {
      const result = await this.plugin!.run(work, channel);
      // If the call has changed a list, clients must learn of the change before they get the result.
      await this.#checking;
      return work.do === 'call' ? (enforceMessageLimits(result as Outcome, this.#limits) as typeof result) : result;
    } finally {
      this.#uses -= 1;
      if (this.#isDisposed) void this.#disposeIfUnused();
    }
  }

  get watched(): Iterable<WatchedResource> {
    return this.plugin?.watched ?? [];
  }

  watchResource(resource: WatchedResource): void {
    this.plugin?.watchResource?.(resource);
  }

  unwatchResource(uri: string): void {
    this.plugin?.unwatchResource?.(uri);
  }

  /** Lets the plugin clean up when its last running work has ended. Does not wait for that work. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    await this.#disposeIfUnused();
  }

  async #disposeIfUnused(): Promise<void> {
    if (this.#uses === 0) await this.plugin?.dispose();
  }
}

/** Loads a plugin that ships with the server. Its entry can be imported directly. */
export async function loadBundled(
  candidate: RunnableCandidate,
  callbacks: RunnerCallbacks,
  reaper: Reaper,
): Promise<{ runner: Runner; ownTexts: string[] } | { problem: PluginProblem }> {
  const { entry, directory } = candidate;
  try {
    const namespace = (await import(pathToFileURL(entry).href)) as BundledModule;
    const instance = await instanceOf({ namespace, file: entry }, candidate, callbacks, reaper);
    return 'problem' in instance ? instance : { ...instance, ownTexts: namespace.ownTexts?.() ?? [] };
  } catch (error) {
    return { problem: await describeLoadError(error, { entry, root: directory }) };
  }
}

/** The module of a plugin that ships with the server. */
type BundledModule = ModuleNamespace & { readonly ownTexts?: () => string[] };

async function loadThirdParty(entry: string, options: LoadOptions): ReturnType<typeof loadModule> {
  const module = await import('../plugins/load/load-module.js');
  return module.loadModule(entry, options);
}

async function instanceOf(
  { namespace, file }: { namespace: ModuleNamespace; file: string },
  { entry, root, directory }: RunnableCandidate,
  callbacks: RunnerCallbacks,
  reaper: Reaper,
): Promise<{ runner: Runner } | { problem: PluginProblem }> {
  const processes = createTrackedProcesses(reaper);
  try {
    const plugin = await loadPlugin(namespace, { file, root, host: { ...callbacks, server: SERVER, processes } });
    const dispose = plugin.dispose.bind(plugin);
    plugin.dispose = () => dispose().finally(processes.end);
    return { runner: plugin };
  } catch (error) {
    return { problem: await describeLoadError(error, { entry, root: root ?? directory }) };
  }
}
