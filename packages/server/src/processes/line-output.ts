import type { Writable } from 'node:stream';

/** More lines do not wait for the end of the tick: the other side works on them while this one continues. */
const MAX_WAITING = 24;

/** Writes lines to a stream, those of one tick together. */
export class LineOutput {
  readonly #stream: Writable;
  #outgoing = '';
  /** How many lines that is. */
  #waiting = 0;
  #isOpen = true;

  constructor(stream: Writable) {
    this.#stream = stream;
  }

  /** @param line without its end */
  write(line: string): void {
    if (!this.#isOpen) return;
    if (this.#outgoing === '') process.nextTick(this.#flush);
    this.#outgoing += `${line}\n`;
    this.#waiting += 1;
    if (this.#waiting >= MAX_WAITING) this.#flush();
  }

  /** Nothing more is written. */
  end(): void {
    this.#isOpen = false;
  }

  readonly #flush = () => {
    if (this.#outgoing === '') return;
    const lines = this.#outgoing;
    this.#outgoing = '';
    this.#waiting = 0;
    if (this.#isOpen) this.#stream.write(lines);
  };
}
