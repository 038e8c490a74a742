import { setMember, toJsonInput } from '../json-input.js';
import { PLACEHOLDER } from '../placeholder.js';
import { type KeyLine, KeyLines, type LinePart } from './key-lines.js';

/** Whether a part of a private key may be in the text that its own lines do not show: a BEGIN or an END. */
export function mayHoldKeyPart(text: string): boolean {
  return text.includes('PRIVATE') || text.includes('Private-');
}

/** A text as its lines, with what of each belongs to a private key. */
export class KeyText {
  readonly lines: readonly string[];
  readonly parts: (LinePart | undefined)[] = [];

  constructor(text: string) {
    this.lines = text.split('\n');
  }

  /** The text with placeholders; of several lines in a row that are nothing but a key, one is left. */
  toText(): string {
    if (this.parts.every((part) => part === undefined)) return this.lines.join('\n');
    const redactedLines: string[] = [];
    for (const [at, line] of this.lines.entries()) {
      const part = this.parts[at];
      const text = part ? line.slice(0, part.start) + PLACEHOLDER + line.slice(part.end) : line;
      const isMore = part !== undefined && text.trim() === PLACEHOLDER && redactedLines.at(-1)?.trim() === PLACEHOLDER;
      if (!isMore) redactedLines.push(text);
    }
    return redactedLines.join('\n');
  }
}

/** A line that the END of a private key would make a part of that key. */
export interface Candidate {
  readonly text: KeyText;
  readonly at: number;
  readonly part: LinePart;
}

/**
 * Reads a text's lines as the next ones of a stream.
 * @param candidates those right before it, the last one last; continued in place
 * @returns what the last line is
 */
export function parseKeyText(text: KeyText, reader: KeyLines, candidates: Candidate[]): KeyLine {
  let found: KeyLine = { before: 0 };
  for (const [at, line] of text.lines.entries()) {
    found = reader.read(line);
    text.parts[at] = found.key ?? text.parts[at];
    if (found.before > 0)
      for (const candidate of candidates.slice(-found.before)) candidate.text.parts[candidate.at] = candidate.part;
    if (found.candidate) candidates.push({ text, at, part: found.candidate });
    else candidates.length = 0;
  }
  return found;
}

/** The text without what its lines show to be a private key's: one whose beginning or end is missing, or with more on each line. */
export function redactKeyLines(text: string): string {
  const read = new KeyText(text);
  parseKeyText(read, new KeyLines(), []);
  return read.toText();
}

/** A string of a value that is being copied. */
interface Slot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly text: KeyText;
}

/** A JSON value as the lines of its strings, with what of each belongs to a private key. Depth is bounded by memory alone. */
export class KeyValue {
  readonly #root: Record<string, unknown>;
  readonly #slots: Slot[] = [];
  /** How many lines its strings have. */
  lines = 0;
  /** What the last line is. */
  last: KeyLine = { before: 0 };

  /** @param value shared objects and cycles in it are read once */
  constructor(value: unknown) {
    this.#root = { value };
    const copies = new Map<object, object>();
    const stack: { holder: Record<string, unknown>; key: string }[] = [{ holder: this.#root, key: 'value' }];
    for (let next = stack.pop(); next; next = stack.pop()) {
      const { holder, key } = next;
      const found = holder[key];
      const cached = copies.get(found as object);
      const member = cached ?? toJsonInput(found);
      if (typeof member === 'string') {
        const text = new KeyText(member);
        this.lines += text.lines.length;
        this.#slots.push({ holder, key, text });
      } else if (typeof member === 'object' && member !== null && !cached) {
        const copy: object = Array.isArray(member) ? member.slice() : { ...member };
        copies.set(found as object, copy);
        setMember(holder, key, copy);
        for (const name of Object.keys(copy).reverse())
          stack.push({ holder: copy as Record<string, unknown>, key: name });
      } else if (member !== found) {
        setMember(holder, key, member);
      }
    }
  }

  /**
   * Reads the strings, in the order of the document, as the next lines of a stream.
   *
   * @param candidates those right before it, the last one last; continued in place
   */
  read(reader: KeyLines, candidates: Candidate[]): void {
    for (const { text } of this.#slots) this.last = parseKeyText(text, reader, candidates);
  }

  /** The texts that candidates of this value are in. */
  has(text: KeyText): boolean {
    return this.#slots.some((slot) => slot.text === text);
  }

  /** A copy of the value without the keys. */
  toValue(): unknown {
    for (const { holder, key, text } of this.#slots) setMember(holder, key, text.toText());
    return this.#root.value;
  }
}

/**
 * A copy of the JSON value without private keys whose lines are several strings of it, one after the other in the order
 * of the document: a list of lines, content blocks, the entries of a log.
 */
export function redactKeysAcross<T>(value: T): T {
  const read = new KeyValue(value);
  read.read(new KeyLines(), []);
  return read.toValue() as T;
}
