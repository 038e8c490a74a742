import type { PluginProblem } from '@mortise/plugin/runtime';
import { processorMs } from '@mortise/process';

/** How many times `Plugins.LoadTimeoutMs` a load may take on the clock, where its processor time is known. */
const CLOCK_FACTOR = 6;
/** The shortest time between two measurements, in milliseconds. */
const MIN_CHECK_MS = 50;

/** The most time on the clock that a load may take. */
export const longestLoadMs = (limitMs: number): number => limitMs * CLOCK_FACTOR;

/** The processor time of the processes that run one load. */
export class ProcessMeter {
  /** What each had used before, in milliseconds. */
  readonly #before = new Map<number, number | undefined>();

  /** The process runs the load from now on. */
  watch(pid: number): void {
    this.#before.set(pid, processorMs(pid));
  }

  /** Undefined where the platform does not tell. */
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
  /** Absent where no process runs the load: then only time on the clock counts. */
  readonly meter?: Pick<ProcessMeter, 'usedMs'> | undefined;
  /** @param limit in words, such as `60000 ms` */
  onExceeded(limit: string): void;
}

/**
 * Limits the time of a load: `limitMs` of processor time, so that other work on the machine does not count, and at most six
 * times as long on the clock (docs/spec/plugins.md#load-timeout). Without a meter, `limitMs` on the clock.
 * @returns how to stop it
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

/** The problem of a plugin that took too long to load. @param hint what its author or user should look for */
export function loadTimeoutProblem(file: string, limit: string, hint: string): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_LOAD_TIMEOUT',
    message: `The plugin did not load within ${limit}`,
    hint: `It is tried again after a pause, and when one of its tools is called. ${hint}`,
    location: { file },
  };
}
