import { FULL_LINE_CHARS } from './private-keys/base64-part.js';
import { KeyLines } from './private-keys/key-lines.js';
import { type Candidate, KeyText, parseKeyText } from './private-keys/key-text.js';
import { PLACEHOLDER } from './scanning/scan.js';

/** Redacts a stream of texts whose secrets may arrive in pieces: one state for each stream. */
export interface RedactedLines<T> {
  /** The next text of the stream, one line of it or several, with what belongs to it. */
  add(text: string, of: T): void;
  /** A value that is a part of the stream: a copy without secrets. It is never held back. */
  value<V>(value: V): V;
  /** The stream has ended: emits what is held back. */
  end(): void;
}

export interface StreamRules {
  /** A text without secrets and control characters. */
  text(text: string): string;
  /** Without control characters alone. */
  clean(text: string): string;
  value<V>(value: V, reader: KeyLines): V;
}

/**
 * Base64 that may prove to be the end of a private key is held back for this long
 * (docs/spec/contract.md#redaction-streams).
 */
export const MAX_BUFFERED_LINES = 64;
export const MAX_BUFFERED_MS = 200;

/** A secret that its key's line announces is looked for in so many lines after it. */
const MAX_CONTEXT_LINES = 16;
const MAX_CONTEXT_CHARS = 4000;
/** A line whose value may be on the next one. */
const OPENS_VALUE = /[:=([{,|>\\`][-+]?["'`]?\s*$|pass|pwd|secret|token|key|cred|auth|cookie|login|machine|sas|conn/i;

interface Buffered<T> {
  readonly text: KeyText;
  readonly of: T;
  readonly since: number;
}

/**
 * The texts of one stream, redacted and in their order. A private key that arrives line by line is recognised; Base64 is
 * held back until the next line shows what it is, for 64 lines or 200 ms at most. A value is found whose key is on the
 * line before.
 */
export class LineRedactor<T> implements RedactedLines<T> {
  readonly #rules: StreamRules;
  readonly #emit: (text: string, of: T) => void;
  readonly #reader = new KeyLines();
  #candidates: Candidate[] = [];
  #buffered: Buffered<T>[] = [];
  #bufferedLines = 0;
  #timer: NodeJS.Timeout | undefined;
  #context: string[] = [];

  constructor(rules: StreamRules, emit: (text: string, of: T) => void) {
    this.#rules = rules;
    this.#emit = emit;
  }

  add(input: string, of: T): void {
    const text = new KeyText(this.#rules.clean(input));
    const { candidate } = parseKeyText(text, this.#reader, this.#candidates);
    const isContinued = this.#candidates.length > text.lines.length;
    if (!isContinued) this.#release();
    const chars = candidate ? candidate.end - candidate.start : 0;
    if (chars >= FULL_LINE_CHARS || (candidate && this.#buffered.length > 0)) this.#buffer(text, of);
    else this.#show(text, of);
  }

  value<V>(value: V): V {
    return this.#rules.value(value, this.#reader);
  }

  end(): void {
    this.#release();
  }

  #buffer(text: KeyText, of: T): void {
    this.#buffered.push({ text, of, since: performance.now() });
    this.#bufferedLines += text.lines.length;
    while (this.#bufferedLines > MAX_BUFFERED_LINES) this.#showFirst();
    this.#timer ??= setTimeout(this.#showOld, MAX_BUFFERED_MS);
  }

  readonly #showOld = () => {
    this.#timer = undefined;
    const now = performance.now();
    while (this.#buffered.length > 0 && now - this.#buffered[0]!.since >= MAX_BUFFERED_MS - 1) this.#showFirst();
    const [next] = this.#buffered;
    if (next) this.#timer = setTimeout(this.#showOld, Math.max(1, next.since + MAX_BUFFERED_MS - now));
  };

  #showFirst(): void {
    const { text, of } = this.#buffered.shift()!;
    this.#bufferedLines -= text.lines.length;
    this.#candidates = this.#candidates.filter((candidate) => candidate.text !== text);
    this.#show(text, of);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const buffered = this.#buffered;
    this.#buffered = [];
    this.#bufferedLines = 0;
    for (const { text, of } of buffered) this.#show(text, of);
  }

  #show(text: KeyText, of: T): void {
    this.#emit(this.#inContext(text.toText()), of);
  }

  /** Redacts the text as what follows the lines before it, where these announce a value. */
  #inContext(text: string): string {
    const redacted = this.#rules.text(text);
    const before = this.#context;
    this.#context = [];
    if (before.length > 0) {
      const following = this.#following(before.join('\n'), text);
      if (following !== redacted) {
        if (before.length < MAX_CONTEXT_LINES) this.#context = [...before, text];
        return following;
      }
    }
    const last = text.slice(text.lastIndexOf('\n') + 1);
    if (last.length <= MAX_CONTEXT_CHARS && OPENS_VALUE.test(last)) this.#context = [last];
    return redacted;
  }

  #following(before: string, text: string): string {
    const both = this.#rules.text(`${before}\n${text}`);
    const first = `${this.#rules.text(before)}\n`;
    return both.startsWith(first) ? both.slice(first.length) : PLACEHOLDER;
  }
}
