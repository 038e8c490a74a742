import { statSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { type DotnetSearchOptions, findDotnet } from '@mortise/dotnet/find-dotnet';
import type { JsonObject, JsonValue } from '@mortise/plugin';
import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import { lowerPriority, type Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import { CLEAN_UP_MS } from '../../core/grace-period.js';
import type { RunnableCandidate } from '../../core/plugin-candidate.js';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import type { LoadedRunner, LoadRunner, RunnerCallbacks } from '../../core/plugin-runner.js';
import type { Log } from '../../log/log.js';
import { assemblyProblem } from '../../plugins/find/plugin-assembly.js';
import type { DefinitionCache } from '../../plugins/load/definition-cache.js';
import { fingerprint } from '../../plugins/load/fingerprint.js';
import { moduleProblem } from '../../plugins/load/module-size.js';
import { MemoryWatch } from '../../processes/memory-watch.js';
import { createRestartBackoff } from '../../processes/restart-backoff.js';
import type { Settings } from '../../settings/settings.js';
import { realPath, tryOs } from '../../util/ignore-os-errors.js';
import { SlotQueue } from '../../util/slot-queue.js';
import { MountedRunner } from '../mounted/mcp-client-runner.js';
import type { ProcessSupervisor } from '../mounted/process-supervisor.js';
import type { ProcessMeter } from '../shared/load-clock.js';
import { PluginUnavailableError } from '../shared/runner-errors.js';
import { withLoadTimeout } from '../shared/with-load-timeout.js';
import { createCrashCause } from './crash-cause.js';
import { findPluginHost, hostArguments } from './find-plugin-host.js';
import { needsAspNetCore } from './framework.js';
import { hostLogEntry, hostMeta, hostOutcome } from './host-messages.js';
import { flatConfig, settingsProblem } from './plugin-config.js';
import { DOTNET_TIMEOUT_HINT, missingPart, parseHostProblems, toStartProblem } from './problems.js';

const NOTHING: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };
/** The maximum number of plugins that are loaded at the same time. Each load starts .NET. */
const MAX_CONCURRENT_LOADS = Math.min(4, availableParallelism());
/** A build writes several files, so a plugin is loaded only after no file was written for this time. */
const QUIET_MS = 150;
/** The longest wait for a build to finish writing. */
const MAX_WRITING_MS = 3000;

export interface DotnetOptions {
  settings: Settings;
  log: Log;
  redactor: Redactor;
  cache: DefinitionCache;
  reaper: Reaper;
}

/**
 * Loads C# plugins. Each is run like a mounted server, whose command is `dotnet` with the plugin host
 * (docs/spec/csharp-plugins.md#csharp-plugins).
 */
export class DotnetPlugins {
  readonly #options: DotnetOptions;
  readonly #search: DotnetSearchOptions;
  readonly #memory: MemoryWatch;
  readonly #slots = new SlotQueue({ maxRunning: MAX_CONCURRENT_LOADS });
  readonly #discover: LoadRunner;

  constructor(options: DotnetOptions) {
    const { Plugins, Dotnet } = options.settings;
    this.#options = options;
    this.#search = { setting: Dotnet.Path, env: process.env, platform: process.platform };
    this.#memory = new MemoryWatch(Plugins.MaxMemoryMb, options.log);
    this.#discover = withLoadTimeout((...args) => this.#discoverNow(...args), {
      loadTimeoutMs: Plugins.LoadTimeoutMs,
      hint: DOTNET_TIMEOUT_HINT,
      hasProcess: () => true,
    });
  }

  /** Loads a plugin. If its definition is cached, no process starts. */
  readonly load: LoadRunner = async (candidate, callbacks) => {
    const cached = this.#options.cache.find(candidate, callbacks.mustReload);
    if (!cached) return this.#slots.run(() => this.#discover(candidate, callbacks));
    const config = await configFor(candidate, callbacks);
    if ('problem' in config) return config;
    const { runner } = this.#runnerOf(candidate, callbacks, { ...config, definition: cached.definition });
    const missing = missingPart(candidate.entry, this.#search);
    if (missing) runner.showUnavailable(missing);
    // The missing part may be installed before the next reload, which must then load the plugin again.
    return { runner, fingerprint: missing ? NEVER : cached, isCached: true };
  };

  close(): void {
    this.#memory.close();
  }

  async #discoverNow(
    candidate: RunnableCandidate,
    callbacks: RunnerCallbacks,
    meter: ProcessMeter | undefined,
  ): Promise<LoadedRunner> {
    await untilComplete(candidate);
    const config = await configFor(candidate, callbacks);
    if ('problem' in config) return config;
    const { runner, fingerprintAtLoad } = this.#runnerOf(candidate, callbacks, {
      ...config,
      definition: NOTHING,
      meter,
    });
    try {
      await runner.open();
    } catch (error) {
      if (!(error instanceof PluginUnavailableError)) throw error;
      return { problem: error.problem };
    }
    // End the process, because it may never be needed. The first call starts it again.
    void runner.closeIfIdle();
    return { runner, fingerprint: fingerprintAtLoad() };
  }

  #runnerOf(candidate: RunnableCandidate, callbacks: RunnerCallbacks, { config, definition, meter }: Opening) {
    const { settings, log, redactor, cache, reaper } = this.#options;
    const { Plugins } = settings;
    const { name, entry: file } = candidate;
    let before = fingerprint(candidate);
    const runner = new MountedRunner({
      entry: commandOf(file, this.#search, config),
      lists: {
        file,
        prefix: '',
        origin: 'dotnet',
        problemsOf: (page) => parseHostProblems(page, file),
        rejectReason: whyNotLoaded,
      },
      callbacks,
      reaper,
      redactor,
      limits: Plugins.Limits,
      backoff: createRestartBackoff(),
      definition,
      idleMs: Plugins.IdleMs,
      loadTimeoutMs: Plugins.LoadTimeoutMs,
      onStarted: (pid) => meter?.watch(pid),
      supervisor: supervisorOf(this.#memory, config),
      argumentsFor: (args) => args && wellFormed(args),
      metaFor: hostMeta,
      outcomeOf: hostOutcome,
      onOutput(line, stream) {
        const entry = hostLogEntry(line);
        if (entry !== undefined) callbacks.log(entry);
        else log[stream === 'stdout' ? 'info' : 'warn'](line, { plugin: name, source: stream });
      },
      onOpening: () => {
        before = fingerprint(candidate);
        const problem =
          moduleProblem(before, Plugins.Limits) ?? assemblyProblem(file) ?? missingPart(file, this.#search);
        if (problem) throw new PluginUnavailableError(problem);
      },
      onListed: (listed) => cache.keep(candidate, before, listed),
      onEnded: (reason) => callbacks.crashed(`the plugin's process ended: ${reason}`),
      toProblem: (ended) => toStartProblem(file, this.#search, ended),
    });
    return { runner, fingerprintAtLoad: () => before };
  }
}

/** The input for the start of a plugin. */
interface Opening {
  /** The values that `GetConfig` reads. */
  readonly config: Record<string, string>;
  /** The last known definition. */
  readonly definition: PluginDefinition;
  readonly meter?: ProcessMeter | undefined;
}

/** Reads the settings of the plugin. From then on a reload notices changes of the plugin's section. */
async function configFor(
  { entry }: RunnableCandidate,
  callbacks: RunnerCallbacks,
): Promise<Pick<Opening, 'config'> | { problem: PluginProblem }> {
  const settings = await callbacks.ownSettings({ secrets: [] });
  if ('problem' in settings) return settings;
  const problem = settingsProblem(settings, entry);
  return problem ? { problem } : { config: flatConfig(callbacks.config) };
}

/** Returns the problem of an assembly that provides no tool because it could not be loaded; otherwise undefined. */
function whyNotLoaded({ tools, problems }: PluginDefinition): PluginProblem | undefined {
  if (tools.length > 0) return undefined;
  return problems.find(({ severity, location }) => severity === 'error' && location.subject === undefined);
}

/** A fingerprint that no files have. */
const NEVER: Fingerprint = { files: [], stateHash: '' };

function commandOf(file: string, dotnetOptions: DotnetSearchOptions, config: Record<string, string>) {
  const command = findDotnet(dotnetOptions) ?? 'dotnet';
  const bytes = Buffer.byteLength(`${JSON.stringify(config)}\n`);
  const env = { MORTISE_PLUGIN_CONFIG: `stdin:${bytes}` };
  return {
    command,
    env,
    /** A getter, because the arguments depend on files that can change between two starts of the plugin. */
    get args() {
      return ['exec', ...hostArguments(findPluginHost() ?? '', needsAspNetCore(file)), realPath(file)];
    },
  };
}

/** Limits the memory and the priority of the plugin's process (docs/spec/plugin-processes.md#memory). */
function supervisorOf(memory: MemoryWatch, config: Record<string, string>): ProcessSupervisor {
  let setBusy = (_isBusy: boolean) => {};
  let loaded = () => {};
  let crash = createCrashCause();
  return {
    shutdownMs: CLEAN_UP_MS,
    started(process) {
      crash = createCrashCause();
      const { pid, ended } = process;
      if (pid === null) return;
      // The configuration goes to stdin before MCP begins: an environment has a size limit, and others can see it.
      void process.send(config);
      loaded = () => lowerPriority(pid);
      const watched = { pid, ended, kill: (reason: string) => process.kill(reason) };
      memory.add(watched);
      memory.setBusy(watched, true);
      setBusy = (isBusy) => memory.setBusy(watched, isBusy);
    },
    loaded: () => loaded(),
    setBusy: (isBusy) => setBusy(isBusy),
    onOutput: (line) => crash.onOutput(line),
    cause: () => crash.message(),
  };
}

/** Waits until the plugin's files are no longer being written. */
async function untilComplete(candidate: RunnableCandidate): Promise<void> {
  const deadline = Date.now() + MAX_WRITING_MS;
  for (;;) {
    const quietMs = Date.now() - lastChange(fingerprint(candidate).files);
    // A negative time means that the clock was set back.
    if (quietMs < 0 || quietMs >= QUIET_MS || Date.now() > deadline) return;
    await delay(QUIET_MS - quietMs, undefined, { ref: false });
  }
}

function lastChange(files: readonly string[]): number {
  const times = files.map((file) => tryOs(() => statSync(file, { throwIfNoEntry: false }))?.ctimeMs ?? 0);
  return Math.max(0, ...times);
}

/** With the flag `u`, this matches no surrogate that is half of a pair. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** Returns a copy with U+FFFD in place of each lone surrogate, which JavaScript allows in JSON and .NET refuses to read. */
function wellFormed(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [inText(name), inValue(value)]));
}

function inValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return inText(value);
  if (Array.isArray(value)) return value.map(inValue);
  return typeof value === 'object' && value !== null ? wellFormed(value) : value;
}

const inText = (text: string) => text.replace(LONE_SURROGATE, '\uFFFD');
