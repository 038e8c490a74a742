import { PLACEHOLDER } from './placeholder.js';
import { FULL_LINE_CHARS, KeyLines, type LinePart } from './private-keys/key-lines.js';
import { type Candidate, KeyText, KeyValue, parseKeyText } from './private-keys/key-values.js';

/**
 * Receives the redacted texts of a stream.
 * @param of the object that was added with the text, unchanged
 * @param fields a redacted copy of the text's fields
 */
export type Emit<T, F = unknown> = (text: string, of: T, fields: F | undefined) => void;

/** Redacts one stream of texts, whose secrets can arrive in pieces. */
export interface RedactedLines<T, F = unknown> {
  /**
   * Adds the next text of the stream, which has one or more lines.
   *
   * @param of an object that is emitted with the text, unchanged
   * @param fields a value that is redacted with the text; a private key can have its lines in the fields of several
   *   texts
   */
  add(text: string, of: T, fields?: F): void;
  /** Call it when the stream has ended. Emits the texts that are held back. */
  end(): void;
}

export interface StreamRules {
  /** Removes secrets and control characters. */
  text(text: string): string;
  /** Removes control characters and what plugins have marked as secret. */
  clean(text: string): string;
  value<V>(value: V): V;
}

/**
 * Limits for holding texts back: Base64 that may belong to a private key, and values that a later line may name
 * (docs/spec/redaction.md#redaction-streams).
 */
export const MAX_BUFFERED_LINES = 64;
export const MAX_BUFFERED_MS = 200;

