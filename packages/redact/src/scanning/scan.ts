import { PLACEHOLDER } from '../placeholder.js';
import { ALPHANUMERIC, charSet, codeAt, isBefore, isIn } from './chars.js';
import { startsWord } from './escapes.js';
import { type Layer, layerAbove, MAX_LAYERS, spansBelow } from './layers.js';
import type { OwnWords } from './own-words.js';
import { merged, replace, type Spans, united } from './spans.js';
import { BEYOND_ASCII, Text } from './text.js';
import {
  indexTriggers,
  isTriggerAt,
  TriggerEnds,
  type TriggerEntry,
  type TriggerIndex,
  type Triggers,
} from './triggers.js';

const OPENING_BRACKET = 0x5b;

export function isPlaceholder(text: Text, at: number): boolean {
  return codeAt(text, at) === OPENING_BRACKET && text.string.startsWith(PLACEHOLDER, at);
}

/** Marks the characters from `start` up to `end` as secret. */
export type RedactRange = (start: number, end: number) => void;

/**
 * Called at each occurrence of a trigger, with its index in the detector's triggers. Redacts the secrets there, and returns the position before which this
 * detector must not be called again. A detector that has read ahead returns the end of what it read, which keeps the scan linear.
 */
export type Find = (at: number, trigger: string, index: number) => number;

/** One kind of secret. */
export interface SecretDetector extends Triggers {
  readonly name: string;
  /** Whether blanks inside a secret of any family change what it finds behind it: it counts the words of a line. */
  readonly countsWords?: true;
  /** Whether it also redacts inside Mortise's own texts. */
  readonly sparesNothing?: true;
  /** Called once for a text, at the family's first trigger. */
  read(text: Text, redact: RedactRange): Find;
}

/** A placeholder can turn other text into a key or a word; more passes than this have not been needed. */
export const MAX_PASSES = 4;

export interface Scan {
  /** Whether a string is short, of ASCII without escapes and control characters but TAB, LF and CR, and no trigger ends in it. */
  isClear(string: string): boolean;
  /** The text with placeholders for its secrets; given again, it stays as it is. */
  redact(text: Text): string;
  /** The secrets of the text, in order and apart: what the first pass of `redact` replaces. */
  find(text: Text): Spans;
}

const madeIndexes = new WeakMap<readonly SecretDetector[], TriggerIndex>();

/** Makes one scan of the families; what is compiled of the same list is compiled once. */
export function compile(detectors: readonly SecretDetector[], ownWords?: OwnWords): Scan {
  const index = madeIndexes.get(detectors) ?? indexTriggers(detectors);
  madeIndexes.set(detectors, index);
  return {
    isClear: (string) => isClear(string, index),
    find: (text) => merged(findAll(text, detectors, index, ownWords).spans),
    redact(input) {
      for (let text = input, pass = 1; ; pass++) {
        const found = findAll(text, detectors, index, ownWords);
        if (found.spans.length === 0) return text.string;
        const spans = merged(found.spans);
        const redacted = replace(text.string, spans, PLACEHOLDER);
        if (pass === MAX_PASSES || redacted === text.string || !mayExpose(text, spans, found.countsWords))
          return redacted;
        text = new Text(redacted);
      }
    },
  };
}

interface Found {
  readonly spans: Spans;
  readonly countsWords: boolean;
}

/** The secrets of a text and of the layers above it. */
function findAll(input: Text, detectors: readonly SecretDetector[], index: TriggerIndex, ownWords?: OwnWords): Found {
  const active = askAll(input, detectors, index, ownWords);
  let spans: Spans = active?.spans ?? [];
  let countsWords = active?.countsWords ?? false;
  const layers: Layer[] = [];
  for (let layer = layerAbove(input); layer; layer = layers.length < MAX_LAYERS ? layerAbove(layer.text) : undefined) {
    if (layers.length === 0) spans = merged(spans);
    layers.unshift(layer);
    const above = askAll(layer.text, detectors, index, ownWords);
    if (!above) continue;
    countsWords ||= above.countsWords;
    spans = united(spans, layers.reduce(spansBelow, merged(above.spans)));
  }
  return { spans, countsWords };
}

