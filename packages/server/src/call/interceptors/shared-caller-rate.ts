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
  /** Creates the errors for refused calls. Its bucket is not used, because the store counts the calls. */
  readonly #refusals: CallerRate;
  /** This replica's share of the limits while the store cannot be used, and the number of replicas that share them. */
  #share: { readonly rate: CallerRate; readonly replicas: number } | undefined;

  constructor(principal: string, limits: CallerLimits & { readonly CallsPerSecond: number }, rates: SharedRates) {
    this.#principal = principal;
    this.#limits = limits;
    this.#rates = rates;
    this.#refusals = new CallerRate(limits);
  }

  /**
   * Takes a token from the bucket in the store. If the store cannot be used, the call is refused or counted on this
   * replica alone, as `State.OnFailure` says.
   * @returns an error if the call is refused
   */
  async consume(): Promise<ErrorOutcome | undefined> {
    const { CallsPerSecond, Burst = CallsPerSecond } = this.#limits;
    const waitMs = await this.#rates.take(this.#principal, { size: Burst, perSecond: CallsPerSecond });
    if (waitMs === undefined)
      return this.#rates.onFailure === 'refuse' ? stateUnavailable(NOT_RUN) : this.#consumeShare();
    this.#share = undefined;
    return waitMs === 0 ? undefined : this.#refusals.refuse(waitMs);
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
