import { setTimeout as delay } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@mortise/plugin';
import type {
  CallPort,
  CompletionRef,
  ErrorOutcome,
  Outcome,
  PluginDefinition,
  PluginHost,
  PluginProblem,
  PromptOutcome,
  ReadOutcome,
} from '@mortise/plugin/host';
import { GRACE_MS } from '../../call/run.js';
import { failure } from '../../contract/error-outcomes.js';
import type { LoadOrder, Work, WorkResult } from '../../plugin-process/wire.js';
import type { Runner } from '../runner.js';
import { createCrashPauses } from './crash-pauses.js';
import { onEnd, type PluginProcess, ProcessEnded, termsOf } from './plugin-process.js';
import type { ProcessPool } from './process-pool.js';

/** How long a process whose call is over its grace has to answer a ping, in milliseconds (plugins.md §5). */
const PING_MS = 500;
/** How long a plugin may clean up before its process is ended, in milliseconds. */
const DISPOSE_MS = 2000;

export interface ProcessRunnerOptions {
  order: LoadOrder;
  host: PluginHost;
  pool: ProcessPool;
  /** What the plugin offered when it was last loaded. */
  definition: PluginDefinition;
  loadTimeoutMs: number;
  /** Without a call for this long the process ends. */
  idleMs: number;
  /** Runs under the inspector on this port, without deadlines of ours. */
  inspectPort?: number;
  onPrint(line: string, stream: 'stdout' | 'stderr'): void;
  /** Before a process loads the code. */
  beforeLoad?(): void;
}

/** The plugin does not load any more. */
class Unavailable extends Error {
  constructor(readonly problem: PluginProblem) {
    super(problem.message);
  }
}

