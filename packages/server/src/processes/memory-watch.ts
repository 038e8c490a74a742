import { measureMemory } from '@mortise/process';
import type { Log } from '../log/log.js';

/** How often memory is measured, in milliseconds; a slow measurement is followed by a longer pause. */
interface Pace {
  /** At the processes that are known to belong to plugins. */
  sampleMs: number;
  /** At all of the machine's. */
  allMs: number;
  /** Looking takes at most one part in this of the time, unless the pauses were longer than `allMs` then. */
  share: number;
}

/** While calls are running. */
const BUSY: Pace = { sampleMs: 250, allMs: 2000, share: 20 };
const IDLE: Pace = { sampleMs: 3000, allMs: 30_000, share: 200 };

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
  let pace = IDLE;
  let sampleTookMs = 0;
  let allTookMs = 0;
  let lastAllAt = Number.NEGATIVE_INFINITY;
  let hasFailed = false;
  let isClosed = false;

  function schedule(): void {
    if (isClosed || watched.size === 0) return;
    pace = [...watched.values()].some(({ isBusy }) => isBusy) ? BUSY : IDLE;
    // If there is no cheaper way than to read all processes, the pause is not longer than between two complete readings.
    const delayMs = Math.min(pace.allMs, Math.max(pace.sampleMs, sampleTookMs * pace.share));
    timer = setTimeout(poll, delayMs).unref();
  }

  async function poll(): Promise<void> {
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
    if (startedAt < lastAllAt + Math.max(pace.allMs, allTookMs * pace.share)) {
      const sizes = await measureMemory(pids, 'sample');
      sampleTookMs = performance.now() - startedAt;
      return sizes;
    }
    const sizes = await measureMemory(pids, 'all');
    lastAllAt = performance.now();
    allTookMs = lastAllAt - startedAt;
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
      if (!isBusy || pace === BUSY || timer === undefined) return;
      clearTimeout(timer);
      schedule();
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
