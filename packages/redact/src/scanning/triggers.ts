import { lowerCode } from './chars.js';
import { BEYOND_ASCII, type Text } from './text.js';

/**
 * Finds all triggers in one pass, with the algorithm of Aho and Corasick: a tree of all triggers in which each state
 * also has a successor for characters that continue none of its triggers. Only the low five bits of a character are
 * read, so that ASCII case does not matter and a state has 32 successors; each match is then compared with the text. A
 * regular expression of all triggers takes about three times as long per character, because nearly every letter begins
 * some trigger.
 */

/** The texts at whose occurrences a detector is called. */
export interface Triggers {
  /** Texts of at least three characters. */
  readonly triggers: readonly string[];
  /** True if case matters. By default, ASCII case is ignored. */
  readonly isCaseExact?: true;
  /** True if a trigger in the middle of a word is ignored. */
  readonly atWordStart?: boolean;
}

export interface TriggerEntry {
  readonly trigger: string;
  /** The index of the trigger in the detector's `triggers`. */
  readonly index: number;
  /** The codes of the trigger's characters, as in a `Text`. Letters are in lower case unless `isCaseExact`. */
  readonly codes: Uint8Array;
  readonly isCaseExact: boolean;
  readonly atWordStart: boolean;
  /** The index of the detector. */
  readonly detector: number;
}

/** The automaton. Its states are multiples of 32; the initial state is 0. */
export interface TriggerIndex {
  /** The state after a character: `next[state | (code & 31)]`. */
  readonly next: Uint16Array | Uint32Array;
  /** The lowest of the final states. In these states, a trigger may end. */
  readonly firstFinalState: number;
  /** The triggers that may end in a state, by state / 32. */
  readonly entries: readonly (readonly TriggerEntry[] | undefined)[];
}

const FAN_OUT_BITS = 5;
const FAN_OUT = 1 << FAN_OUT_BITS;
const MAX_16_BITS = 0xffff;

export function indexTriggers(detectors: readonly Triggers[]): TriggerIndex {
  const { next, entries } = treeOf(detectors);
  const suffixOf = new Int32Array(entries.length);
  const queue = [0];
  for (const state of queue) {
    const suffix = suffixOf[state / FAN_OUT]!;
    for (let low = 0; low < FAN_OUT; low++) {
      const child = next[state | low]!;
      const fallback = state === 0 ? 0 : next[suffix | low]!;
      if (child === 0) {
        next[state | low] = fallback;
        continue;
      }
      suffixOf[child / FAN_OUT] = fallback;
      const suffixEntries = entries[fallback / FAN_OUT];
      if (suffixEntries) entries[child / FAN_OUT] = [...(entries[child / FAN_OUT] ?? []), ...suffixEntries];
      queue.push(child);
    }
  }
  return withFinalStatesLast(next, entries);
}

/** Reorders the states of the automaton so that one comparison shows whether a state is final. */
function withFinalStatesLast(next: Int32Array, entries: TriggerIndex['entries']): TriggerIndex {
  const states = [...entries.keys()];
  const others = states.filter((state) => entries[state] === undefined);
  const ordered = [...others, ...states.filter((state) => entries[state] !== undefined)];
  const newState = new Int32Array(states.length);
  for (const [index, state] of ordered.entries()) newState[state] = index * FAN_OUT;
  const result = next.length <= MAX_16_BITS ? new Uint16Array(next.length) : new Uint32Array(next.length);
  for (let edge = 0; edge < next.length; edge++) {
    result[newState[edge >> FAN_OUT_BITS]! | (edge & (FAN_OUT - 1))] = newState[next[edge]! >> FAN_OUT_BITS]!;
  }
  return { next: result, firstFinalState: others.length * FAN_OUT, entries: ordered.map((state) => entries[state]) };
}

function treeOf(detectors: readonly Triggers[]) {
  const states = 1 + detectors.flatMap(({ triggers }) => triggers).join('').length;
  const next = new Int32Array(states * FAN_OUT);
  const entries: (TriggerEntry[] | undefined)[] = [undefined];
  for (const [detector, { triggers, isCaseExact = false, atWordStart = false }] of detectors.entries()) {
    for (const [index, trigger] of triggers.entries()) {
      const codes = codesOf(trigger, isCaseExact);
      let state = 0;
      for (const code of codes) {
        const edge = state | (code & (FAN_OUT - 1));
        if (next[edge] === 0) next[edge] = (entries.push(undefined) - 1) * FAN_OUT;
        state = next[edge]!;
      }
      const entry = { trigger, index, codes, isCaseExact, atWordStart, detector };
      entries[state / FAN_OUT] = [...(entries[state / FAN_OUT] ?? []), entry];
    }
  }
  return { next: next.slice(0, entries.length * FAN_OUT), entries };
}

function codesOf(trigger: string, isCaseExact: boolean): Uint8Array {
  return Uint8Array.from({ length: trigger.length }, (_, at) => {
    const code = Math.min(trigger.charCodeAt(at), BEYOND_ASCII);
    return isCaseExact ? code : lowerCode(code);
  });
}

export const BLOCK_CHARS = 4096;
/** Shared by all texts, because each text is read to its end before the next one. */
const sharedEnds = new Int32Array(BLOCK_CHARS);
const sharedStates = new Int32Array(BLOCK_CHARS);

/** Finds the positions in a text at which a trigger may end, block by block. */
export class TriggerEnds {
  /** The positions in the last block, and the state of the automaton at each. */
  readonly ends = sharedEnds;
  readonly states = sharedStates;
  #at = 0;
  #state = 0;

  constructor(
    private readonly text: Text,
    private readonly index: TriggerIndex,
  ) {}

  /** Reads the next block. @returns the number of its positions, or -1 at the end of the text */
  readBlock(): number {
    const { codes, length } = this.text;
    const { next, firstFinalState } = this.index;
    const { ends, states } = this;
    if (this.#at >= length) return -1;
    const stop = Math.min(length, this.#at + BLOCK_CHARS);
    let state = this.#state;
    let count = 0;
    for (let at = this.#at; at < stop; at++) {
      state = next[state | (codes[at]! & (FAN_OUT - 1))]!;
      if (state < firstFinalState) continue;
      ends[count] = at + 1;
      states[count++] = state;
    }
    this.#at = stop;
    this.#state = state;
    return count;
  }
}

export function isTriggerAt({ trigger, codes, isCaseExact }: TriggerEntry, text: Text, at: number): boolean {
  for (let offset = codes.length - 1; offset >= 0; offset--) {
    const code = text.codes[at + offset]!;
    if ((isCaseExact ? code : lowerCode(code)) !== codes[offset]) return false;
    if (code === BEYOND_ASCII && text.string[at + offset] !== trigger[offset]) return false;
  }
  return true;
}
