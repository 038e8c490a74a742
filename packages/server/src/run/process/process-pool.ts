import { setTimeout as delay } from 'node:timers/promises';
import type { Reaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import type { Log } from '../../log/log.js';
import { ProcessExitedError } from '../../processes/exit-reason.js';
import { MemoryWatch } from '../../processes/memory-watch.js';
import type { PluginLimits } from '../../settings/plugin-limits.js';
import { PluginProcess } from './plugin-process.js';

/** A spare is started a moment after the last one was taken, so that it does not compete with that one's first call. */
const SPARE_DELAY_MS = 150;
/** How far V8's own limit stands behind the measured one. */
const HEAP_FACTOR = 2;
/** How long ended processes may take to be gone, in milliseconds. */
const CLOSE_MS = 2000;
const SHUTTING_DOWN = 'the server is shutting down';

export interface PoolOptions {
  /** The resident memory of a process with its children. */
  maxMemoryMb: number;
  /** The limits of what a process can send. */
  limits: PluginLimits;
  log: Log;
  reaper: Reaper;
  /** The environment of a spare process: each plugin that no setting names can use it. */
  commonEnvironment: () => Readonly<Record<string, string>>;
  /** For what the processes print. */
  redactor: Redactor;
}

/** The processes that run plugins, and one that waits for a plugin. */
export interface ProcessPool {
  /**
   * The spare process if there is one that has nothing but variables of this environment, or else a new one. It counts as busy until `setBusy` says otherwise.
   * @throws ProcessExitedError once the pool is closed
   */
  take(environment: Readonly<Record<string, string>>, options?: { inspectPort?: number }): PluginProcess;
  /** Starts a spare at once, unless there is one. */
  prepareNow(): void;
  /** Starts a spare, soon. */
  prepare(): void;
  /** Tells whether a process has work: its memory is watched more closely then. */
  setBusy(process: PluginProcess, isBusy: boolean): void;
  /** Ends every process; resolves when they are gone. */
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

  function start(env: Readonly<Record<string, string>>, inspectPort?: number): PluginProcess {
    const heapMb = maxMemoryMb * HEAP_FACTOR;
    const process = new PluginProcess(
      { heapMb, limits, env, ...(inspectPort !== undefined && { inspectPort }) },
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
    take(environment, { inspectPort } = {}) {
      if (isClosed) throw new ProcessExitedError(SHUTTING_DOWN, '');
      const fits = inspectPort === undefined && spare?.hasOnly(environment);
      const process = fits ? spare! : start(environment, inspectPort);
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
