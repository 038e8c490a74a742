import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@mortise/plugin';
import type {
  CallChannel,
  Completion,
  CompletionRef,
  ErrorOutcome,
  Outcome,
  PluginDefinition,
  PromptOutcome,
  ReadOutcome,
} from '@mortise/plugin/runtime';
import type { Runner, RunnerCallbacks } from '../../core/plugin-runner.js';
import type { LoadRequest, WorkerRequest, WorkerResponse } from '../../plugin-worker/protocol.js';
import { lowerPriority } from '../../processes/priority.js';
import type { RestartBackoff } from '../../processes/restart-backoff.js';
import {
  PluginUnavailableError,
  ProcessExitedError,
  raceWithAbort,
  throwIfBlocked,
  toErrorOutcome,
} from '../shared/runner-errors.js';
import { loadWithTimeout, toLoadProblem } from './load-with-timeout.js';
import { callMeta, type PluginProcess } from './plugin-process.js';
import type { ProcessPool } from './process-pool.js';

/** How long a plugin may clean up before its process is ended, in milliseconds. */
const DISPOSE_MS = 2000;
/** How long a process has to answer at all when it is to clean up, in milliseconds. */
const SILENCE_MS = 500;

export interface ProcessRunnerOptions {
  request: LoadRequest;
  host: RunnerCallbacks;
  pool: Pick<ProcessPool, 'take' | 'prepare' | 'setBusy'>;
  backoff: RestartBackoff;
  /** What the plugin offered when it was last loaded. */
  definition: PluginDefinition;
  loadTimeoutMs: number;
  /** Without a call for this long the process ends. */
  idleMs: number;
  /** Runs under the inspector on this port, without deadlines of ours. */
  inspectPort?: number;
  onOutput(line: string, stream: 'stdout' | 'stderr'): void;
  /** Before a process loads the code. */
  beforeLoad?(): Promise<void>;
  /** What the code offers now that it was loaded. */
  onLoaded?(definition: PluginDefinition): void;
}

