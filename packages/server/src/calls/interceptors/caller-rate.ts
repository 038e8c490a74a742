import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { TokenBucket } from 'limiter';
import type { CallerLimits } from '../../settings/caller-limits.js';
import { rateLimited } from './rate-limited.js';

/**
 * How many calls of one principal run in a second, by a token bucket: each call takes a token, `CallsPerSecond` come back in a
 * second, and a full bucket has `Burst` (docs/spec/access.md#call-rate).
 */
export class CallerRate {
  readonly #bucket: TokenBucket;
  readonly #limits: CallerLimits;

  constructor(limits: CallerLimits & { readonly CallsPerSecond: number }) {
    const { CallsPerSecond, Burst = CallsPerSecond } = limits;
    this.#limits = limits;
    this.#bucket = new TokenBucket({ bucketSize: Burst, tokensPerInterval: CallsPerSecond, interval: 'second' });
    this.#bucket.content = Burst;
  }

  /** Takes a token. @returns the error of a call for which there is none */
  consume(): ErrorOutcome | undefined {
    if (this.#bucket.tryRemoveTokens(1)) return undefined;
    const { CallsPerSecond, Burst } = this.#limits;
    const burst = Burst === undefined ? '' : `, ${Burst} at once after a pause`;
    return rateLimited('CallsPerSecond', {
      what: `${CallsPerSecond} calls run in a second${burst}`,
      retryAfterMs: this.#bucket.getWaitTime(1),
    });
  }
}
