import type { Exchange } from './exchange.js';

/** Counts the open streams of each principal that wait for announcements (docs/spec/access.md#stream-limit). */
export class OpenStreams {
  readonly #counts = new Map<string, number>();
  readonly #maxStreamsOf: (authorization: unknown) => number;

  /** @param maxStreamsOf the limit of a principal, by its authorization */
  constructor(maxStreamsOf: (authorization: unknown) => number) {
    this.#maxStreamsOf = maxStreamsOf;
  }

  hasRoom({ principal, authorization }: Exchange): boolean {
    return (this.#counts.get(principal) ?? 0) < this.#maxStreamsOf(authorization);
  }

  /** Counts the response of the exchange as a stream until it ends. */
  add({ principal, res }: Exchange): void {
    if (res.destroyed) return;
    this.#counts.set(principal, (this.#counts.get(principal) ?? 0) + 1);
    res.once('close', () => {
      const count = this.#counts.get(principal)! - 1;
      if (count === 0) this.#counts.delete(principal);
      else this.#counts.set(principal, count);
    });
  }
}
