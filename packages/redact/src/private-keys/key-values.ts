import { KeyLines } from './key-lines.js';
import { type Candidate, KeyText, parseKeyText } from './key-text.js';

/** A string of a value that is being copied. */
interface Slot {
  readonly holder: Record<string, unknown>;
  readonly key: string;
  readonly text: KeyText;
}

/**
 * A copy of the JSON value without private keys whose lines are several strings of it, one after the other in the order
 * of the document: a list of lines, content blocks, the entries of a log. Depth is bounded by memory alone; what is shared
 * or a cycle is read once.
 *
 * @param reader of the stream that the value is a part of
 */
export function redactKeysAcross<T>(value: T, reader = new KeyLines()): T {
  const root: Record<string, unknown> = { value };
  const slots: Slot[] = [];
  const candidates: Candidate[] = [];
  const copies = new Map<object, object>();
  const stack: { holder: Record<string, unknown>; key: string }[] = [{ holder: root, key: 'value' }];
  for (let next = stack.pop(); next; next = stack.pop()) {
    const { holder, key } = next;
    const member = holder[key];
    if (typeof member === 'string') {
      const text = new KeyText(member);
      parseKeyText(text, reader, candidates);
      slots.push({ holder, key, text });
    } else if (typeof member === 'object' && member !== null) {
      const cached = copies.get(member);
      const copy = cached ?? copyOf(member);
      if (!cached) {
        copies.set(member, copy);
        for (const name of Object.keys(copy).reverse())
          stack.push({ holder: copy as Record<string, unknown>, key: name });
      }
      set(holder, key, copy);
    }
  }
  for (const { holder, key, text } of slots) set(holder, key, text.toText());
  return root.value as T;
}

function copyOf(value: object): object {
  if (Array.isArray(value)) return value.slice();
  if ('toJSON' in value && typeof value.toJSON === 'function') {
    const json: unknown = value.toJSON();
    return typeof json === 'object' && json !== null ? copyOf(json) : { value: json };
  }
  if (value instanceof Error) return { ...value, name: value.name, message: value.message, stack: value.stack };
  return { ...value };
}

function set(holder: Record<string, unknown>, key: string, value: unknown): void {
  if (key === '__proto__')
    Object.defineProperty(holder, key, { value, enumerable: true, configurable: true, writable: true });
  else holder[key] = value;
}
