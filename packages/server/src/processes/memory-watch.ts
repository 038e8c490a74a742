import { measureMemory } from '@mortise/process';
import type { Log } from '../log/log.js';

/** The pauses between two measurements. */
interface Pace {
  /** The pause between measurements of the processes that are known to belong to plugins. */
  sampleMs: number;
  /** The pause between measurements of all processes of the machine. */
  allMs: number;
  /** After a slow measurement the pause is this many times its duration; between samples it is `allMs` at most. */
  pauseFactor: number;
}

/** The pace while calls are running. */
const BUSY: Pace = { sampleMs: 250, allMs: 2000, pauseFactor: 20 };
/** The pace while no call is running. */
const IDLE: Pace = { sampleMs: 3000, allMs: 30_000, pauseFactor: 200 };

/** A process whose memory is limited. */
export interface WatchedProcess {
  readonly pid: number;
  readonly ended: Promise<unknown>;
  kill(reason: string): void;
}

/** Kills processes that, together with their children, use more memory than the limit. */
export class MemoryWatch {
  readonly #maxMemoryMb: number;
  readonly #log: Log;
  readonly #watched = new Map<WatchedProcess, { isBusy: boolean }>();
  #timer: NodeJS.Timeout | undefined;
  #pace = IDLE;
  #sampleTookMs = 0;
  #allTookMs = 0;
  #lastAllAt = Number.NEGATIVE_INFINITY;
  #hasFailed = false;
  #isClosed = false;

  /** @param maxMemoryMb the limit for the resident memory of one process with its children */
  constructor(maxMemoryMb: number, log: Log) {
    this.#maxMemoryMb = maxMemoryMb;
    this.#log = log;
  }

  /** Watches a process until it ends. */
  add(process: WatchedProcess): void {
    this.#watched.set(process, { isBusy: false });
    void process.ended.then(() => this.#watched.delete(process));
    if (this.#watched.size === 1 && this.#timer === undefined) this.#schedule();
  }

  /** Notes whether calls are running in a process. While any are, all processes are measured more often. */
  setBusy(process: WatchedProcess, isBusy: boolean): void {
    const entry = this.#watched.get(process);
    if (!entry || entry.isBusy === isBusy) return;
    entry.isBusy = isBusy;
    if (!isBusy || this.#pace === BUSY || this.#timer === undefined) return;
    clearTimeout(this.#timer);
    this.#schedule();
  }

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isClosed || this.#watched.size === 0) return;
    this.#pace = [...this.#watched.values()].some(({ isBusy }) => isBusy) ? BUSY : IDLE;
    const { sampleMs, allMs, pauseFactor } = this.#pace;
    // On some platforms a sample is as slow as a measurement of all processes; its pause is `allMs` at most even then.
    const delayMs = Math.min(allMs, Math.max(sampleMs, this.#sampleTookMs * pauseFactor));
    this.#timer = setTimeout(() => void this.#poll(), delayMs).unref();
  }

  async #poll(): Promise<void> {
    try {
      const sizes = await this.#measure([...this.#watched.keys()].map(({ pid }) => pid));
      for (const process of this.#watched.keys()) this.#endIfTooLarge(process, sizes.get(process.pid) ?? 0);
    } catch (error) {
      if (!this.#hasFailed)
        this.#log.warn('the memory of plugin processes cannot be measured', { error: String(error) });
      this.#hasFailed = true;
    }
    this.#timer = undefined;
    this.#schedule();
  }

  async #measure(pids: number[]): Promise<Map<number, number>> {
    const { allMs, pauseFactor } = this.#pace;
    const startedAt = performance.now();
    if (startedAt < this.#lastAllAt + Math.max(allMs, this.#allTookMs * pauseFactor)) {
      const sizes = await measureMemory(pids, 'sample');
      this.#sampleTookMs = performance.now() - startedAt;
      return sizes;
    }
    const sizes = await measureMemory(pids, 'all');
    this.#lastAllAt = performance.now();
    this.#allTookMs = this.#lastAllAt - startedAt;
    return sizes;
  }

  #endIfTooLarge(process: WatchedProcess, bytes: number): void {
    const usedMb = Math.round(bytes / 1024 / 1024);
    if (usedMb <= this.#maxMemoryMb) return;
    process.kill(`it used ${usedMb} MB of memory; Plugins.MaxMemoryMb allows ${this.#maxMemoryMb}`);
  }
}
