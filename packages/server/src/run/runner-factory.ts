import type { PluginDefinition } from '@mortise/plugin/runtime';
import { createReaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import type { ClientRoots } from '../core/client-roots.js';
import type { Candidate } from '../core/plugin-candidate.js';
import { type PluginKindRow, traitsOf } from '../core/plugin-kinds.js';
import type { LoadRunner } from '../core/plugin-runner.js';
import type { Log } from '../log/log.js';
import { DefinitionCache } from '../plugins/load/definition-cache.js';
import type { Settings } from '../settings/settings.js';
import { bundlePath } from '../util/package-root.js';
import { version } from '../util/version.js';
import type { DotnetPlugins } from './dotnet/dotnet-plugins.js';
import { createPrepared } from './prepared-runner.js';
import { PluginProcesses } from './process/plugin-processes.js';

export interface RunnerFactoryOptions {
  settings: Settings;
  log: Log;
  /** Redacts the output of plugins' processes. */
  redactor: Redactor;
  cacheDir: string | undefined;
  /** Returns the current settings that all plugins can read. Definitions that were cached with others are not used. */
  sharedSettings: () => unknown;
  /** Returns the current settings that only the plugin with this name can read. */
  ownSettings: (name: string) => unknown;
  /** Returns the environment of plugins that have none of their own in the settings. */
  commonEnvironment: () => Readonly<Record<string, string>>;
  /** The roots that mounted servers can ask for outside of calls. */
  roots?: ClientRoots;
  /** The plugins that run under the inspector, with the port of each. */
  inspect?: ReadonlyMap<string, number> | undefined;
  /** Called with the fixed texts of a plugin that ships with the server. Other plugins cannot add any. */
  onOwnTexts?(texts: string[]): void;
  /** True if only one plugin is loaded. */
  isOnePlugin?: boolean;
}

/** The pause after the first answer before contents are hashed and the cache is written. */
const SETTLE_MS = 500;

/**
 * Chooses where the code of a plugin runs: in a process of its own, or in the server (`Plugins.Isolation`). Plugins that
 * ship with the server run inside it, C# plugins always have processes of their own, and mounted servers are started or
 * contacted.
 */
export class RunnerFactory {
  readonly #log: Log;
  readonly #reaper = createReaper(bundlePath('reaper-main.cjs'));
  readonly #cache: DefinitionCache;
  readonly #processes: PluginProcesses;
  readonly #loaders: Readonly<Record<PluginKindRow['runner'], LoadRunner>>;
  /** Created when the first C# plugin is loaded. */
  #dotnet: DotnetPlugins | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: RunnerFactoryOptions) {
    const { settings, log, cacheDir, ownSettings } = options;
    this.#log = log;
    this.#cache = new DefinitionCache({ cacheDir, key: () => cacheKey(options), ownSettings, log });
    this.#processes = this.#createProcesses(options);
    this.#loaders = {
      process: settings.Plugins.Isolation === 'none' ? this.#inServer(options) : this.#processes.load,
      dotnet: this.#dotnetLoader(options),
      'mcp-client': this.#mountedLoader(options),
      bundled: createPrepared({ reaper: this.#reaper, ...(options.onOwnTexts && { onOwnTexts: options.onOwnTexts }) }),
    };
  }

  readonly load: LoadRunner = (candidate, callbacks) => this.#loaders[traitsOf(candidate).runner](candidate, callbacks);

  /** Returns the last cached definition of a plugin, even if its files have changed since. */
  readonly remembered = (candidate: Candidate): PluginDefinition | undefined => this.#cache.last(candidate);

  /** The number of running process groups of plugins and mounted servers. */
  get processCount(): number {
    return this.#reaper.size;
  }

  /**
   * Call this when all plugins have loaded. After a pause, so that the first answer is not delayed, it hashes the contents
   * of all plugins.
   * @param onVerified called with the plugins whose contents changed although the times of their files did not
   */
  settled(onVerified: (changed: readonly string[]) => Promise<unknown>): void {
    this.#timer = setTimeout(() => {
      this.#verify(onVerified).catch((error: unknown) =>
        this.#log.warn('plugins could not be verified', { error: String(error) }),
      );
    }, SETTLE_MS).unref();
  }

  async close(): Promise<void> {
    clearTimeout(this.#timer);
    this.#dotnet?.close();
    this.#cache.save();
    await this.#processes.close();
    this.#reaper.close();
  }

  async #verify(onVerified: (changed: readonly string[]) => Promise<unknown>): Promise<void> {
    await onVerified(await this.#cache.verify());
  }

  #createProcesses({
    settings,
    log,
    redactor,
    cacheDir,
    inspect,
    isOnePlugin,
    commonEnvironment,
  }: RunnerFactoryOptions) {
    return new PluginProcesses({
      settings: settings.Plugins,
      log,
      redactor,
      cacheDir,
      cache: this.#cache,
      reaper: this.#reaper,
      isOnePlugin: isOnePlugin ?? false,
      commonEnvironment,
      ...(inspect && { inspect }),
    });
  }

  #inServer({ settings, cacheDir }: RunnerFactoryOptions): LoadRunner {
    return lazily(async () => {
      const { inProcess } = await import('./in-process.js');
      const { LoadTimeoutMs, Limits } = settings.Plugins;
      return inProcess({ cacheDir, loadTimeoutMs: LoadTimeoutMs, limits: Limits, reaper: this.#reaper });
    });
  }

  #mountedLoader({ settings, log, redactor, roots }: RunnerFactoryOptions): LoadRunner {
    return lazily(async () => {
      const { createMountedLoader } = await import('./mounted/create-mcp-client-runner.js');
      const shared = { cache: this.#cache, reaper: this.#reaper };
      return createMountedLoader({ settings: settings.Plugins, log, redactor, roots, ...shared });
    });
  }

  #dotnetLoader({ settings, log, redactor }: RunnerFactoryOptions): LoadRunner {
    return lazily(async () => {
      const { DotnetPlugins } = await import('./dotnet/dotnet-plugins.js');
      this.#dotnet = new DotnetPlugins({ settings, log, redactor, cache: this.#cache, reaper: this.#reaper });
      return this.#dotnet.load;
    });
  }
}

/** All cached definitions are invalid if any of this changes. */
const cacheKey = ({ settings, sharedSettings }: RunnerFactoryOptions) => {
  const { Confine, Isolation, Directory, Limits } = settings.Plugins;
  return [
    Confine,
    Isolation,
    Directory,
    sharedSettings(),
    Limits,
    version,
    process.version,
    process.platform,
    process.arch,
  ];
};

/** Returns a loader that is created when it is first used. */
function lazily(create: () => Promise<LoadRunner>): LoadRunner {
  let loader: Promise<LoadRunner> | undefined;
  return async (candidate, callbacks) => {
    loader ??= create();
    return (await loader)(candidate, callbacks);
  };
}
