import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type {
  CallChannel,
  PluginDefinition,
  PluginProblem,
  PluginResults,
  PluginWork,
  WatchedResource,
} from '@mortise/plugin/runtime';
import { lowerPriority } from '@mortise/process';
import { CLEAN_UP_MS } from '../../core/grace-period.js';
import type { Runner, RunnerCallbacks } from '../../core/plugin-runner.js';
import type { RestartBackoff } from '../../processes/restart-backoff.js';
import { OnDemand } from '../shared/on-demand.js';
import { PluginUnavailableError, throwIfBlocked, toErrorOutcome } from '../shared/runner-errors.js';
import { WatchedResources } from '../shared/watched-resources.js';
import type { LoadRequest } from '../worker/protocol.js';
import { loadWithTimeout, toLoadProblem } from './load-with-timeout.js';
import type { PluginProcess } from './plugin-process.js';
import type { ProcessPool } from './process-pool.js';

/** The time that a process has to answer a ping before the plugin cleans up. */
const SILENCE_MS = 500;

export interface ProcessRunnerOptions {
  request: LoadRequest;
  callbacks: RunnerCallbacks;
  pool: Pick<ProcessPool, 'take' | 'prepare' | 'prepareNow' | 'setBusy'>;
  backoff: RestartBackoff;
  /** The definition of the last load. */
  definition: PluginDefinition;
  loadTimeoutMs: number;
  /** The process ends after this time without a call. */
  idleMs: number;
  /** Set if the plugin runs under the inspector on this port, without time limits. */
  inspectPort?: number;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  /** Called before a process loads the code. */
  beforeLoad?(): Promise<void>;
  /** Called with the definition after a process has loaded the code. */
  onLoaded?(definition: PluginDefinition): void;
}

/** Runs a plugin in a process of its own, which starts at the first call and again after a crash. */
export class ProcessRunner implements Runner {
  definition: PluginDefinition;
  readonly #options: ProcessRunnerOptions;
  readonly #process: OnDemand<PluginProcess>;
  readonly #watched = new WatchedResources((resources) => this.#watch(resources));

  constructor(options: ProcessRunnerOptions) {
    this.#options = options;
    this.definition = options.definition;
    const { backoff, idleMs, pool, callbacks, request, inspectPort } = options;
    this.#process = new OnDemand<PluginProcess>({
      backoff,
      idleMs,
      start: () => this.#start(),
      end: endProcess,
      setBusy: pool.setBusy,
      isNeeded: () => inspectPort !== undefined || this.#watched.resources.some(this.#hasWatch),
      livenessProbe: () => this.#process.current?.livenessProbe,
      onEnded: (reason) => {
        callbacks.crashed(`the plugin's process ended: ${reason}`);
        this.#watched.watchAgain();
      },
      toProblem: (ended) => toLoadProblem(request.entry, ended),
    });
  }

  async run<W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]> {
    try {
      return await this.#process.use(channel, (process) => {
        throwIfBlocked(this.#options.callbacks);
        return process.run(work, channel);
      });
    } catch (error) {
      return toErrorOutcome(this.#options.request.pluginName, error);
    }
  }

  get watched(): readonly WatchedResource[] {
    return this.#watched.resources;
  }

  /** Starts the plugin if it does not run, because only a running plugin reports changes. */
  watchResource(resource: WatchedResource): void {
    this.#watched.add(resource);
  }

  unwatchResource(uri: string): void {
    this.#watched.delete(uri);
    this.#process.current?.request({ do: 'unwatch', uri }).catch(() => {});
  }

  /** Loads the plugin before its first call, and learns its definition. @returns the problem if it does not load */
  async start(): Promise<PluginProblem | undefined> {
    try {
      await this.#process.use(undefined, async () => {});
      return undefined;
    } catch (error) {
      if (error instanceof PluginUnavailableError) return error.problem;
      throw error;
    }
  }

  /** Starts a process ahead of a call, while the call's arguments are being validated. */
  expectCall(): void {
    if (this.#process.isStopped && this.#options.inspectPort === undefined) this.#options.pool.prepareNow();
  }

  get processId(): number | undefined {
    return this.#process.current?.pid;
  }

  isBlocked(): boolean {
    return this.#process.current?.isBlocked ?? false;
  }

  /** Lets the plugin clean up and ends the process when the running calls have ended. Does not wait for these calls. */
  dispose(): Promise<void> {
    this.#watched.clear();
    return this.#process.dispose();
  }

  /** @throws PluginUnavailableError, ProcessExitedError */
  async #watch(resources: readonly WatchedResource[]): Promise<void> {
    const wanted = resources.filter(this.#hasWatch);
    if (wanted.length === 0) return;
    await this.#process.use(undefined, async (process) => {
      throwIfBlocked(this.#options.callbacks);
      await Promise.all(wanted.map((resource) => process.request({ do: 'watch', ...resource })));
    });
  }

  readonly #hasWatch = ({ key }: WatchedResource): boolean =>
    this.definition.resources.some(({ uri, uriTemplate, watches }) => watches === true && (uri ?? uriTemplate) === key);

  /** @throws PluginUnavailableError, ProcessExitedError */
  async #start(): Promise<PluginProcess> {
    const { pool, callbacks, request, inspectPort, beforeLoad, onLoaded, onOutput } = this.#options;
    await beforeLoad?.();
    const process = pool.take(callbacks.environment, inspectPort === undefined ? request : { inspectPort });
    process.listen({
      onLog: (entry) => callbacks.log(entry),
      onOutput,
      onDefinition: (definition) => this.#update(definition),
      onResourceUpdated: (uri) => callbacks.resourceUpdated(uri),
      onResourceListChanged: () => callbacks.resourceListChanged(),
      onReload: () => void callbacks.reloadPlugins(),
      onSettings: (asked) => callbacks.ownSettings(asked),
    });
    const definition = await this.#load(process);
    lowerPriority(process.pid);
    onLoaded?.(definition);
    await this.#update(definition);
    pool.prepare();
    return process;
  }

  /** @throws PluginUnavailableError, ProcessExitedError */
  async #load(process: PluginProcess): Promise<PluginDefinition> {
    const { request, inspectPort, loadTimeoutMs } = this.#options;
    try {
      const work = { do: 'load', request, known: this.definition } as const;
      const loaded = await (inspectPort === undefined
        ? loadWithTimeout(process, work, { loadTimeoutMs })
        : process.request(work));
      if ('problem' in loaded) throw new PluginUnavailableError(loaded.problem);
      return loaded.definition;
    } catch (error) {
      process.kill('it did not load');
      throw error;
    }
  }

  #update(definition: PluginDefinition): void | Promise<void> {
    if (isDeepStrictEqual(this.definition, definition)) return;
    this.definition = definition;
    return this.#options.callbacks.definitionChanged(definition);
  }
}

/** Lets the plugin clean up, and then kills the process. */
async function endProcess(process: PluginProcess): Promise<void> {
  const silence = setTimeout(() => process.kill('it did not answer'), SILENCE_MS);
  const cleanedUp = process
    .request({ do: 'ping' })
    .then(() => clearTimeout(silence))
    .then(() => process.request({ do: 'dispose' }));
  await Promise.race([cleanedUp.catch(() => {}), delay(CLEAN_UP_MS, undefined, { ref: false })]);
  clearTimeout(silence);
  process.kill('it is no longer needed');
  await process.ended;
}
