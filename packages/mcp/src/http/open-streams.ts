import type { Exchange } from './exchange.js';

/** How many streams of each principal are open that wait for announcements (docs/spec/access.md#stream-limit). */
export class OpenStreams {
  readonly #counts = new Map<string, number>();
  readonly #maxStreamsOf: (authorization: unknown) => number;

  /** @param maxStreamsOf how many a principal may have */
  constructor(maxStreamsOf: (authorization: unknown) => number) {
    this.#maxStreamsOf = maxStreamsOf;
  }

  hasRoom({ principal, authorization }: Exchange): boolean {
    return (this.#counts.get(principal) ?? 0) < this.#maxStreamsOf(authorization);
  }

  /** The response of the exchange counts as a stream until its connection or its stream ends. */
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
