import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { RateLimiterRes } from 'rate-limiter-flexible';
import { BURST_SECONDS, type CallerLimits } from '../../settings/caller-limits.js';
import { rateLimited } from './rate-limited.js';

/** The library is loaded by whoever has limits. */
const library = () => import('rate-limiter-flexible');

/** How many calls of one principal run in a second (docs/spec/access.md#call-rate). */
export class CallerRate {
  readonly #limiter: Promise<{ consume(key: string): Promise<unknown> }>;
  readonly #limits: CallerLimits;

  constructor(limits: CallerLimits & { readonly CallsPerSecond: number }) {
    this.#limits = limits;
    this.#limiter = library().then(({ default: { BurstyRateLimiter, RateLimiterMemory } }) => {
      const rate = new RateLimiterMemory({ points: limits.CallsPerSecond, duration: 1 });
      if (limits.Burst === undefined) return rate;
      return new BurstyRateLimiter(rate, new RateLimiterMemory({ points: limits.Burst, duration: BURST_SECONDS }));
    });
  }

  /** @returns the error of a call that exceeds the rate */
  async consume(): Promise<ErrorOutcome | undefined> {
    try {
      await (await this.#limiter).consume('');
      return undefined;
    } catch (refusal) {
      if (refusal instanceof Error) throw refusal;
      const { CallsPerSecond, Burst } = this.#limits;
      const burst = Burst === undefined ? '' : `, and ${Burst} more in ${BURST_SECONDS} seconds`;
      return rateLimited('CallsPerSecond', {
        what: `${CallsPerSecond} calls run in a second${burst}`,
        retryAfterMs: (refusal as RateLimiterRes).msBeforeNext,
      });
    }
  }
}
