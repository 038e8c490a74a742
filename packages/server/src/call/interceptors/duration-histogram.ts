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
