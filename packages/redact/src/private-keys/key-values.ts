import { setMember, toJsonInput } from '../json-input.js';
import { type KeyLine, KeyLines } from './key-lines.js';
import { type Candidate, KeyText, parseKeyText } from './key-text.js';

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
