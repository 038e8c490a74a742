import { type CharSet, codeAt, isBefore, isLineBreak } from './chars.js';
import type { Text } from './text.js';

/**
 * Classes that look far ahead or far back in a text. If they are asked for ascending positions, they read each
 * character only once.
 */

/** A position beyond the end of any string. Unlike infinity, it is a small integer for V8. */
export const NOT_FOUND = 0x3fff_ffff;

export class NextOccurrence {
  #lastStart = -1;
  #found = -1;

  constructor(
    private readonly text: Text,
    private readonly needle: string,
  ) {}

  /** Returns the first occurrence at or after `from`; NOT_FOUND if there is none. */
  from(from: number): number {
    if (from > this.#found || from < this.#lastStart) {
      const at = this.text.string.indexOf(this.needle, from);
      this.#lastStart = from;
      this.#found = at < 0 ? NOT_FOUND : at;
    }
    return this.#found;
  }
}

export class RunStartFinder {
  #start = 0;
  #end = 0;

  constructor(
    private readonly text: Text,
    private readonly set: CharSet,
    private readonly limit: number,
  ) {}

  /** Returns the start of the run that ends at `end`. Looks back at most `limit` characters. */
  before(end: number): number {
    const floor = Math.max(0, end - this.limit);
    let at = end;
    while (at > floor && at !== this.#end && isBefore(this.text, at, this.set)) at--;
    if (at === this.#end) at = Math.max(floor, this.#start);
    this.#start = at;
    this.#end = end;
    return at;
  }
}

/** Counts how often a character occurs before a position on the same line. */
export class LineCounter {
  /** The number of occurrences from `#first` up to `#read`. */
  #count = 0;
  #first = 0;
  #read = 0;

  constructor(
    private readonly text: Text,
    private readonly code: number,
    private readonly limit: number,
  ) {}

  /** Returns the number of occurrences before `end`. Looks back at most `limit` characters. */
  before(end: number): number {
    const floor = Math.max(0, end - this.limit);
    if (end < this.#read || floor > this.#read) this.#beginAt(floor);
    let count = this.#count;
    let first = this.#first;
    for (let at = this.#read; at < end; at++) {
      const code = codeAt(this.text, at);
      if (code === this.code) {
        count++;
      } else if (isLineBreak(code)) {
        count = 0;
        first = at;
      }
    }
    for (; first < floor; first++) if (codeAt(this.text, first) === this.code) count--;
    this.#count = count;
    this.#first = first;
    this.#read = end;
    return count;
  }

  #beginAt(at: number): void {
    this.#count = 0;
    this.#first = at;
    this.#read = at;
  }
}
