import { setTimeout as delay } from 'node:timers/promises';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import type { Log } from '../../log/log.js';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import { MemoryWatch } from '../../processes/memory-watch.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import { PluginProcess } from './plugin-process.js';

/** The pause before a new spare process starts, so that it does not slow the first call in the process that was taken. */
const SPARE_DELAY_MS = 150;
/** V8's own heap limit as a multiple of `maxMemoryMb`. It is only a second line of defence. */
const HEAP_FACTOR = 2;
/** The time that killed processes have to disappear. */
const CLOSE_MS = 2000;
const SHUTTING_DOWN = 'the server is shutting down';

export interface PoolOptions {
  /** The limit for the resident memory of a process and its children. */
  maxMemoryMb: number;
  /** The limits of what a process can send. */
  limits: PluginLimits;
  log: Log;
  reaper: Reaper;
  /** The environment of a spare process, which every plugin without settings of its own can use. */
  commonEnvironment: () => Readonly<Record<string, string>>;
  /** Redacts the output of the processes. */
  redactor: Redactor;
}

interface TakeOptions {
  readonly inspectPort?: number;
  /** The options of Node.js that confine the process. A confined process is never the spare one. */
  readonly permissions?: readonly string[];
}

/** The processes that run plugins, and a spare one that waits for a plugin. */
export interface ProcessPool {
  /**
   * Takes the spare process if its variables fit this environment, or starts a new one. The process counts as busy until
   * `setBusy` says otherwise.
   * @throws ProcessExitedError if the pool is closed
   */
  take(environment: Readonly<Record<string, string>>, options?: TakeOptions): PluginProcess;
  /** Starts a spare process immediately, unless there is one. */
  prepareNow(): void;
  /** Starts a spare process after a short pause, unless there is one. */
  prepare(): void;
  /** Notes whether a process has work. The memory of a busy process is measured more often. */
  setBusy(process: PluginProcess, isBusy: boolean): void;
  /** Kills every process. Resolves when they have ended, or after two seconds. */
  close(): Promise<void>;
}

export function createProcessPool({
  maxMemoryMb,
  limits,
  log,
  reaper,
  redactor,
  commonEnvironment,
}: PoolOptions): ProcessPool {
  const memory = new MemoryWatch(maxMemoryMb, log);
  const all = new Set<PluginProcess>();
  let spare: PluginProcess | undefined;
  let spareTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(env: Readonly<Record<string, string>>, options: TakeOptions = {}): PluginProcess {
    const { inspectPort, permissions } = options;
    const heapMb = maxMemoryMb * HEAP_FACTOR;
    const process = new PluginProcess(
      { heapMb, limits, env, ...(inspectPort !== undefined && { inspectPort }), ...(permissions && { permissions }) },
      { reaper, redactor },
    );
    all.add(process);
    void process.ended.then(() => {
      all.delete(process);
      if (spare === process) spare = undefined;
    });
    return process;
  }

  return {
    take(environment, options = {}) {
      if (isClosed) throw new ProcessExitedError(SHUTTING_DOWN, '');
      const { inspectPort, permissions } = options;
      const fits = inspectPort === undefined && permissions === undefined && spare?.canServe(environment);
      const process = fits ? spare! : start(environment, options);
      if (process === spare) spare = undefined;
      memory.add(process);
      memory.setBusy(process, true);
      return process;
    },
    prepareNow() {
      if (!isClosed) spare ??= start(commonEnvironment());
    },
    prepare() {
      if (spare || spareTimer || isClosed) return;
      spareTimer = setTimeout(() => {
        spareTimer = undefined;
        spare ??= start(commonEnvironment());
      }, SPARE_DELAY_MS).unref();
    },
    setBusy: (process, isBusy) => memory.setBusy(process, isBusy),
    async close() {
      isClosed = true;
      clearTimeout(spareTimer);
      memory.close();
      for (const process of all) process.kill(SHUTTING_DOWN);
      const exited = Promise.all([...all].map(({ ended }) => ended));
      await Promise.race([exited, delay(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
