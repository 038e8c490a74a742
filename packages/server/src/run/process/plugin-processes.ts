import { notSecretKey, type PluginDefinition } from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import type { RunnableCandidate } from '../../core/plugin-candidate.js';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import type { LoadRunner, RunnerCallbacks } from '../../core/plugin-runner.js';
import type { Log } from '../../log/log.js';
import { permissionOptions } from '../../plugins/find/confinement.js';
import type { DefinitionCache } from '../../plugins/load/definition-cache.js';
import { fingerprintInTurns } from '../../plugins/load/fingerprint.js';
import { moduleProblem } from '../../plugins/load/module-size.js';
import { createRestartBackoff } from '../../processes/restart-backoff.js';
import type { Settings } from '../../settings/settings.js';
import { PluginUnavailableError } from '../shared/runner-errors.js';
import type { LoadRequest } from '../worker/protocol.js';
import { createDiscoveryQueue, type DiscoveryQueue } from './discovery-queue.js';
import { createProcessPool, type ProcessPool } from './process-pool.js';
import { ProcessRunner } from './process-runner.js';

export interface ProcessesOptions {
  settings: Settings['Plugins'];
  log: Log;
  redactor: Redactor;
  cacheDir: string | undefined;
  cache: DefinitionCache;
  reaper: Reaper;
  /** Plugins that run under the inspector, with the port of each. */
  inspect?: ReadonlyMap<string, number>;
  commonEnvironment: () => Readonly<Record<string, string>>;
  /** True if there is only one plugin. Its calls then run in the process in which its definition was learnt. */
  isOnePlugin?: boolean;
}

const NO_DEFINITION: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };

/** Loads plugins in processes of their own, so that the server runs none of their code (docs/spec/plugin-processes.md#processes). */
export class PluginProcesses {
  readonly #options: ProcessesOptions;
  readonly #pool: ProcessPool;
  readonly #queue: DiscoveryQueue;

  constructor(options: ProcessesOptions) {
    const { settings, log, redactor, reaper, commonEnvironment } = options;
    this.#options = options;
    this.#pool = createProcessPool({
      maxMemoryMb: settings.MaxMemoryMb,
      limits: settings.Limits,
      log,
      reaper,
      redactor,
      commonEnvironment,
    });
    this.#queue = createDiscoveryQueue({
      pool: this.#pool,
      loadTimeoutMs: settings.LoadTimeoutMs,
      onOutput: (plugin, line, stream) => this.#logOutput(plugin, line, stream),
    });
  }

  readonly load: LoadRunner = async (candidate, callbacks) => {
    const { cache, cacheDir, settings, isOnePlugin } = this.#options;
    const request = loadRequestFor(candidate, callbacks, cacheDir, settings);
    const cached = cache.find(candidate, callbacks.mustReload);
    if (cached)
      return {
        runner: this.#runnerOf(candidate, request, callbacks, cached.definition),
        fingerprint: cached,
        isCached: true,
      };
    const before = await fingerprintInTurns(candidate);
    const problem = moduleProblem(before, settings.Limits);
    if (problem) return { problem };
    if (candidate.needs)
      this.#options.log.info('the plugin declares what it needs', { plugin: candidate.name, needs: candidate.needs });
    if (isOnePlugin) return this.#loadAndKeep(candidate, request, callbacks, before);
    const discovered = await this.#queue.discover(request, callbacks);
    if ('problem' in discovered) return discovered;
    cache.keep(candidate, before, discovered.definition);
    return { runner: this.#runnerOf(candidate, request, callbacks, discovered.definition), fingerprint: before };
  };

  close(): Promise<void> {
    return this.#pool.close();
  }

  /** Learns the definition in the process that runs the calls, which saves the start of a second process. */
  async #loadAndKeep(
    candidate: RunnableCandidate,
    request: LoadRequest,
    callbacks: RunnerCallbacks,
    before: Fingerprint,
  ): ReturnType<LoadRunner> {
    let isLoaded = false;
    // The catalog gets the first definition as the result of the load, and only later ones as changes.
    const definitionChanged = (definition: PluginDefinition) =>
      isLoaded ? callbacks.definitionChanged(definition) : undefined;
    const runner = this.#runnerOf(candidate, request, { ...callbacks, definitionChanged }, NO_DEFINITION);
    const problem = await runner.start();
    isLoaded = true;
    if (!problem) return { runner, fingerprint: before };
    await runner.dispose();
    return { problem };
  }

  #runnerOf(
    candidate: RunnableCandidate,
    request: LoadRequest,
    callbacks: RunnerCallbacks,
    definition: PluginDefinition,
  ): ProcessRunner {
    const { settings, inspect, cache } = this.#options;
    const inspectPort = inspect?.get(candidate.name);
    let before: Fingerprint;
    return new ProcessRunner({
      request,
      callbacks,
      pool: this.#pool,
      backoff: createRestartBackoff(),
      definition,
      loadTimeoutMs: settings.LoadTimeoutMs,
      idleMs: settings.IdleMs,
      ...(inspectPort !== undefined && { inspectPort }),
      onOutput: (line, stream) => this.#logOutput(candidate.name, line, stream),
      async beforeLoad() {
        before = await fingerprintInTurns(candidate);
        const problem = moduleProblem(before, settings.Limits);
        if (problem) throw new PluginUnavailableError(problem);
        await cache.verifyContents(candidate);
      },
      onLoaded: (loaded) => cache.keep(candidate, before, loaded),
    });
  }

  #logOutput(plugin: string, line: string, stream: 'stdout' | 'stderr'): void {
    this.#options.log[stream === 'stdout' ? 'info' : 'warn'](line, { plugin, source: stream });
  }
}

function loadRequestFor(
  candidate: RunnableCandidate,
  { config, dataDir, environment }: RunnerCallbacks,
  cacheDir: string | undefined,
  settings: Settings['Plugins'],
): LoadRequest {
  const { entry, root, name, directory } = candidate;
  const permissions = permissionOptions(candidate, dataDir);
  return {
    entry,
    ...(root !== undefined && { root }),
    // A confined plugin gets no cache folder, because it could change the translated code of other plugins there.
    ...(permissions ? { permissions } : cacheDir !== undefined && { cacheDir }),
    pluginName: name,
    pluginsDir: directory,
    config,
    dataDir,
    environment,
    notSecretKey: notSecretKey(),
    limits: settings.Limits,
  };
}
