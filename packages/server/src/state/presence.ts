import { ignoreUnavailable, type StateKey, type StateStore } from './state-store.js';

const KEY: StateKey = { group: 'replicas', name: 'present' };
const RENEW_MS = 5_000;
/** A replica that has not renewed its membership for this time is no longer counted. */
const SILENCE_MS = 20_000;

/** Tells the other replicas that this one runs, and counts them. */
export class Presence {
  readonly #store: StateStore;
  readonly #member: string;
  readonly #timer: NodeJS.Timeout;
  #count = 1;

  /** @param runner the id of this process */
  constructor(store: StateStore, runner: string) {
    this.#store = store;
    this.#member = runner;
    this.#timer = setInterval(() => void this.#renew(), RENEW_MS).unref();
  }

  /** Resolves when the replica is counted, or the store cannot be used. */
  static async open(store: StateStore, runner: string): Promise<Presence> {
    const presence = new Presence(store, runner);
    await presence.#renew();
    return presence;
  }

  /** The number of replicas, including this one; while the store cannot be used, the last known number. */
  get count(): number {
    return this.#count;
  }

  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#store.leave(KEY, this.#member).catch(ignoreUnavailable);
  }

  async #renew(): Promise<void> {
    try {
      this.#count = (await this.#store.join(KEY, this.#member, SILENCE_MS)).length;
    } catch (error) {
      ignoreUnavailable(error);
    }
  }
}
