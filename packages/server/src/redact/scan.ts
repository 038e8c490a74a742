import { charSet, codeAt, isBefore, isIn, lowerCode } from './chars.js';
import { startsWord } from './escapes.js';
import { indexTriggers, type TriggerEntry, type TriggerIndex } from './trigger-index.js';

/** What stands for a secret. */
export const PLACEHOLDER = '[REDACTED]';

const OPENING_BRACKET = 0x5b;

export function isPlaceholder(text: string, at: number): boolean {
  return codeAt(text, at) === OPENING_BRACKET && text.startsWith(PLACEHOLDER, at);
}

/** Marks the characters from `start` up to `end` as secret. */
export type Hide = (start: number, end: number) => void;

/**
 * Called where a trigger stands. Hides the secrets that belong to it, and returns the position before which this family
 * is not to be called again: whoever has read ahead returns how far, which is what keeps the scan linear.
 */
export type Find = (at: number, trigger: string) => number;

/** One kind of secret, and what makes a look at the text worth while. */
export interface Family {
  readonly name: string;
  /** Three characters or more each; ASCII case does not count. */
  readonly triggers: readonly string[];
  /** Only triggers that may start a word count. */
  readonly atWordStart?: boolean;
  /** Called once for a text, at the family's first trigger. */
  read(text: string, hide: Hide): Find;
}

/** Where secrets start and end, one after the other. */
type Spans = number[];

/** A placeholder can make a key or a word of what was none; more passes than this have not been needed. */
const MAX_PASSES = 4;

/** Makes one redacting function of the families. What it returns it leaves as it is when given it again. */
export function compile(families: readonly Family[]): (text: string) => string {
  const index = indexTriggers(families.map(({ triggers }) => triggers));
  return (text) => {
    let shown = text;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const before = shown;
      const spans = merged(findSpans(before, families, index));
      if (spans.length > 0) shown = replace(before, spans);
      if (shown === before || !mayExpose(before, spans)) break;
    }
    return shown;
  };
}

/** A stretch of the text as bytes, two a character, the low one first: reading these is twice as fast. */
const stretch = Buffer.alloc(16_384);
const STRETCH_CHARS = stretch.length / 2;

function findSpans(text: string, families: readonly Family[], { next, entries }: TriggerIndex): Spans {
  const spans: Spans = [];
  let ask: ReturnType<typeof asking> | undefined;
  let state = 0;
  for (let from = 0; from < text.length; from += STRETCH_CHARS) {
    const part = text.length > STRETCH_CHARS ? text.slice(from, from + STRETCH_CHARS) : text;
    stretch.write(part, 'utf16le');
    for (let at = 0; at < part.length; at++) {
      state = next[state | (stretch[at * 2]! & 31)]!;
      const ended = entries[state >> 5];
      if (ended === undefined) continue;
      ask ??= asking(families, text, spans);
      ask(ended, from + at + 1);
    }
  }
  return spans;
}

/** Asks the families whose triggers may end at a place; places rise. */
function asking(families: readonly Family[], text: string, spans: Spans) {
  const finds = new Array<Find | undefined>(families.length);
  const resumeAt = new Array<number>(families.length).fill(0);
  const hide: Hide = (start, end) => {
    if (start < end) spans.push(start, end);
  };
  return (ended: readonly TriggerEntry[], end: number) => {
    for (let index = 0; index < ended.length; index++) {
      const { trigger, codes, family: number } = ended[index]!;
      const at = end - codes.length;
      if (at < resumeAt[number]! || !stands(codes, text, at)) continue;
      const family = families[number]!;
      if (family.atWordStart && !startsWord(text, at)) continue;
      finds[number] ??= family.read(text, hide);
      resumeAt[number] = finds[number](at, trigger);
    }
  };
}

function stands(codes: readonly number[], text: string, at: number): boolean {
  for (let offset = codes.length - 1; offset >= 0; offset--) {
    if (lowerCode(codeAt(text, at + offset)) !== codes[offset]) return false;
  }
  return true;
}

/** In order, with those that overlap or touch made one. */
function merged(spans: Spans): Spans {
  if (areApart(spans)) return spans;
  const result: Spans = [];
  const starts = Array.from({ length: spans.length / 2 }, (_, index) => index * 2);
  for (const index of starts.sort((a, b) => spans[a]! - spans[b]!)) {
    const start = spans[index]!;
    const end = spans[index + 1]!;
    const last = result.length - 1;
    if (last > 0 && start <= result[last]!) result[last] = Math.max(result[last]!, end);
    else result.push(start, end);
  }
  return result;
}

function areApart(spans: Spans): boolean {
  for (let index = 2; index < spans.length; index += 2) if (spans[index]! <= spans[index - 1]!) return false;
  return true;
}

/** Adds strings up rather than joining an array, which takes several times as long. */
function replace(text: string, spans: Spans): string {
  let result = '';
  let shown = 0;
  for (let index = 0; index < spans.length; index += 2) {
    result += text.slice(shown, spans[index]) + PLACEHOLDER;
    shown = spans[index + 1]!;
  }
  return result + text.slice(shown);
}

const WORD = charSet('\\w-');
const SEPARATES_WORDS = charSet('\\s"\'`');
const MAX_ASCII = 0x7f;

/** Whether a placeholder in the place of one of them can change what stands around it. */
function mayExpose(text: string, spans: Spans): boolean {
  for (let index = 0; index < spans.length; index += 2) {
    const start = spans[index]!;
    const end = spans[index + 1]!;
    if (isBefore(text, start, WORD) || isIn(text, end, WORD)) return true;
    for (let at = start; at < end; at++) {
      if (codeAt(text, at) > MAX_ASCII || isIn(text, at, SEPARATES_WORDS)) return true;
    }
  }
  return false;
}
