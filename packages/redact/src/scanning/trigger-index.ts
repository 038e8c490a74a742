import { lowerCode } from './chars.js';
import { BEYOND_ASCII } from './text.js';

/** What makes a look at the text worth while. */
export interface Triggers {
  /** Three characters or more each. */
  readonly triggers: readonly string[];
  /** Otherwise ASCII case does not count. */
  readonly isCaseExact?: true;
  /** Only triggers that may start a word count. */
  readonly atWordStart?: boolean;
}

/** A trigger, with what is needed to check whether it ends at a position. */
export interface TriggerEntry {
  readonly trigger: string;
  /** Which of the family's triggers. */
  readonly index: number;
  /** Those of its characters as in a text; with letters in small unless the case is exact. */
  readonly codes: Uint8Array;
  readonly isAscii: boolean;
  readonly isCaseExact: boolean;
  readonly atWordStart: boolean;
  /** Which of the families. */
  readonly detector: number;
}

/**
 * An Aho–Corasick automaton over the low five bits of the characters, so that ASCII case does not count. One table
 * access a character finds every trigger, whatever their number; what it finds is still to be compared with the text.
 */
export interface TriggerIndex {
  /** The states are multiples of 32, from 0: `next[state | (code & 31)]`. */
  readonly next: Uint16Array | Uint32Array;
  /** In this state and those above something may end; the others need no second look. */
  readonly firstFinalState: number;
  /** By state / 32. */
  readonly entries: readonly (readonly TriggerEntry[] | undefined)[];
  /** The characters of the longest trigger. */
  readonly maxTriggerChars: number;
}

const FAN_OUT_BITS = 5;
const FAN_OUT = 1 << FAN_OUT_BITS;
const MAX_16_BITS = 0xffff;

export function indexTriggers(detectors: readonly Triggers[]): TriggerIndex {
  const { next, entries } = trieOf(detectors);
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
      const ofSuffix = entries[fallback / FAN_OUT];
      if (ofSuffix) entries[child / FAN_OUT] = [...(entries[child / FAN_OUT] ?? []), ...ofSuffix];
      queue.push(child);
    }
  }
  const lengths = detectors.flatMap(({ triggers }) => triggers.map(({ length }) => length));
  return { ...sorted(next, entries), maxTriggerChars: Math.max(0, ...lengths) };
}

/** The states where something may end behind the others. */
function sorted(
  next: Int32Array,
  entries: readonly (readonly TriggerEntry[] | undefined)[],
): Omit<TriggerIndex, 'maxTriggerChars'> {
  const states = [...entries.keys()];
  const quiet = states.filter((state) => entries[state] === undefined);
  const ordered = [...quiet, ...states.filter((state) => entries[state] !== undefined)];
  const newState = new Int32Array(states.length);
  for (const [index, state] of ordered.entries()) newState[state] = index * FAN_OUT;
  const result = next.length <= MAX_16_BITS ? new Uint16Array(next.length) : new Uint32Array(next.length);
  for (let edge = 0; edge < next.length; edge++) {
    result[newState[edge >> FAN_OUT_BITS]! | (edge & (FAN_OUT - 1))] = newState[next[edge]! >> FAN_OUT_BITS]!;
  }
  return { next: result, firstFinalState: quiet.length * FAN_OUT, entries: ordered.map((state) => entries[state]) };
}

function trieOf(detectors: readonly Triggers[]) {
  const states = 1 + detectors.flatMap(({ triggers }) => triggers).join('').length;
  const next = new Int32Array(states * FAN_OUT);
  const entries: (TriggerEntry[] | undefined)[] = [undefined];
  for (const [detector, { triggers, isCaseExact = false, atWordStart = false }] of detectors.entries()) {
    for (const [index, trigger] of triggers.entries()) {
      const codes = codesOf(trigger, isCaseExact);
      let state = 0;
      for (let at = 0; at < trigger.length; at++) {
        const edge = state | (codes[at]! & (FAN_OUT - 1));
        if (next[edge] === 0) next[edge] = (entries.push(undefined) - 1) * FAN_OUT;
        state = next[edge]!;
      }
      const isAscii = !codes.includes(BEYOND_ASCII);
      const entry = { trigger, index, codes, isAscii, isCaseExact, atWordStart, detector };
      entries[state / FAN_OUT] = [...(entries[state / FAN_OUT] ?? []), entry];
    }
  }
  return { next: next.slice(0, entries.length * FAN_OUT), entries };
}

function codesOf(trigger: string, isCaseExact: boolean): Uint8Array {
  const codes = new Uint8Array(trigger.length);
  for (let at = 0; at < trigger.length; at++) {
    const code = Math.min(trigger.charCodeAt(at), BEYOND_ASCII);
    codes[at] = isCaseExact ? code : lowerCode(code);
  }
  return codes;
}
