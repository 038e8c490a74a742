/** Shorter texts, and single words, could be a password. */
const MIN_CHARS = 16;
const WORDS = /\S \S/;
/** The length of a key in the map of positions. Longer keys would hardly be more selective. */
const KEY_CHARS = 4;
const NOT_BLANK = /\S/g;

interface Occurrence {
  readonly text: string;
  readonly at: number;
}

/**
 * Mortise's own fixed texts, in which nothing is redacted (docs/spec/redaction.md#redaction-own-words). They reveal no
 * more than the source code does. Only complete texts count.
 */
export class OwnWords {
  readonly #texts = new Set<string>();
  /** The positions in the texts at which a secret can begin, by the characters there. Created on first use. */
  #occurrences: Map<string, Occurrence[]> | undefined;

  /** Adds fixed texts, which must not contain inserted values. Short texts and single words are ignored. */
  add(texts: Iterable<string>): void {
    for (const text of texts) if (text.length >= MIN_CHARS && WORDS.test(text)) this.#texts.add(text);
    this.#occurrences = undefined;
  }

  /** True if the characters from `start` to `end` (exclusive) are inside a complete occurrence of one of the texts. */
  cover(string: string, start: number, end: number): boolean {
    if (this.#texts.size === 0) return false;
    this.#occurrences ??= occurrencesIn(this.#texts);
    const occurrences = this.#occurrences;
    const isCovered = ({ text, at }: Occurrence) =>
      end <= start - at + text.length && start >= at && string.startsWith(text, start - at);
    for (let chars = KEY_CHARS; chars >= Math.min(KEY_CHARS, end - start); chars--) {
      if (occurrences.get(string.slice(start, start + chars))?.some(isCovered)) return true;
    }
    return false;
  }
}

function occurrencesIn(texts: Iterable<string>): Map<string, Occurrence[]> {
  const occurrences = new Map<string, Occurrence[]>();
  for (const text of texts) {
    for (const { index: at } of text.matchAll(NOT_BLANK)) {
      const key = text.slice(at, at + KEY_CHARS);
      const existing = occurrences.get(key);
      if (existing) existing.push({ text, at });
      else occurrences.set(key, [{ text, at }]);
    }
  }
  return occurrences;
}
