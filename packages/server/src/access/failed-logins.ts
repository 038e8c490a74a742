/** Failures of one address in one window that are answered with 401 (docs/spec/access.md#failed-logins). */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Addresses that are remembered; beyond it the oldest go. */
const MAX_ADDRESSES = 10_000;

interface Address {
  failures: number;
  windowEnd: number;
  /** The names of the keys that it has used. */
  readonly keys: Set<string>;
}

/** Counts failed logins by address, and says who has to wait. */
export class FailedLogins {
  readonly #addresses = new Map<string, Address>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * A request of the address has a valid key, or none.
   * @returns 0 where it is served or refused as usual; else how long the address has to wait, in seconds
   */
  attempt(address: string, keyName: string | undefined): number {
    const now = this.#now();
    let entry = this.#addresses.get(address);
    if (entry === undefined) {
      entry = { failures: 0, windowEnd: now + WINDOW_MS, keys: new Set() };
      this.#add(address, entry);
    }
    if (entry.windowEnd <= now) {
      entry.failures = 0;
      entry.windowEnd = now + WINDOW_MS;
    }
    const isLimited = entry.failures >= MAX_FAILURES;
    if (keyName === undefined) entry.failures += 1;
    else if (!isLimited) entry.keys.add(keyName);
    if (!isLimited || (keyName !== undefined && entry.keys.has(keyName))) return 0;
    return Math.ceil((entry.windowEnd - now) / 1000);
  }

  #add(address: string, entry: Address): void {
    this.#addresses.set(address, entry);
    const [oldest] = this.#addresses.keys();
    if (this.#addresses.size > MAX_ADDRESSES) this.#addresses.delete(oldest!);
  }
}