/** The number of lines after a key's line in which its value is searched for. */
const MAX_CONTEXT_LINES = 16;
const MAX_CONTEXT_CHARS = 4000;
/** A line whose value may be on the next one. */
const OPENS_VALUE = /[:=([{,|>\\`][-+]?["'`]?\s*$|pass|pwd|secret|token|key|cred|auth|cookie|login|machine|sas|conn/i;

/**
 * A line that can be between a key and its value: a line without words, as below the header of a table, or a header in
 * a multipart form.
 */
const SEPARATES = /^(?:[\s|+:=-]*|Content-[A-Za-z-]{1,30}: [^\r\n]{0,200}\r?)$/;

/** A line that names a value or columns. The value can be on one of the next lines. */
const OPENS_MEMBERS =
  /(?:name|key|id|field|variable|header|property|param|parameter|option)["']?[ \t]{0,4}[:=]|\binsert /i;
/** A name and its value are found if both are within this many lines. */
const MAX_MEMBER_LINES = 4;
/** A line with a value whose name can be on a later line, such as `value: x` before `name: password`. */
const HOLDS_VALUE =
  /^(?:\s*(?:- +)?["']?[\w.-]{0,30}(?:value|val|content)["']?[ \t]{0,4}[:=][ \t]{0,4}(?=\S)(?!(?:[\d.]+|true|false|null)[,\s]*$|[{[])|\s*<[^<>]{1,200}value=["'][^<>]*$)/i;
const IS_MEMBER = /^\s*["']?[A-Za-z][\w.:-]{0,40}["']?[ \t]{0,4}[:=]/;

/** A key that opens a block, as in `"api_key": {`. The value can be on any line up to the end of the block. */
const OPENS_BLOCK = /(?:pass\w{0,10}|pwd|secret|token|key|credential)s?"?[ \t]{0,4}[:=]?[ \t]{0,4}\{\s*$/i;
const CLOSES_BLOCK = /^\s*\}/;

/** A text of the stream, and the time at which it was added. */
interface Entry<T> {
  readonly text: KeyText;
  readonly fields: KeyValue | undefined;
  readonly of: T;
  readonly since: number;
  /** The redacted text, if a later text has shown that it holds a secret. */
  redacted?: string;
}

/**
 * Redacts the texts of one stream and emits them in order. It recognises a private key whose lines are texts of their
 * own or fields of texts. It holds back, for at most MAX_BUFFERED_LINES and MAX_BUFFERED_MS, Base64 that the next lines
 * may show to belong to a key, and a value whose name may follow (`value: x`, then `name: password`). It also finds a
 * value whose key is on an earlier line.
 */
export class LineRedactor<T, F> implements RedactedLines<T, F> {
  readonly #rules: StreamRules;
  readonly #emit: Emit<T, F>;
  /**
   * Texts and fields have separate readers: without its BEGIN line, a key is only recognised if its lines follow one
   * another immediately.
   */
  readonly #reader = new KeyLines();
  readonly #fieldsReader = new KeyLines();
  #candidates: Candidate[] = [];
  #fieldsCandidates: Candidate[] = [];
  #buffered: Entry<T>[] = [];
  #bufferedLines = 0;
  #timer: NodeJS.Timeout | undefined;
  #context: string[] = [];
  /** The end of the buffer, starting with a text that has a value whose name may still follow. */
  #unnamed: Entry<T>[] = [];

  constructor(rules: StreamRules, emit: Emit<T, F>) {
    this.#rules = rules;
    this.#emit = emit;
  }

  add(input: string, of: T, value?: F): void {
    const fields = value === undefined ? undefined : new KeyValue(value);
    const text = new KeyText(this.#rules.clean(input));
    // A key that has begun in the texts can continue in the fields, and the other way round.
    if (this.#reader.isOpen) fields?.read(this.#reader, []);
    fields?.read(this.#fieldsReader, this.#fieldsCandidates);
    if (this.#fieldsReader.isOpen) parseKeyText(text, this.#fieldsReader, []);
    const { candidate } = parseKeyText(text, this.#reader, this.#candidates);
    const isContinued =
      this.#candidates.length > text.lines.length || this.#fieldsCandidates.length > (fields?.lines ?? 0);
    const entry: Entry<T> = { text, fields, of, since: performance.now() };
    const isWaiting = this.#waitsForName(entry);
    if (!isContinued && !isWaiting) this.#release();
    if (!isWaiting) this.#unnamed = holdsValue(text) ? [entry] : [];
    const isHeld = this.#unnamed.length > 0 || isFull(candidate) || isFull(fields?.last.candidate);
    if (this.#buffered.length > 0 || isHeld) this.#buffer(entry);
    else this.#show(entry);
  }

  end(): void {
    this.#release();
  }

  /**
   * Redacts a buffered value that the new text names. Otherwise, if a later text may still name the value, keeps the new
   * text too and returns true.
   */
  #waitsForName(entry: Entry<T>): boolean {
    const [first] = this.#unnamed;
    if (!first) return false;
    const texts = [...this.#unnamed, entry].map(({ text }) => text.toText());
    const redacted = this.#rules.text(texts.join('\n')).split('\n');
    if (redacted[0] !== this.#rules.text(texts[0]!)) {
      const isLineByLine = redacted.length === texts.length;
      for (const [at, unnamed] of this.#unnamed.entries())
        unnamed.redacted = isLineByLine ? redacted[at]! : PLACEHOLDER;
      return false;
    }
    const mayContinue = this.#unnamed.length < MAX_MEMBER_LINES - 1 && IS_MEMBER.test(texts.at(-1)!);
    if (mayContinue) this.#unnamed.push(entry);
    return mayContinue;
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

  #show(entry: Entry<T>): void {
    const { text, fields, of, redacted } = entry;
    if (this.#unnamed.includes(entry)) this.#unnamed = [];
    if (redacted !== undefined) this.#context = [];
    const shown = redacted ?? this.#inContext(text.toText());
    this.#emit(shown, of, fields && (this.#rules.value(fields.toValue()) as F));
  }

  /** Redacts a text. If the lines before it announced a value, it redacts the text as their continuation. */
  #inContext(text: string): string {
    const redacted = this.#rules.text(text);
    const context = this.#context;
    this.#context = [];
    if (context.length > 0) {
      const redactedInContext = this.#redactAfter(context.join('\n'), text);
      if (redactedInContext !== redacted) {
        if (context.length < MAX_CONTEXT_LINES) this.#context = [...context, text];
        return redactedInContext;
      }
      const isInBlock = OPENS_BLOCK.test(context[0]!) && !CLOSES_BLOCK.test(text);
      const isMember = context.length < MAX_MEMBER_LINES && OPENS_MEMBERS.test(context[0]!);
      if (context.length < MAX_CONTEXT_LINES && (isInBlock || isMember || SEPARATES.test(text))) {
        this.#context = [...context, text];
        return redacted;
      }
    }
    const lastLine = text.slice(text.lastIndexOf('\n') + 1);
    if (lastLine.length <= MAX_CONTEXT_CHARS && OPENS_VALUE.test(lastLine)) this.#context = [lastLine];
    return redacted;
  }

  /** Redacts a text as the continuation of `context`. Returns a placeholder if that changes the context itself. */
  #redactAfter(context: string, text: string): string {
    const redacted = this.#rules.text(`${context}\n${text}`);
    const prefix = `${this.#rules.text(context)}\n`;
    return redacted.startsWith(prefix) ? redacted.slice(prefix.length) : PLACEHOLDER;
  }
}

function holdsValue({ lines }: KeyText): boolean {
  return lines.length === 1 && lines[0]!.length <= MAX_CONTEXT_CHARS && HOLDS_VALUE.test(lines[0]!);
}

function isFull(part: LinePart | undefined): boolean {
  return part !== undefined && part.end - part.start >= FULL_LINE_CHARS;
}

function linesOf<T>({ text, fields }: Entry<T>): number {
  return text.lines.length + (fields?.lines ?? 0);
}
