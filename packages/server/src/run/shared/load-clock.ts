import type { PluginProblem } from '@mortise/plugin/runtime';
import { processorMs } from '@mortise/process';

/** If its processor time is measured, a load may last this many times `limitMs` by the clock. */
const CLOCK_FACTOR = 6;
/** The shortest time between two measurements. */
const MIN_CHECK_MS = 50;

/** The longest time by the clock that a load may last. */
export const longestLoadMs = (limitMs: number): number => limitMs * CLOCK_FACTOR;

/** Measures the processor time of the processes that run one load. */
export class ProcessMeter {
  /** The processor time that each process had used before the load. */
  readonly #before = new Map<number, number | undefined>();

  /** Counts the processor time of this process from now on. */
  watch(pid: number): void {
    this.#before.set(pid, processorMs(pid));
  }

  /** The processor time in milliseconds; undefined if the platform does not report it. */
  get usedMs(): number | undefined {
    let sum = 0;
    for (const [pid, before] of this.#before) {
      if (before === undefined) return undefined;
      sum += Math.max(0, (processorMs(pid) ?? 0) - before);
    }
    return sum;
  }
}

export interface LoadClockOptions {
  readonly limitMs: number;
  /** Default: the load has no process of its own, and only time by the clock counts. */
  readonly meter?: Pick<ProcessMeter, 'usedMs'> | undefined;
  /** @param limit in words, such as `60000 ms` */
  onExceeded(limit: string): void;
}

/**
 * Limits a load to `limitMs` of processor time, so that other work on the machine does not count, and to six times as long
 * on the clock (docs/spec/plugins.md#load-timeout). Without a meter the limit is `limitMs` on the clock.
 * @returns a function that stops the clock
 */
export function startLoadClock({ limitMs, meter, onExceeded }: LoadClockOptions): () => void {
  const startedAt = performance.now();
  let timer = setTimeout(check, limitMs);

  function check(): void {
    const clockMs = performance.now() - startedAt;
    const usedMs = meter?.usedMs;
    const leftMs = longestLoadMs(limitMs) - clockMs;
    if (usedMs === undefined) onExceeded(`${limitMs} ms`);
    else if (usedMs >= limitMs) onExceeded(`${limitMs} ms of processor time`);
    else if (leftMs <= 0) onExceeded(`${longestLoadMs(limitMs)} ms`);
    else timer = setTimeout(check, Math.min(leftMs, Math.max(MIN_CHECK_MS, limitMs - usedMs)));
  }

  return () => clearTimeout(timer);
}

/** The problem of a plugin that took too long to load. @param hint the next step for its author or user */
export function loadTimeoutProblem(file: string, limit: string, hint: string): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_LOAD_TIMEOUT',
    message: `The plugin did not load within ${limit}`,
    hint: `Mortise tries again after a pause, and when one of its tools is called. ${hint}`,
    location: { file },
  };
}
