import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { CallerLimits } from '../../settings/caller-limits.js';
import { TokenBucket } from '../../util/token-bucket.js';
import { rateLimited } from './rate-limited.js';

const SECOND_MS = 1_000;

/**
 * Limits the call rate of one principal with a token bucket: each call takes a token, `CallsPerSecond` tokens are
 * returned each second, and a full bucket has `Burst` tokens (docs/spec/access.md#call-rate).
 */
export class CallerRate {
  readonly #bucket: TokenBucket;
  readonly #limits: CallerLimits;
  /** The time until one token is returned. */
  readonly #tokenMs: number;
  /** The time in which an empty bucket fills up. */
  readonly #fillMs: number;
  /** When the last refused call was told to try again (`performance.now()`). */
  #lastRetryAt = 0;

  constructor(limits: CallerLimits & { readonly CallsPerSecond: number }) {
    const { CallsPerSecond, Burst = CallsPerSecond } = limits;
    this.#limits = limits;
    this.#tokenMs = SECOND_MS / CallsPerSecond;
    this.#fillMs = this.#tokenMs * Burst;
    this.#bucket = new TokenBucket(Burst, CallsPerSecond);
  }

  /** Takes a token. @returns an error if no token is left */
  consume(): ErrorOutcome | undefined {
    return this.#bucket.tryTake() ? undefined : this.refuse(this.#bucket.waitMs());
  }

  /** Returns the error for a call that found no token. @param waitMs the time until the next token */
  refuse(waitMs: number): ErrorOutcome {
    const { CallsPerSecond, Burst } = this.#limits;
    const burst = Burst === undefined ? '' : ` with bursts of ${Burst}`;
    return rateLimited('CallsPerSecond', {
      reason: `this caller may make ${CallsPerSecond} calls per second${burst}`,
      retryAfterMs: this.#nextRetryMs(waitMs),
    });
  }

  /**
   * Returns the retry delay. Calls that are refused together get staggered delays, otherwise all but one would be
   * refused again. The stagger is at most the time in which the bucket fills up.
   */
  #nextRetryMs(waitMs: number): number {
    const now = performance.now();
    const nextTokenAt = now + waitMs;
    const retryAt = Math.min(Math.max(nextTokenAt, this.#lastRetryAt + this.#tokenMs), nextTokenAt + this.#fillMs);
    this.#lastRetryAt = retryAt;
    return retryAt - now;
  }
}
