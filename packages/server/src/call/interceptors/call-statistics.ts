import type { CallInterceptor, CallOutcome, InterceptedCall } from './call-interceptor.js';

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

/** The smallest difference that is seen, in milliseconds. */
const UNIT_MS = 0.01;
/** How many buckets double the duration: a bucket is 9 % wide. */
const PER_DOUBLING = 8;
/** Enough for eleven days. */
const BUCKETS = 8 * 37;

/** Counts durations in buckets, so that quantiles cost no memory for each; they are right to 5 %. */
export class DurationHistogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;

  add(ms: number): void {
    const bucket = Math.floor(Math.log2(1 + ms / UNIT_MS) * PER_DOUBLING);
    this.#counts[Math.min(BUCKETS - 1, Math.max(0, bucket))]! += 1;
    this.#total += 1;
  }

  /** @param share 0 to 1 @returns milliseconds, rounded to two digits after the point; 0 without durations */
  quantile(share: number): number {
    const rank = Math.ceil(this.#total * share);
    let seen = 0;
    for (const [bucket, count] of this.#counts.entries()) {
      seen += count;
      if (seen >= rank && count > 0) return Math.round(middleOf(bucket) * 100) / 100;
    }
    return 0;
  }
}

const middleOf = (bucket: number) => (2 ** ((bucket + 0.5) / PER_DOUBLING) - 1) * UNIT_MS;
