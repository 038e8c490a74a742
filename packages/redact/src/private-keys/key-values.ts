import { setMember, toJsonInput } from '../json-input.js';
import { PLACEHOLDER } from '../placeholder.js';
import { type KeyLine, KeyLines, type LinePart } from './key-lines.js';

/** A pattern, because `includes` takes ten times as long in a text with many capital letters. */
const KEY_PART = /PRIVATE|Private-/;

/** True if the text may contain the BEGIN or END of a private key. */
export function mayHoldKeyPart(text: string): boolean {
  return KEY_PART.test(text);
}

/** A text that is searched for private keys line by line. */
export class KeyText {
  readonly lines: readonly string[];
  /** The part of each line that belongs to a private key, in the order of `lines`. */
  readonly parts: (LinePart | undefined)[] = [];

  constructor(text: string) {
    this.lines = text.split('\n');
  }

  /** Returns the text with placeholders. Consecutive lines that consist only of a key become a single line. */
  toText(): string {
    if (this.parts.every((part) => part === undefined)) return this.lines.join('\n');
    const redactedLines: string[] = [];
    for (const [at, line] of this.lines.entries()) {
      const part = this.parts[at];
      const text = part ? line.slice(0, part.start) + PLACEHOLDER + line.slice(part.end) : line;
      const isRepeated =
        part !== undefined && text.trim() === PLACEHOLDER && redactedLines.at(-1)?.trim() === PLACEHOLDER;
      if (!isRepeated) redactedLines.push(text);
    }
    return redactedLines.join('\n');
  }
}

/** A line that belongs to a private key if the key's END follows. */
export interface Candidate {
  readonly text: KeyText;
  /** The index of the line. */
  readonly at: number;
  readonly part: LinePart;
}

/**
 * Reads a text's lines as the next lines of a stream.
 * @param candidates the candidates directly before the text, in order; updated in place
 * @returns the result for the last line
 */
export function parseKeyText(text: KeyText, reader: KeyLines, candidates: Candidate[]): KeyLine {
  let keyLine: KeyLine = { before: 0 };
  for (const [at, line] of text.lines.entries()) {
    keyLine = reader.read(line);
    text.parts[at] = keyLine.key ?? text.parts[at];
    if (keyLine.before > 0)
      for (const candidate of candidates.slice(-keyLine.before)) candidate.text.parts[candidate.at] = candidate.part;
    if (keyLine.candidate) candidates.push({ text, at, part: keyLine.candidate });
    else candidates.length = 0;
  }
  return keyLine;
}

/**
 * Redacts the lines of private keys in a text. Unlike the detector of PEM, it recognises a key without BEGIN or END,
 * and a key with other text on each line.
 */
export function redactKeyLines(text: string): string {
  const keyText = new KeyText(text);
  parseKeyText(keyText, new KeyLines(), []);
  return keyText.toText();
}

/** The place of a string in the copy of a value. */
interface Slot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly text: KeyText;
}

/** The strings of a JSON value, and the parts of them that belong to private keys. Depth is bounded only by memory. */
export class KeyValue {
  readonly #root: Record<string, unknown>;
  readonly #slots: Slot[] = [];
  /** The number of lines that the strings have. */
  lines = 0;
  /** The result for the last line. */
  last: KeyLine = { before: 0 };

  /** Copies the value. Shared objects and cycles are read once. */
  constructor(value: unknown) {
    this.#root = { value };
    const copies = new Map<object, object>();
    const stack: { holder: Record<string, unknown>; key: string }[] = [{ holder: this.#root, key: 'value' }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { holder, key } = next;
      const original = holder[key];
      const existingCopy = copies.get(original as object);
      const member = existingCopy ?? toJsonInput(original);
      if (typeof member === 'string') {
        const text = new KeyText(member);
        this.lines += text.lines.length;
        this.#slots.push({ holder, key, text });
      } else if (typeof member === 'object' && member !== null && !existingCopy) {
        const copy: object = Array.isArray(member) ? member.slice() : { ...member };
        copies.set(original as object, copy);
        setMember(holder, key, copy);
        for (const name of Object.keys(copy).reverse())
          stack.push({ holder: copy as Record<string, unknown>, key: name });
      } else if (member !== original) {
        setMember(holder, key, member);
      }
    }
  }

  /**
   * Reads the strings, in the order of the document, as the next lines of a stream.
   *
   * @param candidates the candidates directly before the value, in order; updated in place
   */
  read(reader: KeyLines, candidates: Candidate[]): void {
    for (const { text } of this.#slots) this.last = parseKeyText(text, reader, candidates);
  }

  /** True if the text is a string of this value. */
  has(text: KeyText): boolean {
    return this.#slots.some((slot) => slot.text === text);
  }

  /** Returns a copy of the value without the private keys. */
  toValue(): unknown {
    for (const { holder, key, text } of this.#slots) setMember(holder, key, text.toText());
    return this.#root.value;
  }
}

/**
 * Returns a copy of the JSON value without private keys that span several strings, in the order of the document: a list
 * of lines, content blocks, the entries of a log.
 */
export function redactKeysAcross<T>(value: T): T {
  const keyValue = new KeyValue(value);
  keyValue.read(new KeyLines(), []);
  return keyValue.toValue() as T;
}
