import type { TokenBucket } from './token-bucket.js';

/**
 * Limits the rate of values of which only the newest one matters. A value is sent if the bucket has a token. Otherwise it
 * is held back, and replaced by newer ones, until there is a token or `flush` is called.
 */
export class Throttle<T> {
  readonly #send: (value: T) => void;
  readonly #bucket: TokenBucket;
  #pending: { readonly value: T } | undefined;
  #timer: NodeJS.Timeout | undefined;

  constructor(send: (value: T) => void, bucket: TokenBucket) {
    this.#send = send;
    this.#bucket = bucket;
  }

  push(value: T): void {
    this.#pending = { value };
    if (this.#timer === undefined) this.#sendInTime();
  }

  /** Sends the value that is held back. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const pending = this.#pending;
    this.#pending = undefined;
    if (pending) this.#send(pending.value);
  }

  readonly #sendInTime = () => {
    if (this.#bucket.tryTake()) this.flush();
    else this.#timer = setTimeout(this.#sendInTime, Math.ceil(this.#bucket.waitMs())).unref();
  };
}
