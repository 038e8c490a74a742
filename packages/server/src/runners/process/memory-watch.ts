import type { Log } from '../../log.js';
import { measureMemory } from './memory.js';

/** Memory is looked at this often while calls are running, and more seldom while none are. */
const BUSY_MS = 250;
const IDLE_MS = 3000;
/** All processes of the machine are read more seldom than those that are known to belong to plugins. */
const ALL_MS = 2000;
/** Reading all of them takes at most one part in this of the time. */
const ALL_SHARE = 20;

/** A process whose memory is bounded. */
export interface WatchedProcess {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  kill(reason: string): void;
}

/** Ends processes that use more memory than they may, their children's included. */
export interface MemoryWatch {
  /** Watches the process from now on until it ends. */
  add(process: WatchedProcess): void;
  /** Whether calls are running in it. */
  setBusy(process: WatchedProcess, isBusy: boolean): void;
  close(): void;
}

/** @param maxMemoryMb of one process with its children; resident */
export function createMemoryWatch(maxMemoryMb: number, log: Log): MemoryWatch {
  const watched = new Map<WatchedProcess, { isBusy: boolean }>();
  let timer: NodeJS.Timeout | undefined;
  let isSoon = false;
  let nextAllAt = 0;
  let hasFailed = false;
  let isClosed = false;

  function schedule(): void {
    if (isClosed || watched.size === 0) return;
    isSoon = [...watched.values()].some(({ isBusy }) => isBusy);
    timer = setTimeout(look, isSoon ? BUSY_MS : IDLE_MS).unref();
  }

  async function look(): Promise<void> {
    try {
      const sizes = await measure([...watched.keys()].map(({ pid }) => pid));
      for (const process of watched.keys()) endIfTooLarge(process, sizes.get(process.pid) ?? 0);
    } catch (error) {
      if (!hasFailed) log.warn('the memory of plugin processes cannot be measured', { error: String(error) });
      hasFailed = true;
    }
    timer = undefined;
    schedule();
  }

  async function measure(pids: number[]): Promise<Map<number, number>> {
    const startedAt = performance.now();
    if (startedAt < nextAllAt) return measureMemory(pids, 'near');
    const sizes = await measureMemory(pids, 'all');
    const now = performance.now();
    nextAllAt = now + Math.max(ALL_MS, (now - startedAt) * ALL_SHARE);
    return sizes;
  }

  function endIfTooLarge(process: WatchedProcess, bytes: number): void {
    const usedMb = Math.round(bytes / 1024 / 1024);
    if (usedMb > maxMemoryMb) process.kill(`it used ${usedMb} MB of memory; Plugins.MaxMemoryMb allows ${maxMemoryMb}`);
  }

  return {
    add(process) {
      watched.set(process, { isBusy: false });
      void process.ended.then(() => watched.delete(process));
      if (watched.size === 1 && timer === undefined) schedule();
    },
    setBusy(process, isBusy) {
      const entry = watched.get(process);
      if (!entry || entry.isBusy === isBusy) return;
      entry.isBusy = isBusy;
      if (!isBusy || isSoon || timer === undefined) return;
      clearTimeout(timer);
      schedule();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
