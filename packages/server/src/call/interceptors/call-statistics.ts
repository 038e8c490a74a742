import type { CallInterceptor, CallOutcome, InterceptedCall } from './call-interceptor.js';

/** The calls of one plugin since the server started. */
export interface CallCounts {
  readonly calls: number;
  readonly errors: number;
  /** The median time in the plugin; absent before the first call. */
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
 * Counts and times the calls, reads and prompts of each plugin, without their time in queues
 * (docs/spec/access.md#activity). Completions and lists are not counted.
 */
export class CallStatistics implements CallInterceptor {
  readonly #countersByPath = new Map<string, Counters>();

  before(call: InterceptedCall): undefined {
    call.admittedAt = performance.now();
  }

  after({ kind, owner, admittedAt }: InterceptedCall, outcome: CallOutcome | undefined): void {
    if (kind === 'completion' || kind === 'list') return;
    let counters = this.#countersByPath.get(owner.path);
    if (!counters) {
      counters = new Counters();
      this.#countersByPath.set(owner.path, counters);
    }
    counters.calls += 1;
    if (outcome === undefined || outcome.kind === 'error') counters.errors += 1;
    counters.durations.add(performance.now() - admittedAt!);
  }

  /** Returns the counts of the plugin with this path; zeros before its first call. */
  of(path: string): CallCounts {
    const counters = this.#countersByPath.get(path);
    if (!counters) return NONE;
    const { calls, errors, durations } = counters;
    return { calls, errors, p50Ms: durations.quantile(0.5), p95Ms: durations.quantile(0.95) };
  }
}

/** The resolution of short durations. */
const UNIT_MS = 0.01;
/** Buckets for each doubling of the duration, so a bucket is 9 % wide. */
const BUCKETS_PER_DOUBLING = 8;
/** 37 doublings of UNIT_MS cover more than 15 days. */
const BUCKETS = 37 * BUCKETS_PER_DOUBLING;

/** Counts durations in buckets. Needs constant memory; its quantiles are accurate to 5 %. */
export class DurationHistogram {
  readonly #counts = new Uint32Array(BUCKETS);
  #total = 0;

  add(ms: number): void {
    const bucket = Math.floor(Math.log2(1 + ms / UNIT_MS) * BUCKETS_PER_DOUBLING);
    this.#counts[Math.min(BUCKETS - 1, Math.max(0, bucket))]! += 1;
    this.#total += 1;
  }

  /** @param share 0 to 1 @returns milliseconds with two decimals; 0 if no duration was added */
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

const middleOf = (bucket: number) => (2 ** ((bucket + 0.5) / BUCKETS_PER_DOUBLING) - 1) * UNIT_MS;
