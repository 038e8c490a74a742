import type { Writable } from 'node:stream';

/** Writes lines to a stream. The lines of one tick are one write. */
export class LineWriter {
  readonly #output: Writable;
  readonly #onFull: () => void;
  readonly #onDrain: () => void;
  #lines = '';
  #isFull = false;

  /** `onFull` is called when the reader of the output falls behind, `onDrain` when it has caught up. */
  constructor(output: Writable, { onFull, onDrain }: { onFull(): void; onDrain(): void }) {
    this.#output = output;
    this.#onFull = onFull;
    this.#onDrain = onDrain;
  }

  /** The number of bytes that the reader of the output has not taken yet, without the lines of this tick. */
  get unreadBytes(): number {
    return this.#output.writableLength;
  }

  write(line: string): void {
    if (this.#lines === '') process.nextTick(this.#flush);
    this.#lines += `${line}\n`;
  }

  /** Resolves when the output has taken what was written, or after `timeoutMs`. */
  end(timeoutMs: number): Promise<void> {
    this.#flush();
    return new Promise((resolve) => {
      const giveUp = setTimeout(resolve, timeoutMs);
      this.#output.write('', () => {
        clearTimeout(giveUp);
        resolve();
      });
    });
  }

  readonly #flush = () => {
    if (this.#lines === '') return;
    const lines = this.#lines;
    this.#lines = '';
    if (this.#output.write(lines) || this.#isFull) return;
    this.#isFull = true;
    this.#onFull();
    this.#output.once('drain', () => {
      this.#isFull = false;
      this.#onDrain();
    });
  };
}
