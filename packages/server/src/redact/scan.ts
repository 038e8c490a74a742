import { charSet, isIn, startsWord } from './chars.js';

/** What stands for a secret. */
export const PLACEHOLDER = '[REDACTED]';

/** Marks the characters from `start` up to `end` as secret. */
export type Hide = (start: number, end: number) => void;

/** One kind of secret, and what makes a look at the text worth while. */
export interface Family {
  readonly name: string;
  /** Three characters or more each; ASCII case does not count. */
  readonly triggers: readonly string[];
  /** Only triggers that may start a word count. */
  readonly atWordStart?: boolean;
  /**
   * Called where a trigger stands. Hides the secrets that belong to it, and returns the position before which this
   * family is not to be called again: whoever has read ahead returns how far, which is what keeps the scan linear.
   */
  find(text: string, at: number, hide: Hide, trigger: string): number;
}

interface Entry {
  readonly trigger: string;
  /** Its character codes, ASCII letters in lower case. */
  readonly codes: readonly number[];
  readonly family: number;
}

interface Span {
  readonly start: number;
  end: number;
}

interface TriggerIndex {
  /** By the hash of a trigger's first three characters: 0, or which of the buckets. */
  readonly bucketOf: Uint16Array;
  readonly buckets: readonly (readonly Entry[])[];
}

const HASH_MASK = 0x7fff;

/** A placeholder can make a key or a word of what was none; more passes than this have not been needed. */
const MAX_PASSES = 4;

/** Makes one redacting function of the families. What it returns it leaves as it is when given it again. */
export function compile(families: readonly Family[]): (text: string) => string {
  const index = indexTriggers(families);
  return (text) => {
    let shown = text;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const before = shown;
      const spans = merged(findSpans(before, families, index));
      if (spans.length > 0) shown = replace(before, spans);
      if (shown === before || !spans.some((span) => mayExpose(before, span))) break;
    }
    return shown;
  };
}

function indexTriggers(families: readonly Family[]): TriggerIndex {
  const buckets: Entry[][] = [[]];
  const bucketOf = new Uint16Array(HASH_MASK + 1);
  for (const [family, { triggers }] of families.entries()) {
    for (const trigger of triggers) {
      const codes = Array.from({ length: trigger.length }, (_, at) => lowerCode(trigger, at));
      const hash = codes.slice(0, 3).reduce(roll, 0);
      if (bucketOf[hash] === 0) bucketOf[hash] = buckets.push([]) - 1;
      buckets[bucketOf[hash]!]!.push({ trigger, codes, family });
    }
  }
  return { bucketOf, buckets };
}

/**
 * A rolling hash of three characters (five bits of each, so that case does not count) picks the places worth a look;
 * text without any costs one table access a character.
 */
function findSpans(text: string, families: readonly Family[], { bucketOf, buckets }: TriggerIndex): Span[] {
  const spans: Span[] = [];
  let resumeAt: number[] | undefined;
  const hide: Hide = (start, end) => {
    if (start < end) spans.push({ start, end });
  };
  let hash = 0;
  for (let last = 0; last < text.length; last++) {
    hash = roll(hash, text.charCodeAt(last));
    const bucket = bucketOf[hash]!;
    if (bucket === 0) continue;
    const at = last - 2;
    for (const entry of buckets[bucket]!) {
      if (!standsAt(text, at, entry.codes)) continue;
      resumeAt ??= new Array<number>(families.length).fill(0);
      if (at < resumeAt[entry.family]!) continue;
      const family = families[entry.family]!;
      if (family.atWordStart && !startsWord(text, at)) continue;
      resumeAt[entry.family] = family.find(text, at, hide, entry.trigger);
    }
  }
  return spans;
}

function roll(hash: number, code: number): number {
  return ((hash << 5) & HASH_MASK) | (code & 31);
}

function lowerCode(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}

function standsAt(text: string, at: number, codes: readonly number[]): boolean {
  if (at < 0 || at + codes.length > text.length) return false;
  for (let offset = 0; offset < codes.length; offset++) {
    if (lowerCode(text, at + offset) !== codes[offset]) return false;
  }
  return true;
}

/** In order, with those that overlap or touch made one. */
function merged(spans: readonly Span[]): Span[] {
  const result: Span[] = [];
  for (const span of [...spans].sort((a, b) => a.start - b.start)) {
    const open = result.at(-1);
    if (open && span.start <= open.end) open.end = Math.max(open.end, span.end);
    else result.push({ ...span });
  }
  return result;
}

function replace(text: string, spans: readonly Span[]): string {
  const parts: string[] = [];
  let shown = 0;
  for (const { start, end } of spans) {
    parts.push(text.slice(shown, start), PLACEHOLDER);
    shown = end;
  }
  parts.push(text.slice(shown));
  return parts.join('');
}

const WORD = charSet('\\w-');
const SEPARATES_WORDS = /[\s"'`]/;

/** Whether a placeholder in its place can change what stands around it. */
function mayExpose(text: string, { start, end }: Span): boolean {
  return isIn(text, start - 1, WORD) || isIn(text, end, WORD) || SEPARATES_WORDS.test(text.slice(start, end));
}
