import { PLACEHOLDER } from './placeholder.js';
import { FULL_LINE_CHARS, KeyLines, type LinePart } from './private-keys/key-lines.js';
import { type Candidate, KeyText, KeyValue, parseKeyText } from './private-keys/key-values.js';

/** Takes the texts of a stream, with what belongs to each and a copy of its fields, all without secrets. */
export type Emit<T, F = unknown> = (text: string, of: T, fields: F | undefined) => void;

/** Redacts a stream of texts whose secrets may arrive in pieces: one state for each stream. */
export interface RedactedLines<T, F = unknown> {
  /**
   * The next text of the stream, one line of it or several, with what belongs to it.
   *
   * @param fields a value that comes with it; the lines of a key may be in the fields of several texts
   */
  add(text: string, of: T, fields?: F): void;
  /** The stream has ended: emits what is held back. */
  end(): void;
}

export interface StreamRules {
  /** A text without secrets and control characters. */
  text(text: string): string;
  /** Without control characters alone. */
  clean(text: string): string;
  value<V>(value: V): V;
}

/**
 * Base64 that may prove to be the end of a private key is held back for this long
 * (docs/spec/redaction.md#redaction-streams).
 */
export const MAX_BUFFERED_LINES = 64;
export const MAX_BUFFERED_MS = 200;

/** The number of lines after a key's line in which its value is searched for. */
const MAX_CONTEXT_LINES = 16;
const MAX_CONTEXT_CHARS = 4000;
/** A line whose value may be on the next one. */
const OPENS_VALUE = /[:=([{,|>\\`][-+]?["'`]?\s*$|pass|pwd|secret|token|key|cred|auth|cookie|login|machine|sas|conn/i;

/** What can be between a key and its value: a line without words, as below the names of a table, and a header of a part of a form. */
const SEPARATES = /^(?:[\s|+:=-]*|Content-[A-Za-z-]{1,30}: [^\r\n]{0,200}\r?)$/;

/** A key and the start of its block, as in `"api_key": {`: the value may be on any line up to the end of the block. */
const OPENS_BLOCK = /(?:pass\w{0,10}|pwd|secret|token|key|credential)s?"?[ \t]{0,4}[:=]?[ \t]{0,4}\{\s*$/i;
const CLOSES_BLOCK = /^\s*\}/;

/** A text of the stream. */
interface Entry<T> {
  readonly text: KeyText;
  readonly fields: KeyValue | undefined;
  readonly of: T;
  readonly since: number;
}

/**
 * The texts of one stream, redacted and in their order. A private key that arrives line by line is recognised, be its lines
 * texts or fields of texts; Base64 is held back until the next line shows what it is, for 64 lines or 200 ms at most. A value
 * is found whose key is on the line before.
 */
export class LineRedactor<T, F> implements RedactedLines<T, F> {
  readonly #rules: StreamRules;
  readonly #emit: Emit<T, F>;
  /** Texts and fields have a reader each, because the lines of a key whose beginning was not seen follow one another. */
  readonly #reader = new KeyLines();
  readonly #fieldsReader = new KeyLines();
  #candidates: Candidate[] = [];
  #fieldsCandidates: Candidate[] = [];
  #buffered: Entry<T>[] = [];
  #bufferedLines = 0;
  #timer: NodeJS.Timeout | undefined;
  #context: string[] = [];

  constructor(rules: StreamRules, emit: Emit<T, F>) {
    this.#rules = rules;
    this.#emit = emit;
  }

  add(input: string, of: T, value?: F): void {
    const fields = value === undefined ? undefined : new KeyValue(value);
    const text = new KeyText(this.#rules.clean(input));
    // A key that has begun may continue in either.
    if (this.#reader.isOpen) fields?.read(this.#reader, []);
    fields?.read(this.#fieldsReader, this.#fieldsCandidates);
    if (this.#fieldsReader.isOpen) parseKeyText(text, this.#fieldsReader, []);
    const { candidate } = parseKeyText(text, this.#reader, this.#candidates);
    const isContinued =
      this.#candidates.length > text.lines.length || this.#fieldsCandidates.length > (fields?.lines ?? 0);
    if (!isContinued) this.#release();
    const entry = { text, fields, of, since: performance.now() };
    if (this.#buffered.length > 0 || isFull(candidate) || isFull(fields?.last.candidate)) this.#buffer(entry);
    else this.#show(entry);
  }

  end(): void {
    this.#release();
  }

  #buffer(entry: Entry<T>): void {
    this.#buffered.push(entry);
    this.#bufferedLines += linesOf(entry);
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
    const entry = this.#buffered.shift()!;
    const { text, fields } = entry;
    this.#bufferedLines -= linesOf(entry);
    this.#candidates = this.#candidates.filter((candidate) => candidate.text !== text);
    this.#fieldsCandidates = this.#fieldsCandidates.filter((candidate) => !fields?.has(candidate.text));
    this.#show(entry);
  }

  #release(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const buffered = this.#buffered;
    this.#buffered = [];
    this.#bufferedLines = 0;
    for (const entry of buffered) this.#show(entry);
  }

  #show({ text, fields, of }: Entry<T>): void {
    this.#emit(this.#inContext(text.toText()), of, fields && (this.#rules.value(fields.toValue()) as F));
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
      const isInBlock = OPENS_BLOCK.test(before[0]!) && !CLOSES_BLOCK.test(text);
      if (before.length < MAX_CONTEXT_LINES && (isInBlock || SEPARATES.test(text))) {
        this.#context = [...before, text];
        return redacted;
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

function isFull(part: LinePart | undefined): boolean {
  return part !== undefined && part.end - part.start >= FULL_LINE_CHARS;
}

function linesOf<T>({ text, fields }: Entry<T>): number {
  return text.lines.length + (fields?.lines ?? 0);
}
