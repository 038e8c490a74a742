import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { CallerLimits } from '../../settings/caller-limits.js';
import type { SharedRates } from '../../state/shared-rates.js';
import { stateUnavailable } from '../results/state-unavailable.js';
import { CallerRate } from './caller-rate.js';

/** Limits the call rate of one principal over all replicas (docs/spec/shared.md#limits). */
export class SharedCallerRate {
  readonly #principal: string;
  readonly #limits: CallerLimits & { readonly CallsPerSecond: number };
  readonly #rates: SharedRates;
  readonly #whole: CallerRate;
  /** The share of this replica, while the store cannot be used, and the number of replicas that it was made for. */
  #share: { readonly rate: CallerRate; readonly replicas: number } | undefined;

  constructor(principal: string, limits: CallerLimits & { readonly CallsPerSecond: number }, rates: SharedRates) {
    this.#principal = principal;
    this.#limits = limits;
    this.#rates = rates;
    this.#whole = new CallerRate(limits);
  }

  /** Takes a token. @returns an error if no token is left */
  async consume(): Promise<ErrorOutcome | undefined> {
    const { CallsPerSecond, Burst = CallsPerSecond } = this.#limits;
    const waitMs = await this.#rates.take(this.#principal, { size: Burst, perSecond: CallsPerSecond });
    if (waitMs === undefined)
      return this.#rates.onFailure === 'refuse' ? stateUnavailable(NOT_RUN) : this.#consumeShare();
    this.#share = undefined;
    return waitMs === 0 ? undefined : this.#whole.refuse(waitMs);
  }

  #consumeShare(): ErrorOutcome | undefined {
    const { replicas } = this.#rates;
    if (this.#share?.replicas !== replicas) {
      const { CallsPerSecond, Burst = CallsPerSecond } = this.#limits;
      const share = { CallsPerSecond: CallsPerSecond / replicas, Burst: Math.max(1, Math.floor(Burst / replicas)) };
      this.#share = { rate: new CallerRate({ ...this.#limits, ...share }), replicas };
    }
    return this.#share.rate.consume();
  }
}

const NOT_RUN = 'The call was not run: its rate cannot be limited without the shared state';