/** Runs a plugin in a process of its own, which starts at the first call and again after a crash. */
export class ProcessRunner implements Runner {
  definition: PluginDefinition;
  readonly #options: ProcessRunnerOptions;
  readonly #pauses = createCrashPauses();
  #process: Promise<PluginProcess> | undefined;
  #running = 0;
  #idleTimer: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(options: ProcessRunnerOptions) {
    this.#options = options;
    this.definition = options.definition;
  }

  callTool(name: string, args: JsonObject, port: CallPort): Promise<Outcome> {
    return this.#do({ do: 'call', name, args, terms: termsOf(port) }, port);
  }

  readResource(key: string, uri: string, variables: Record<string, string>, port: CallPort): Promise<ReadOutcome> {
    return this.#do({ do: 'read', key, uri, variables, terms: termsOf(port) }, port);
  }

  getPrompt(name: string, args: Record<string, string>, port: CallPort): Promise<PromptOutcome> {
    return this.#do({ do: 'prompt', name, args, terms: termsOf(port) }, port);
  }

  async complete(
    ref: CompletionRef,
    argument: string,
    value: string,
    given: Record<string, string>,
  ): Promise<string[]> {
    const values = await this.#do({ do: 'complete', ref, argument, value, given });
    return Array.isArray(values) ? values : [];
  }

  /** Waits for running calls to end on this code, then cleans up and ends the process. */
  async dispose(): Promise<void> {
    this.#isDisposed = true;
    clearTimeout(this.#idleTimer);
    const process = await this.#process?.catch(() => undefined);
    if (process && this.#running === 0) await this.#end(process);
  }

  async #do<W extends Work>(work: W, port?: CallPort): Promise<WorkResult[W['do']] | ErrorOutcome> {
    this.#running += 1;
    clearTimeout(this.#idleTimer);
    let process: PluginProcess | undefined;
    try {
      process = await this.#ready(port);
      if (this.#running === 1) this.#options.pool.setBusy(process, true);
      const guard = this.#guardAgainstSilence(process, port);
      try {
        return await process.request(work, port);
      } finally {
        guard.stop();
      }
    } catch (error) {
      return this.#explain(error);
    } finally {
      this.#running -= 1;
      if (this.#running === 0 && process) this.#rest(process);
    }
  }

  /** The process with the plugin loaded; waits out the pause after crashes. */
  #ready(port?: CallPort): Promise<PluginProcess> {
    if (!this.#process) {
      const starting = this.#start(port);
      this.#process = starting;
      const forget = () => {
        if (this.#process === starting) this.#process = undefined;
      };
      starting.then(({ ended }) => void ended.then(forget), forget);
    }
    return this.#process;
  }

  async #start(port?: CallPort): Promise<PluginProcess> {
    const { pool, order, host, inspectPort, loadTimeoutMs, beforeLoad } = this.#options;
    const pauseMs = this.#pauses.nextMs();
    if (pauseMs > 0) await delay(pauseMs, undefined, port ? { signal: port.signal } : {});
    beforeLoad?.();
    const process = pool.take(inspectPort === undefined ? {} : { inspectPort });
    process.listen({
      onLog: (entry) => host.log(entry),
      onPrint: this.#options.onPrint,
      onDefinition: (definition) => this.#update(definition),
      onResourceUpdated: (uri) => host.resourceUpdated(uri),
      onReload: () => void host.reloadPlugins(),
    });
    const timer =
      inspectPort === undefined
        ? setTimeout(() => process.kill(`it did not load within ${loadTimeoutMs} ms`), loadTimeoutMs)
        : undefined;
    try {
      const loaded = await process.request({ do: 'load', order });
      if ('problem' in loaded) {
        process.kill('it did not load');
        throw new Unavailable(loaded.problem);
      }
      this.#pauses.started();
      void process.ended.then(({ reason }) => this.#ended(reason));
      this.#update(loaded.definition);
      pool.prepare();
      return process;
    } catch (error) {
      if (error instanceof ProcessEnded) this.#pauses.crashed();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #ended(reason: string): void {
    if (reason === ENDED_BY_US || this.#isDisposed) return;
    this.#pauses.crashed();
    this.#options.host.log({ level: 'error', message: `the plugin's process ended: ${reason}` });
  }

  #update(definition: PluginDefinition): void {
    if (isDeepStrictEqual(this.definition, definition)) return;
    this.definition = definition;
    this.#options.host.definitionChanged(definition);
  }

  /** A call that its deadline or its client has ended goes on over there: a process that answers no ping is ended. */
  #guardAgainstSilence(process: PluginProcess, port: CallPort | undefined): { stop(): void } {
    if (!port || this.#options.inspectPort !== undefined) return { stop() {} };
    let timer: NodeJS.Timeout | undefined;
    const kill = () => process.kill(`it did not answer for ${PING_MS} ms after a call in it had to end`);
    const ping = () => {
      timer = setTimeout(kill, PING_MS);
      process.request({ do: 'ping' }).then(
        () => clearTimeout(timer),
        () => clearTimeout(timer),
      );
    };
    let isStopped = false;
    onEnd(port, () => {
      if (!isStopped) timer = setTimeout(ping, GRACE_MS);
    });
    return {
      stop() {
        isStopped = true;
        clearTimeout(timer);
      },
    };
  }

  #rest(process: PluginProcess): void {
    this.#options.pool.setBusy(process, false);
    if (this.#isDisposed) return void this.#end(process);
    this.#idleTimer = setTimeout(() => void this.#end(process), this.#options.idleMs).unref();
  }

  async #end(process: PluginProcess): Promise<void> {
    this.#process = undefined;
    await Promise.race([
      process.request({ do: 'dispose' }).catch(() => {}),
      delay(DISPOSE_MS, undefined, { ref: false }),
    ]);
    process.kill(ENDED_BY_US);
    await process.ended;
  }

  #explain(error: unknown): ErrorOutcome {
    const { pluginName } = this.#options.order;
    if (error instanceof Unavailable) {
      const { code, message, hint, place } = error.problem;
      return failure('PLUGIN_UNAVAILABLE', `The plugin '${pluginName}' does not load: ${message}`, {
        hint,
        data: { exitCode: -1, additionalData: { plugin: pluginName, code, file: place.file } },
      });
    }
    if (error instanceof ProcessEnded) {
      return failure('PLUGIN_CRASHED', `The plugin '${pluginName}' ended during the call: ${error.reason}`, {
        rawOutput: error.output,
        data: { exitCode: -1, additionalData: { plugin: pluginName } },
      });
    }
    if (error instanceof Error && error.name === 'AbortError') {
      return failure('OPERATION_CANCELLED', 'The call was ended while the plugin was being started');
    }
    throw error;
  }
}

const ENDED_BY_US = 'it was idle';
