import { charSet, codeAt, isBefore, isIn, lowerCode } from './chars.js';
import { startsWord } from './escapes.js';
import { Text } from './text.js';
import { indexTriggers, type TriggerEntry, type TriggerIndex, type Triggers } from './trigger-index.js';

/** What stands for a secret. */
export const PLACEHOLDER = '[REDACTED]';

const OPENING_BRACKET = 0x5b;

export function isPlaceholder(text: Text, at: number): boolean {
  return codeAt(text, at) === OPENING_BRACKET && text.string.startsWith(PLACEHOLDER, at);
}

/** Marks the characters from `start` up to `end` as secret. */
export type Hide = (start: number, end: number) => void;

/**
 * Called where a trigger stands. Hides the secrets that belong to it, and returns the position before which this family
 * is not to be called again: whoever has read ahead returns how far, which is what keeps the scan linear.
 */
export type Find = (at: number, trigger: string) => number;

/** One kind of secret. */
export interface Family extends Triggers {
  readonly name: string;
  /** Called once for a text, at the family's first trigger. */
  read(text: Text, hide: Hide): Find;
}

/** Where secrets start and end, one after the other. */
type Spans = number[];

/** A placeholder can make a key or a word of what was none; more passes than this have not been needed. */
const MAX_PASSES = 4;

/** Makes one redacting function of the families. What it returns it leaves as it is when given it again. */
export function compile(families: readonly Family[]): (text: string) => string {
  const index = indexTriggers(families);
  return (text) => {
    let shown = text;
    for (let pass = 0; pass < MAX_PASSES; pass++) {
      const before = new Text(shown);
      const spans = merged(findSpans(before, families, index));
      if (spans.length > 0) shown = replace(shown, spans);
      if (shown === before.string || !mayExpose(before, spans)) break;
    }
    return shown;
  };
}

function findSpans(text: Text, families: readonly Family[], { next, entries }: TriggerIndex): Spans {
  const spans: Spans = [];
  const { codes, length } = text;
  let ask: ReturnType<typeof asking> | undefined;
  for (let at = 0, state = 0; at < length; at++) {
    state = next[state | (codes[at]! & 31)]!;
    const ended = entries[state >> 5];
    if (ended === undefined) continue;
    ask ??= asking(families, text, spans);
    ask(ended, at + 1);
  }
  return spans;
}

/** Asks the families whose triggers may end at a place; places rise. */
function asking(families: readonly Family[], text: Text, spans: Spans) {
  const finds = new Array<Find | undefined>(families.length);
  const resumeAt = new Array<number>(families.length).fill(0);
  const hide: Hide = (start, end) => {
    if (start < end) spans.push(start, end);
  };
  return (ended: readonly TriggerEntry[], end: number) => {
    for (let index = 0; index < ended.length; index++) {
      const { trigger, codes, atWordStart, family: number } = ended[index]!;
      const at = end - codes.length;
      if (at < resumeAt[number]! || !stands(codes, text, at)) continue;
      if (atWordStart && !startsWord(text, at)) continue;
      finds[number] ??= families[number]!.read(text, hide);
      resumeAt[number] = finds[number](at, trigger);
    }
  };
}

function stands(codes: readonly number[], text: Text, at: number): boolean {
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
function mayExpose(text: Text, spans: Spans): boolean {
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