/** Up to here reading a string's characters one by one takes less time than to make a text of it. */
const MAX_CLEAR_CHARS = 256;
const CLEAR = charSet(' -~\\t\\n\\r');
/** What may begin an escape. */
for (const char of '\\\\%&') CLEAR[char.charCodeAt(0)] = 0;

function isClear(string: string, { next, firstFinalState }: TriggerIndex): boolean {
  if (string.length > MAX_CLEAR_CHARS) return false;
  for (let at = 0, state = 0; at < string.length; at++) {
    const code = string.charCodeAt(at);
    if (CLEAR[code] !== 1) return false;
    state = next[state | (code & 31)]!;
    if (state >= firstFinalState) return false;
  }
  return true;
}

/** @returns undefined if the text contains no trigger */
function askAll(
  text: Text,
  detectors: readonly SecretDetector[],
  triggers: TriggerIndex,
  ownWords?: OwnWords,
): ActiveDetectors | undefined {
  const places = new TriggerEnds(text, triggers);
  const { ends, states } = places;
  let active: ActiveDetectors | undefined;
  for (let count = places.readBlock(); count >= 0; count = places.readBlock()) {
    for (let place = 0; place < count; place++) {
      const found = triggers.entries[states[place]! >> 5]!;
      for (let index = 0; index < found.length; index++) {
        const entry = found[index]!;
        const start = ends[place]! - entry.codes.length;
        if (active !== undefined && start < active.resumeAt[entry.detector]!) continue;
        if (!isTriggerAt(entry, text, start) || (entry.atWordStart && !startsWord(text, start))) continue;
        active ??= new ActiveDetectors(detectors, text, ownWords);
        active.ask(entry, start);
      }
    }
  }
  return active;
}

/** The detectors that were called for a text, the position from which each is called again, and what they found; positions ascend. */
class ActiveDetectors {
  readonly spans: number[] = [];
  readonly resumeAt: Int32Array;
  countsWords = false;
  readonly #finds: (Find | undefined)[];
  readonly #redact: RedactRange;
  readonly #redactForeign: RedactRange;

  constructor(
    private readonly detectors: readonly SecretDetector[],
    private readonly text: Text,
    ownWords: OwnWords | undefined,
  ) {
    this.resumeAt = new Int32Array(detectors.length);
    this.#finds = new Array<Find | undefined>(detectors.length).fill(undefined);
    const { spans } = this;
    this.#redact = (start, end) => {
      if (start < end) spans.push(start, end);
    };
    this.#redactForeign = ownWords
      ? (start, end) => {
          if (!ownWords.cover(text.string, start, end)) this.#redact(start, end);
        }
      : this.#redact;
  }

  ask({ detector, trigger, index }: TriggerEntry, at: number): void {
    const find = this.#finds[detector] ?? this.#begin(detector);
    this.resumeAt[detector] = find(at, trigger, index);
  }

  #begin(number: number): Find {
    const detector = this.detectors[number]!;
    if (detector.countsWords) this.countsWords = true;
    const find = detector.read(this.text, detector.sparesNothing ? this.#redact : this.#redactForeign);
    this.#finds[number] = find;
    return find;
  }
}

const WORD = charSet('\\w-');
const SEPARATES_WORDS = charSet('\\s"\'`');
const SEPARATES_STRINGS = charSet('\\r\\n"\'`');
SEPARATES_WORDS[BEYOND_ASCII] = 1;
SEPARATES_STRINGS[BEYOND_ASCII] = 1;

/** Whether a word ends there that is not the letters of an escape. */
function endsWord(text: Text, at: number): boolean {
  return isBefore(text, at, ALPHANUMERIC) ? !startsWord(text, at) : isBefore(text, at, WORD);
}

/** Whether replacing one of them by a placeholder can change how the surrounding text is read. */
function mayExpose(text: Text, spans: Spans, countsWords: boolean): boolean {
  const separators = countsWords ? SEPARATES_WORDS : SEPARATES_STRINGS;
  for (let index = 0; index < spans.length; index += 2) {
    const start = spans[index]!;
    const end = spans[index + 1]!;
    if (endsWord(text, start) || isIn(text, end, WORD)) return true;
    for (let at = start; at < end; at++) if (isIn(text, at, separators)) return true;
  }
  return false;
}
