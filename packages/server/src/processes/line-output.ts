import type { Writable } from 'node:stream';

/** More lines do not wait for the end of the tick: the other side works on them while this one continues. */
const MAX_WAITING = 24;
/** In characters: what is written at a time of a long line. */
const PIECE_CHARS = 256 * 1024;

/**
 * Writes lines to a stream: those of one tick together, a long one in pieces, each when the stream has taken the one before.
 * What comes after a long line waits for it.
 */
export class LineOutput {
  readonly #stream: Writable;
  #outgoing = '';
  /** How many lines that is. */
  #waiting = 0;
  /** What is written in pieces; undefined if nothing is. */
  #queue: Iterable<string>[] | undefined;
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

  /** @param parts JSON, which together is one line: line breaks in it become spaces */
  writeLong(parts: readonly string[]): void {
    if (!this.#isOpen) return;
    this.#flush();
    if (this.#queue) this.#queue.push(piecesOf(parts));
    else void this.#writeInPieces(piecesOf(parts));
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
    if (!this.#isOpen) return;
    if (this.#queue) this.#queue.push([lines]);
    else this.#stream.write(lines);
  };

  async #writeInPieces(first: Iterable<string>): Promise<void> {
    const queue = [first];
    this.#queue = queue;
    for (let pieces = queue.shift(); pieces; pieces = queue.shift()) {
      for (const piece of pieces) {
        if (!this.#isOpen) return;
        await new Promise<void>((resolve) => this.#stream.write(piece, () => resolve()));
      }
    }
    this.#queue = undefined;
  }
}

/** One line of JSON. Outside of strings, where JSON has none, a line break is a space. */
function* piecesOf(parts: readonly string[]): Generator<string> {
  for (const part of parts) {
    for (let start = 0; start < part.length; ) {
      const end = Math.min(part.length, start + PIECE_CHARS);
      // The two halves of a character stay together.
      const isInside = end < part.length && /[\ud800-\udbff]/.test(part[end - 1]!);
      const pieceEnd = isInside ? end - 1 : end;
      yield part.slice(start, pieceEnd).replace(/[\r\n]/g, ' ');
      start = pieceEnd;
    }
  }
  yield '\n';
}