/** Runs a plugin in a process of its own, which starts at the first call and again after a crash. */
export class ProcessRunner implements Runner {
  definition: PluginDefinition;
  readonly #options: ProcessRunnerOptions;
  /** With the plugin loaded. */
  #process: PluginProcess | undefined;
  #starting: Promise<PluginProcess> | undefined;
  #unavailable: PluginUnavailableError | undefined;
  #running = 0;
  #idleSince = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: ProcessRunnerOptions) {
    this.#options = options;
    this.definition = options.definition;
  }

  callTool(name: string, args: JsonObject | undefined, channel: CallChannel): Promise<Outcome> {
    return this.#do({ do: 'call', name, args: args ?? {}, meta: callMeta(channel) }, channel);
  }

  readResource(
    key: string,
    uri: string,
    variables: Record<string, string>,
    channel: CallChannel,
  ): Promise<ReadOutcome> {
    return this.#do({ do: 'read', key, uri, variables, meta: callMeta(channel) }, channel);
  }

  getPrompt(name: string, args: Record<string, string>, channel: CallChannel): Promise<PromptOutcome> {
    return this.#do({ do: 'prompt', name, args, meta: callMeta(channel) }, channel);
  }

  async complete(
    ref: CompletionRef,
    argument: string,
    value: string,
    knownArguments: Record<string, string>,
    channel: CallChannel,
  ): Promise<Completion> {
    const outcome = await this.#do(
      { do: 'complete', ref, argument, value, knownArguments, meta: callMeta(channel) },
      channel,
    );
    return 'values' in outcome ? outcome : { values: [] };
  }

  charge(ms: number): void {
    this.#process?.charge(ms);
  }

  isBlocked(): boolean {
    return this.#process?.isBlocked ?? false;
  }

  /** Cleans up and ends the process, once the running calls have ended; does not wait for those. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#idleTimer);
    if (this.#running === 0) await this.#end();
  }

  async #do<W extends WorkerRequest>(work: W, channel: CallChannel): Promise<WorkerResponse[W['do']] | ErrorOutcome> {
    this.#running += 1;
    try {
      // A call that comes while it is not known whether the process still answers does not end with it.
      if (this.#process?.livenessProbe) await raceWithAbort(this.#process.livenessProbe, channel);
      const process = this.#process ?? (await raceWithAbort(this.#ready(), channel));
      throwIfBlocked(this.#options.host);
      if (this.#running === 1) this.#options.pool.setBusy(process, true);
      return await process.request(work, channel);
    } catch (error) {
      return toErrorOutcome(this.#options.request.pluginName, error);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) this.#scheduleIdleClose();
    }
  }

  /** The process with the plugin loaded, for all who wait for it. */
  #ready(): Promise<PluginProcess> {
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
      if (this.#running === 0) this.#scheduleIdleClose();
    });
    return this.#starting;
  }

  /** Waits out the pause after crashes. */
  async #start(): Promise<PluginProcess> {
    const { pool, host, inspectPort, beforeLoad, onLoaded, backoff } = this.#options;
    const delayMs = backoff.nextMs();
    if (delayMs > 0 && this.#unavailable) throw this.#unavailable;
    if (delayMs > 0) await delay(delayMs, undefined, { ref: false });
    await beforeLoad?.();
    const process = pool.take(inspectPort === undefined ? {} : { inspectPort });
    if (backoff.crashedRecently()) lowerPriority(process.pid, true);
    process.listen({
      onLog: (entry) => host.log(entry),
      onOutput: this.#options.onOutput,
      onDefinition: (definition) => this.#update(definition),
      onResourceUpdated: (uri) => host.resourceUpdated(uri),
      onReload: () => void host.reloadPlugins(),
    });
    const definition = await this.#load(process);
    const loadedAt = performance.now();
    this.#process = process;
    void process.ended.then(({ reason }) => this.#ended(process, reason, performance.now() - loadedAt));
    onLoaded?.(definition);
    this.#update(definition);
    pool.prepare();
    return process;
  }

  /** @throws PluginUnavailableError */
  async #load(process: PluginProcess): Promise<PluginDefinition> {
    const { request, inspectPort, loadTimeoutMs, backoff } = this.#options;
    try {
      const work = { do: 'load', request } as const;
      const loaded = await (inspectPort === undefined
        ? loadWithTimeout(process, work, { loadTimeoutMs })
        : process.request(work));
      if ('problem' in loaded) throw new PluginUnavailableError(loaded.problem);
      this.#unavailable = undefined;
      return loaded.definition;
    } catch (error) {
      process.kill('it did not load');
      backoff.crashed(0);
      if (!(error instanceof ProcessExitedError || error instanceof PluginUnavailableError)) throw error;
      this.#unavailable =
        error instanceof PluginUnavailableError
          ? error
          : new PluginUnavailableError(toLoadProblem(request.entry, error, loadTimeoutMs));
      throw this.#unavailable;
    }
  }

  #ended(process: PluginProcess, reason: string, ranMs: number): void {
    if (this.#process !== process) return;
    this.#process = undefined;
    const { backoff, host } = this.#options;
    backoff.crashed(ranMs);
    const delayMs = Math.round(backoff.nextMs());
    const suffix = delayMs === 0 ? '' : `; it is not started again for ${delayMs} ms`;
    host.log({ level: 'error', message: `the plugin's process ended: ${reason}${suffix}` });
  }

  #update(definition: PluginDefinition): void {
    if (isDeepStrictEqual(this.definition, definition)) return;
    this.definition = definition;
    this.#options.host.definitionChanged(definition);
  }

  #scheduleIdleClose(): void {
    if (!this.#process) return;
    this.#options.pool.setBusy(this.#process, false);
    if (this.#isDisposed) void this.#end();
    else if (this.#options.inspectPort === undefined) {
      this.#idleSince = performance.now();
      this.#idleTimer ??= setTimeout(this.#endIfIdle, this.#options.idleMs).unref();
    }
  }

  /** The timer is left alone by the calls that come meanwhile, and looks again: thousands may come in a second. */
  readonly #endIfIdle = () => {
    this.#idleTimer = undefined;
    if (!this.#process || this.#running > 0) return;
    const leftMs = this.#idleSince + this.#options.idleMs - performance.now();
    if (leftMs <= 0) void this.#end();
    else this.#idleTimer = setTimeout(this.#endIfIdle, leftMs).unref();
  };

  /** Lets the plugin clean up, and ends the process; the next call starts another. */
  async #end(): Promise<void> {
    const process = this.#process;
    if (!process) return;
    this.#process = undefined;
    const silence = setTimeout(() => process.kill('it did not answer'), SILENCE_MS);
    const cleanedUp = process
      .request({ do: 'ping' })
      .then(() => clearTimeout(silence))
      .then(() => process.request({ do: 'dispose' }));
    await Promise.race([cleanedUp.catch(() => {}), delay(DISPOSE_MS, undefined, { ref: false })]);
    clearTimeout(silence);
    process.kill('it is no longer needed');
    await process.ended;
  }
}
