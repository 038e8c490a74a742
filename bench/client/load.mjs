/**
 * Keeps `inFlight` requests open, until `calls` have been sent or `ms` have passed, and then waits for the open ones. With one
 * in flight it also keeps how long each took.
 */
export class Load {
  #inFlight;
  #toSend;
  #ms;
  #open = 0;
  #answered = 0;
  #startedAt;
  #sentAt;
  #resolve;
  #latenciesUs = [];
  /** `{calls, ms, latenciesUs}` */
  done = new Promise((resolve) => {
    this.#resolve = resolve;
  });

  constructor({ inFlight, calls = Number.POSITIVE_INFINITY, ms = Number.POSITIVE_INFINITY }) {
    this.#inFlight = inFlight;
    this.#toSend = calls;
    this.#ms = ms;
  }

  /** How many requests to send at first. */
  start() {
    this.#startedAt = performance.now();
    return this.#take(this.#inFlight, this.#startedAt);
  }

  /** How many requests to send now that so many have been answered. */
  answer(count) {
    if (count === 0) return 0;
    const now = performance.now();
    if (this.#inFlight === 1) this.#latenciesUs.push((now - this.#sentAt) * 1000);
    this.#answered += count;
    this.#open -= count;
    if (now - this.#startedAt >= this.#ms) this.#toSend = 0;
    const next = this.#take(count, now);
    if (this.#open === 0)
      this.#resolve({ calls: this.#answered, ms: now - this.#startedAt, latenciesUs: this.#latenciesUs });
    return next;
  }

  #take(count, now) {
    const taken = Math.min(count, this.#toSend);
    this.#toSend -= taken;
    this.#open += taken;
    this.#sentAt = now;
    return taken;
  }
}
