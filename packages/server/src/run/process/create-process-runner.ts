import { notSecretKey, type PluginDefinition } from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import type { RunnableCandidate } from '../../core/plugin-candidate.js';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import type { LoadRunner, RunnerCallbacks } from '../../core/plugin-runner.js';
import type { Log } from '../../log/log.js';
import type { DefinitionCache } from '../../plugins/load/definition-cache.js';
import { fingerprintInTurns } from '../../plugins/load/fingerprint.js';
import { moduleProblem } from '../../plugins/load/module-size.js';
import { createRestartBackoff } from '../../processes/restart-backoff.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import type { Settings } from '../../settings/settings.js';
import { PluginUnavailableError } from '../shared/runner-errors.js';
import type { LoadRequest } from '../worker/protocol.js';
import { createDiscoveryQueue } from './discovery-queue.js';
import { createProcessPool } from './process-pool.js';
import { ProcessRunner } from './process-runner.js';

export interface ProcessesOptions {
  settings: Settings['Plugins'];
  log: Log;
  redactor: Redactor;
  cacheDir: string | undefined;
  cached: DefinitionCache;
  reaper: Reaper;
  /** Plugins that run under the inspector, with the port of each. */
  inspect?: ReadonlyMap<string, number>;
  commonEnvironment: () => Readonly<Record<string, string>>;
  /** There is only one plugin: it is called in the process in which its definition was learnt. */
  isOnePlugin?: boolean;
}

const NO_DEFINITION: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };

/** One plugin, one process: the server runs none of their code (docs/spec/plugins.md#processes). */
export interface Processes {
  load: LoadRunner;
  close(): Promise<void>;
}

export function createProcesses(options: ProcessesOptions): Processes {
  const {
    settings,
    log,
    redactor,
    cacheDir,
    cached,
    reaper,
    inspect,
    isOnePlugin = false,
    commonEnvironment,
  } = options;
  const pool = createProcessPool({
    maxMemoryMb: settings.MaxMemoryMb,
    limits: settings.Limits,
    log,
    reaper,
    redactor,
    commonEnvironment,
  });
  const logOutput = (plugin: string, line: string, stream: 'stdout' | 'stderr') =>
    log[stream === 'stdout' ? 'info' : 'warn'](line, { plugin, source: stream });
  const queue = createDiscoveryQueue({
    pool,
    loadTimeoutMs: settings.LoadTimeoutMs,
    onOutput: logOutput,
  });

  async function load(candidate: RunnableCandidate, host: RunnerCallbacks): ReturnType<LoadRunner> {
    const request = loadRequestFor(candidate, host, cacheDir, settings.Limits);
    const cachedDefinition = cached.find(candidate, host.mustReload);
    if (cachedDefinition)
      return {
        runner: runnerOf(candidate, request, host, cachedDefinition.definition),
        fingerprint: cachedDefinition,
        isCached: true,
      };
    const before = await fingerprintInTurns(candidate);
    const problem = moduleProblem(before, settings.Limits);
    if (problem) return { problem };
    if (isOnePlugin) return loadAndKeep(candidate, request, host, before);
    const discovered = await queue.discover(request, host);
    if ('problem' in discovered) return discovered;
    cached.keep(candidate, before, discovered.definition);
    return { runner: runnerOf(candidate, request, host, discovered.definition), fingerprint: before };
  }

  /** Learns the definition in the process that runs the calls: one start of a process less. */
  async function loadAndKeep(
    candidate: RunnableCandidate,
    request: LoadRequest,
    host: RunnerCallbacks,
    before: Fingerprint,
  ): ReturnType<LoadRunner> {
    let isLoaded = false;
    // The catalog hears of changes of the definition that it gets as the answer, and not of that one.
    const definitionChanged = (definition: PluginDefinition) =>
      isLoaded ? host.definitionChanged(definition) : undefined;
    const runner = runnerOf(candidate, request, { ...host, definitionChanged }, NO_DEFINITION);
    const problem = await runner.start();
    isLoaded = true;
    if (!problem) return { runner, fingerprint: before };
    await runner.dispose();
    return { problem };
  }

  function runnerOf(
    candidate: RunnableCandidate,
    request: LoadRequest,
    host: RunnerCallbacks,
    definition: PluginDefinition,
  ): ProcessRunner {
    const inspectPort = inspect?.get(candidate.name);
    let before: Fingerprint;
    return new ProcessRunner({
      request,
      host,
      pool,
      backoff: createRestartBackoff(),
      definition,
      loadTimeoutMs: settings.LoadTimeoutMs,
      idleMs: settings.IdleMs,
      ...(inspectPort !== undefined && { inspectPort }),
      onOutput: (line, stream) => logOutput(candidate.name, line, stream),
      async beforeLoad() {
        before = await fingerprintInTurns(candidate);
        const problem = moduleProblem(before, settings.Limits);
        if (problem) throw new PluginUnavailableError(problem);
        await cached.verifyContents(candidate);
      },
      onLoaded: (real) => cached.keep(candidate, before, real),
    });
  }

  return {
    load,
    close: pool.close,
  };
}

function loadRequestFor(
  { entry, root, name, directory }: RunnableCandidate,
  { config, dataDir, environment }: RunnerCallbacks,
  cacheDir: string | undefined,
  limits: PluginLimits,
): LoadRequest {
  return {
    entry,
    ...(root !== undefined && { root }),
    ...(cacheDir !== undefined && { cacheDir }),
    pluginName: name,
    pluginsDir: directory,
    config,
    dataDir,
    environment,
    notSecretKey: notSecretKey(),
    limits,
  };
}
