import { LETTER } from './chars.js';
import type { Text } from './text.js';

const FAN_OUT_BITS = 5;
const FAN_OUT = 1 << FAN_OUT_BITS;

/** Words of small letters, as a tree over the low five bits of letters, so that case does not count. */
export interface WordTable {
  readonly next: Uint16Array;
  /** By state / 32. */
  readonly isWord: Uint8Array;
}

export function wordTable(words: readonly string[]): WordTable {
  const states = 1 + words.join('').length;
  const next = new Uint16Array(states * FAN_OUT);
  const isWord = new Uint8Array(states);
  let last = 0;
  for (const word of words) {
    let state = 0;
    for (let at = 0; at < word.length; at++) {
      const edge = state | (word.charCodeAt(at) & (FAN_OUT - 1));
      if (next[edge] === 0) next[edge] = ++last * FAN_OUT;
      state = next[edge]!;
    }
    isWord[state >> FAN_OUT_BITS] = 1;
  }
  return { next, isWord };
}

/** The end of the letters at `from` when they are one of the words, all of them; or -1. */
export function wordEnd(text: Text, from: number, { next, isWord }: WordTable): number {
  const { codes } = text;
  let state = 0;
  let at = from;
  for (; LETTER[codes[at]!] === 1; at++) {
    state = next[state | (codes[at]! & (FAN_OUT - 1))]!;
    if (state === 0) return -1;
  }
  return isWord[state >> FAN_OUT_BITS] === 1 ? at : -1;
}
