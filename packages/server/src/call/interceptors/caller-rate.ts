import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { CallerLimits } from '../../settings/caller-limits.js';
import { TokenBucket } from '../../util/token-bucket.js';
import { rateLimited } from './rate-limited.js';

const SECOND_MS = 1_000;

/**
 * How many calls of one principal run in a second, by a token bucket: each call takes a token, `CallsPerSecond` come back in a
 * second, and a full bucket has `Burst` (docs/spec/access.md#call-rate).
 */
export class CallerRate {
  readonly #bucket: TokenBucket;
  readonly #limits: CallerLimits;
  /** In which a token comes back. */
  readonly #tokenMs: number;
  /** In which the bucket fills. */
  readonly #fullMs: number;
  /** When the last refused call was told to come back, as `performance.now()` says. */
  #promisedUntil = 0;

  constructor(limits: CallerLimits & { readonly CallsPerSecond: number }) {
    const { CallsPerSecond, Burst = CallsPerSecond } = limits;
    this.#limits = limits;
    this.#tokenMs = SECOND_MS / CallsPerSecond;
    this.#fullMs = this.#tokenMs * Burst;
    this.#bucket = new TokenBucket(Burst, CallsPerSecond);
  }

  /** Takes a token. @returns the error of a call for which there is none */
  consume(): ErrorOutcome | undefined {
    if (this.#bucket.tryTake()) return undefined;
    const { CallsPerSecond, Burst } = this.#limits;
    const burst = Burst === undefined ? '' : `, ${Burst} at once after a pause`;
    return rateLimited('CallsPerSecond', {
      what: `${CallsPerSecond} calls run in a second${burst}`,
      retryAfterMs: this.#promise(),
    });
  }

  /**
   * When to come back, in milliseconds: calls that are refused together are told different times, or all but one would be
   * refused again. It is at most the time in which the bucket fills, in addition to that of the next token.
   */
  #promise(): number {
    const now = performance.now();
    const next = now + this.#bucket.waitMs();
    const until = Math.min(Math.max(next, this.#promisedUntil + this.#tokenMs), next + this.#fullMs);
    this.#promisedUntil = until;
    return until - now;
  }
}
