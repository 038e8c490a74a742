import { PLACEHOLDER } from '../placeholder.js';
import { ALPHANUMERIC, charSet, codeAt, isBefore, isIn } from './chars.js';
import { startsWord } from './escapes.js';
import { withinJsonStrings } from './json-strings.js';
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

/** Marks the characters from `start` to `end` (exclusive) as secret. */
export type RedactRange = (start: number, end: number) => void;

/**
 * Called at each occurrence of a trigger. Redacts the secrets there. A detector that has read ahead should return the
 * end of the text that it has read, which keeps the scan linear.
 *
 * @param index the index of the trigger in the detector's `triggers`
 * @returns the position before which this detector must not be called again
 */
export type Find = (at: number, trigger: string, index: number) => number;

export interface SecretDetector extends Triggers {
  readonly name: string;
  /** True if the detector counts words, so that spaces inside another secret change what it finds after it. */
  readonly countsWords?: true;
  /** True if the detector also redacts inside Mortise's own texts. */
  readonly sparesNothing?: true;
  /** Called once per text, at the detector's first trigger. */
  read(text: Text, redact: RedactRange): Find;
}

/** A placeholder can turn the text around it into a key or a word, so a text is scanned again, at most this often. */
export const MAX_PASSES = 4;

/** A list of detectors that is ready to scan texts. */
export interface Scan {
  /** A fast check: true if the string is short and certainly contains no secret and nothing to strip. */
  isClear(string: string): boolean;
  /** Replaces the secrets of the text by placeholders. Redacting the result again does not change it. */
  redact(text: Text): string;
  /** Returns the spans of the secrets that the first pass of `redact` finds, sorted and not overlapping. */
  find(text: Text): Spans;
}

const cachedIndexes = new WeakMap<readonly SecretDetector[], TriggerIndex>();

/** Combines the detectors into one scan. The trigger index of a list is cached. */
export function compile(detectors: readonly SecretDetector[], ownWords?: OwnWords): Scan {
  const index = cachedIndexes.get(detectors) ?? indexTriggers(detectors);
  cachedIndexes.set(detectors, index);
  return {
    isClear: (string) => isClear(string, index),
    find: (text) => withinJsonStrings(text.string, merged(findAll(text, detectors, index, ownWords).spans)),
    redact(input) {
      for (let text = input, pass = 1; ; pass++) {
        const found = findAll(text, detectors, index, ownWords);
        if (found.spans.length === 0) return text.string;
        const spans = withinJsonStrings(text.string, merged(found.spans));
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

/** Finds the secrets of a text and of the layers above it. */
function findAll(input: Text, detectors: readonly SecretDetector[], index: TriggerIndex, ownWords?: OwnWords): Found {
  const active = runDetectors(input, detectors, index, ownWords);
  let spans: Spans = active?.spans ?? [];
  let countsWords = active?.countsWords ?? false;
  const layers: Layer[] = [];
  for (let layer = layerAbove(input); layer; layer = layers.length < MAX_LAYERS ? layerAbove(layer.text) : undefined) {
    if (layers.length === 0) spans = merged(spans);
    layers.unshift(layer);
    const above = runDetectors(layer.text, detectors, index, ownWords);
    if (!above) continue;
    countsWords ||= above.countsWords;
    spans = united(spans, layers.reduce(spansBelow, merged(above.spans)));
  }
  return { spans, countsWords };
}

/** Up to this length, reading a string's characters one by one is faster than creating a `Text`. */
const MAX_CLEAR_CHARS = 256;
const CLEAR = charSet(' -~\\t\\n\\r');
// These characters can begin an escape.
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

/** Calls the detectors at their triggers. @returns undefined if the text contains no trigger */
function runDetectors(
  text: Text,
  detectors: readonly SecretDetector[],
  triggers: TriggerIndex,
  ownWords?: OwnWords,
): ActiveDetectors | undefined {
  const triggerEnds = new TriggerEnds(text, triggers);
  const { ends, states } = triggerEnds;
  let active: ActiveDetectors | undefined;
  for (let count = triggerEnds.readBlock(); count >= 0; count = triggerEnds.readBlock()) {
    for (let place = 0; place < count; place++) {
      const candidates = triggers.entries[states[place]! >> 5]!;
      for (let index = 0; index < candidates.length; index++) {
        const entry = candidates[index]!;
        const start = ends[place]! - entry.codes.length;
        if (active !== undefined && start < active.resumeAt[entry.detector]!) continue;
        if (!isTriggerAt(entry, text, start) || (entry.atWordStart && !startsWord(text, start))) continue;
        active ??= new ActiveDetectors(detectors, text, ownWords);
        active.run(entry, start);
      }
    }
  }
  return active;
}

/** The detectors that were called for a text, and the secrets that they found. Positions ascend. */
class ActiveDetectors {
  readonly spans: number[] = [];
  /** For each detector, the position before which it is not called again. */
  readonly resumeAt: Int32Array;
  countsWords = false;
  readonly #finds: (Find | undefined)[];
  readonly #redact: RedactRange;
  readonly #redactOutsideOwnWords: RedactRange;

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
    this.#redactOutsideOwnWords = ownWords
      ? (start, end) => {
          if (!ownWords.cover(text.string, start, end)) this.#redact(start, end);
        }
      : this.#redact;
  }

  run({ detector, trigger, index }: TriggerEntry, at: number): void {
    const find = this.#finds[detector] ?? this.#start(detector);
    this.resumeAt[detector] = find(at, trigger, index);
  }

  #start(detectorIndex: number): Find {
    const detector = this.detectors[detectorIndex]!;
    if (detector.countsWords) this.countsWords = true;
    const find = detector.read(this.text, detector.sparesNothing ? this.#redact : this.#redactOutsideOwnWords);
    this.#finds[detectorIndex] = find;
    return find;
  }
}

const WORD = charSet('\\w-');
const SEPARATES_WORDS = charSet('\\s"\'`');
const SEPARATES_STRINGS = charSet('\\r\\n"\'`');
SEPARATES_WORDS[BEYOND_ASCII] = 1;
SEPARATES_STRINGS[BEYOND_ASCII] = 1;

/** True if a word ends at `at`. The letters of an escape are not a word. */
function endsWord(text: Text, at: number): boolean {
  return isBefore(text, at, ALPHANUMERIC) ? !startsWord(text, at) : isBefore(text, at, WORD);
}

/** True if a placeholder in the place of one of the spans can change how the text around it is read. */
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
