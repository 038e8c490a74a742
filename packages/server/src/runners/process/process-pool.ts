import type { Log } from '../../log.js';
import { measureGroups } from './memory.js';
import { type PluginProcess, startPluginProcess } from './plugin-process.js';
import { createReaper } from './reaper.js';

/** Memory is looked at this often while calls are running, and more seldom while none are. */
const WATCH_BUSY_MS = 250;
const WATCH_IDLE_MS = 5000;
/** A spare is started a moment after the last one was taken, so that it does not compete with that one's first call. */
const SPARE_DELAY_MS = 150;
/** How far V8's own limit stands behind the measured one. */
const HEAP_FACTOR = 2;

export interface PoolOptions {
  /** Of a process with its children; resident. */
  maxMemoryMb: number;
  log: Log;
}

/** The processes that run plugins, and one that waits for a plugin. */
export interface ProcessPool {
  /** The spare where there is one, else a new process. */
  take(options?: { inspectPort?: number }): PluginProcess;
  /** Starts a spare, soon. */
  prepare(): void;
  /** Tells the pool whether a process has calls running: it is watched more closely then. */
  setBusy(process: PluginProcess, isBusy: boolean): void;
  /** Ends every process; resolves when they are gone. */
  close(): Promise<void>;
}

export function createProcessPool({ maxMemoryMb, log }: PoolOptions): ProcessPool {
  const reaper = createReaper();
  const taken = new Set<PluginProcess>();
  const busy = new Set<PluginProcess>();
  let spare: PluginProcess | undefined;
  let spareTimer: NodeJS.Timeout | undefined;
  let watchTimer: NodeJS.Timeout | undefined;
  let isClosed = false;

  function start(inspectPort?: number): PluginProcess {
    return startPluginProcess(
      { heapMb: maxMemoryMb * HEAP_FACTOR, ...(inspectPort !== undefined && { inspectPort }) },
      reaper,
    );
  }

  function prepare(): void {
    if (spare || spareTimer || isClosed) return;
    spareTimer = setTimeout(() => {
      spareTimer = undefined;
      if (isClosed) return;
      const started = start();
      spare = started;
      void started.ended.then(() => {
        if (spare === started) spare = undefined;
      });
    }, SPARE_DELAY_MS).unref();
  }

  function watch(): void {
    if (watchTimer || isClosed || taken.size === 0) return;
    watchTimer = setTimeout(look, busy.size > 0 ? WATCH_BUSY_MS : WATCH_IDLE_MS).unref();
  }

  async function look(): Promise<void> {
    try {
      const sizes = await measureGroups([...taken].map(({ pid }) => pid));
      for (const process of taken) {
        const usedMb = Math.round((sizes.get(process.pid) ?? 0) / 1024 / 1024);
        if (usedMb > maxMemoryMb)
          process.kill(`it used ${usedMb} MB of memory; Plugins.MaxMemoryMb allows ${maxMemoryMb}`);
      }
    } catch (error) {
      log.warn('the memory of plugin processes cannot be measured', { error: String(error) });
    }
    watchTimer = undefined;
    watch();
  }

  return {
    take({ inspectPort } = {}) {
      const process = inspectPort === undefined && spare ? spare : start(inspectPort);
      if (process === spare) spare = undefined;
      taken.add(process);
      void process.ended.then(() => {
        taken.delete(process);
        busy.delete(process);
      });
      watch();
      return process;
    },
    prepare,
    setBusy(process, isBusy) {
      if (!isBusy) return void busy.delete(process);
      if (busy.size === 0) {
        clearTimeout(watchTimer);
        watchTimer = undefined;
      }
      busy.add(process);
      watch();
    },
    async close() {
      isClosed = true;
      clearTimeout(spareTimer);
      clearTimeout(watchTimer);
      const all = [...taken, ...(spare ? [spare] : [])];
      for (const process of all) process.kill('the server is shutting down');
      await Promise.all(all.map(({ ended }) => ended));
      reaper.close();
    },
  };
}
