import type { Text } from './text.js';
import type { TriggerIndex } from './trigger-index.js';

/** The number of parts of a block that are read in parallel. */
export const PARTS = 4;
/** Characters of a part. */
export const PART_CHARS = 1024;
const BLOCK_CHARS = PARTS * PART_CHARS;
/** The ends in the last block that was read; a text is read to its end before the next one. */
const sharedEnds = new Int32Array(BLOCK_CHARS);
const sharedStates = new Int32Array(BLOCK_CHARS);
const sharedLengths = new Int32Array(PARTS);

/**
 * The positions in a text where triggers may end, block by block. Each step of the automaton needs the state of the step before;
 * processing four parts of a block in parallel keeps the processor busy and takes half the time. A part begins in the
 * state that the characters before it lead to: no more of them count than the longest trigger has.
 */
export class TriggerEnds {
  /** By part: where its positions end in `ends` and `states`; those of part n begin at n × PART_CHARS. */
  readonly lengths = sharedLengths;
  readonly ends = sharedEnds;
  readonly states = sharedStates;
  #from = 0;

  constructor(
    private readonly text: Text,
    private readonly index: TriggerIndex,
  ) {}

  /** @returns false at the end of the text */
  readBlock(): boolean {
    const { codes, length } = this.text;
    const { next, firstFinalState } = this.index;
    const { ends, states, lengths } = this;
    const from = this.#from;
    if (from >= length) return false;
    if (length - from < BLOCK_CHARS) return this.#readRest();
    let a = this.#stateBefore(from);
    let b = this.#stateBefore(from + PART_CHARS);
    let c = this.#stateBefore(from + 2 * PART_CHARS);
    let d = this.#stateBefore(from + 3 * PART_CHARS);
    let endA = 0;
    let endB = PART_CHARS;
    let endC = 2 * PART_CHARS;
    let endD = 3 * PART_CHARS;
    for (let at = from; at < from + PART_CHARS; at++) {
      a = next[a | (codes[at]! & 31)]!;
      b = next[b | (codes[at + PART_CHARS]! & 31)]!;
      c = next[c | (codes[at + 2 * PART_CHARS]! & 31)]!;
      d = next[d | (codes[at + 3 * PART_CHARS]! & 31)]!;
      if (a >= firstFinalState) {
        ends[endA] = at;
        states[endA++] = a;
      }
      if (b >= firstFinalState) {
        ends[endB] = at + PART_CHARS;
        states[endB++] = b;
      }
      if (c >= firstFinalState) {
        ends[endC] = at + 2 * PART_CHARS;
        states[endC++] = c;
      }
      if (d >= firstFinalState) {
        ends[endD] = at + 3 * PART_CHARS;
        states[endD++] = d;
      }
    }
    lengths[0] = endA;
    lengths[1] = endB;
    lengths[2] = endC;
    lengths[3] = endD;
    this.#from = from + BLOCK_CHARS;
    return true;
  }

  #readRest(): boolean {
    const { codes, length } = this.text;
    const { next, firstFinalState } = this.index;
    const { ends, states, lengths } = this;
    let state = this.#stateBefore(this.#from);
    let end = 0;
    for (let at = this.#from; at < length; at++) {
      state = next[state | (codes[at]! & 31)]!;
      if (state < firstFinalState) continue;
      ends[end] = at;
      states[end++] = state;
    }
    // They may be in several parts.
    for (let part = 0; part < PARTS; part++) lengths[part] = Math.min(end, (part + 1) * PART_CHARS);
    this.#from = length;
    return true;
  }

  #stateBefore(at: number): number {
    let state = 0;
    for (let before = Math.max(0, at - this.index.maxTriggerChars); before < at; before++) {
      state = this.index.next[state | (this.text.codes[before]! & 31)]!;
    }
    return state;
  }
}
