import { charSet, isIn, startsWord } from './chars.js';
import { indexTriggers, type TriggerIndex } from './trigger-index.js';

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

interface Span {
  readonly start: number;
  end: number;
}

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
      if (shown === before || !spans.some((span) => mayExpose(before, span))) break;
    }
    return shown;
  };
}

function findSpans(text: string, families: readonly Family[], { next, entries }: TriggerIndex): Span[] {
  const spans: Span[] = [];
  let resumeAt: number[] | undefined;
  const hide: Hide = (start, end) => {
    if (start < end) spans.push({ start, end });
  };
  for (let end = 1, state = 0; end <= text.length; end++) {
    state = next[state | (text.charCodeAt(end - 1) & 31)]!;
    const found = entries[state >> 5];
    if (found === undefined) continue;
    resumeAt ??= new Array<number>(families.length).fill(0);
    for (const { trigger, family: number } of found) {
      const at = end - trigger.length;
      if (at < resumeAt[number]! || !standsAt(text, at, trigger)) continue;
      const family = families[number]!;
      if (family.atWordStart && !startsWord(text, at)) continue;
      resumeAt[number] = family.find(text, at, hide, trigger);
    }
  }
  return spans;
}

function standsAt(text: string, at: number, trigger: string): boolean {
  for (let offset = 0; offset < trigger.length; offset++) {
    if (lowerCode(text, at + offset) !== lowerCode(trigger, offset)) return false;
  }
  return true;
}

function lowerCode(text: string, at: number): number {
  const code = text.charCodeAt(at);
  return code >= 0x41 && code <= 0x5a ? code | 0x20 : code;
}

/** In order, with those that overlap or touch made one. */
function merged(spans: readonly Span[]): readonly Span[] {
  if (spans.every(({ start }, index) => index === 0 || spans[index - 1]!.end < start)) return spans;
  const result: Span[] = [];
  let open: Span | undefined;
  for (const { start, end } of [...spans].sort((a, b) => a.start - b.start)) {
    if (open && start <= open.end) {
      open.end = Math.max(open.end, end);
    } else {
      open = { start, end };
      result.push(open);
    }
  }
  return result;
}

/** Adds strings up rather than joining an array, which takes several times as long. */
function replace(text: string, spans: readonly Span[]): string {
  let result = '';
  let shown = 0;
  for (const { start, end } of spans) {
    result += text.slice(shown, start) + PLACEHOLDER;
    shown = end;
  }
  return result + text.slice(shown);
}

const WORD = charSet('\\w-');
const SEPARATES_WORDS = charSet('\\s"\'`');
const MAX_ASCII = 0x7f;

/** Whether a placeholder in its place can change what stands around it. */
function mayExpose(text: string, { start, end }: Span): boolean {
  if (isIn(text, start - 1, WORD) || isIn(text, end, WORD)) return true;
  for (let at = start; at < end; at++) {
    if (text.charCodeAt(at) > MAX_ASCII || isIn(text, at, SEPARATES_WORDS)) return true;
  }
  return false;
}
