/** Failed logins of one address in one window before the address must wait (docs/spec/access.md#failed-logins). */
const MAX_FAILURES = 10;
const WINDOW_MS = 60_000;
/** Limit of the addresses; beyond it the oldest is forgotten. */
const MAX_ADDRESSES = 10_000;

interface AddressEntry {
  failureCount: number;
  windowEndsAt: number;
  /** The names of the valid keys that this address has used. */
  readonly usedKeys: Set<string>;
}

/** Counts failed logins by address, and makes addresses with too many of them wait. */
export class FailedLogins {
  readonly #entries = new Map<string, AddressEntry>();
  readonly #now: () => number;

  constructor(now: () => number = Date.now) {
    this.#now = now;
  }

  /**
   * Records an attempt to log in. An address that must wait can still use keys that it has used before.
   * @param keyName undefined if the login failed
   * @returns the seconds that the address must wait; 0 if it need not
   */
  attempt(address: string, keyName: string | undefined): number {
    const now = this.#now();
    let entry = this.#entries.get(address);
    if (entry === undefined) {
      entry = { failureCount: 0, windowEndsAt: now + WINDOW_MS, usedKeys: new Set() };
      this.#add(address, entry);
    }
    if (entry.windowEndsAt <= now) {
      entry.failureCount = 0;
      entry.windowEndsAt = now + WINDOW_MS;
    }
    const isLimited = entry.failureCount >= MAX_FAILURES;
    if (keyName === undefined) entry.failureCount += 1;
    else if (!isLimited) entry.usedKeys.add(keyName);
    if (!isLimited || (keyName !== undefined && entry.usedKeys.has(keyName))) return 0;
    return Math.ceil((entry.windowEndsAt - now) / 1000);
  }

  #add(address: string, entry: AddressEntry): void {
    this.#entries.set(address, entry);
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > MAX_ADDRESSES) this.#entries.delete(oldest!);
  }
}
