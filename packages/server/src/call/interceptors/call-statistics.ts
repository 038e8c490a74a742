import type { CallInterceptor, CallOutcome, InterceptedCall } from './call-interceptor.js';
import { DurationHistogram } from './duration-histogram.js';

/** The calls of one plugin since the server started. */
export interface CallCounts {
  readonly calls: number;
  /** Those of them that ended with an error. */
  readonly errors: number;
  /** Of the time in the plugin, in milliseconds; absent without calls. */
  readonly p50Ms?: number;
  readonly p95Ms?: number;
}

class Counters {
  calls = 0;
  errors = 0;
  readonly durations = new DurationHistogram();
}

const NONE: CallCounts = { calls: 0, errors: 0 };

/**
 * Counts the calls, reads and prompts of each plugin, and their time once they were admitted (docs/spec/access.md#activity).
 * Completions and lists do not count.
 */
export class CallStatistics implements CallInterceptor {
  /** By the path of the plugin. */
  readonly #counters = new Map<string, Counters>();

  before(call: InterceptedCall): undefined {
    call.admittedAt = performance.now();
  }

  after({ kind, owner, admittedAt }: InterceptedCall, outcome: CallOutcome | undefined): void {
    if (kind === 'completion' || kind === 'list') return;
    let counters = this.#counters.get(owner.path);
    if (!counters) {
      counters = new Counters();
      this.#counters.set(owner.path, counters);
    }
    counters.calls += 1;
    if (outcome === undefined || outcome.kind === 'error') counters.errors += 1;
    counters.durations.add(performance.now() - admittedAt!);
  }

  /** @param path of the plugin */
  of(path: string): CallCounts {
    const counters = this.#counters.get(path);
    if (!counters) return NONE;
    const { calls, errors, durations } = counters;
    return { calls, errors, p50Ms: durations.quantile(0.5), p95Ms: durations.quantile(0.95) };
  }
}
