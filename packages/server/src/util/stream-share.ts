import type { Readable } from 'node:stream';
import { TimeShare } from './time-share.js';

/** The stream is read again after this time at the latest, because a liveness probe waits only 500 ms. */
const MAX_YIELD_MS = 300;

/** A stream that is not read while what came of it has used up its share of the server's time: who writes there waits. */
export class StreamShare {
  readonly #stream: Readable;
  readonly #share: TimeShare;
  #timer: NodeJS.Timeout | undefined;
  #isHeld = false;

  constructor(stream: Readable, percent: number) {
    this.#stream = stream;
    this.#share = new TimeShare(percent);
  }

  /** Adds `ms` milliseconds that processing took. */
  charge(ms: number): void {
    this.#share.charge(ms);
    this.#yieldIfDue();
  }

  /** It is not read until {@link release}. */
  hold(): void {
    this.#isHeld = true;
    this.#stream.pause();
  }

  release(): void {
    if (!this.#isHeld) return;
    this.#isHeld = false;
    if (!this.#timer) this.#stream.resume();
  }

  /** From now on it is read, whatever it takes. */
  end(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    this.#isHeld = false;
  }

  #yieldIfDue(): void {
    const waitMs = this.#share.waitMs;
    if (waitMs === 0 || this.#timer) return;
    this.#stream.pause();
    this.#timer = setTimeout(this.#resume, Math.min(waitMs, MAX_YIELD_MS)).unref();
  }

  readonly #resume = () => {
    this.#timer = undefined;
    this.#yieldIfDue();
    if (!this.#timer && !this.#isHeld) this.#stream.resume();
  };
}
