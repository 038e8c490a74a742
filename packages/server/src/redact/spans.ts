import type { Text } from './text.js';

/** Parts of a text: where they start and end, one after the other. */
export type Spans = Int32Array;

/** Of a usual text; an even number. */
const FIRST_PLACES = 1024;
/** More memory than this is not kept. */
const MAX_KEPT_PLACES = 65_536;
let memory: Int32Array = new Int32Array(FIRST_PLACES);

/** Spans as they are found. The lists share their memory: only the newest may be read. */
export class SpanList {
  #places = 0;

  constructor() {
    if (memory.length > MAX_KEPT_PLACES) memory = new Int32Array(FIRST_PLACES);
  }

  push(start: number, end: number): void {
    if (this.#places === memory.length) {
      const longer = new Int32Array(memory.length * 2);
      longer.set(memory);
      memory = longer;
    }
    memory[this.#places++] = start;
    memory[this.#places++] = end;
  }

  all(): Spans {
    return memory.subarray(0, this.#places);
  }
}

/** Of more spans than these the result is written into memory. */
const FEW_SPANS = 32;
const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** The spans in order, with those that overlap or touch made one. */
export function merged(spans: Spans): Spans {
  if (areApart(spans)) return spans;
  const result: number[] = [];
  const starts = Array.from({ length: spans.length / 2 }, (_, index) => index * 2);
  for (const index of starts.sort((a, b) => spans[a]! - spans[b]!)) {
    const start = spans[index]!;
    const end = spans[index + 1]!;
    const last = result.length - 1;
    if (last > 0 && start <= result[last]!) result[last] = Math.max(result[last]!, end);
    else result.push(start, end);
  }
  return Int32Array.from(result);
}

function areApart(spans: Spans): boolean {
  for (let index = 2; index < spans.length; index += 2) if (spans[index]! <= spans[index - 1]!) return false;
  return true;
}

/** The text with `placeholder`, which is ASCII, in the place of each span. */
export function replace(text: Text, spans: Spans, placeholder: string): string {
  const isWritten = text.isAscii && spans.length > 2 * FEW_SPANS;
  return isWritten ? written(text, spans, placeholder) : added(text, spans, placeholder);
}

function added({ string }: Text, spans: Spans, placeholder: string): string {
  let result = '';
  let shown = 0;
  for (let index = 0; index < spans.length; index += 2) {
    result += string.slice(shown, spans[index]) + placeholder;
    shown = spans[index + 1]!;
  }
  return result + string.slice(shown);
}

/** Of a string that is added up every part lives on: of many that takes several times as long as to write them. */
function written({ codes, length }: Text, spans: Spans, placeholder: string): string {
  const bytes = Buffer.allocUnsafe(length + (spans.length / 2) * placeholder.length);
  const from = viewOf(codes);
  const hidden = viewOf(Buffer.from(placeholder, 'latin1'));
  const to = viewOf(bytes);
  let end = 0;
  let shown = 0;
  for (let index = 0; index < spans.length; index += 2) {
    end = copy(from, shown, spans[index]!, to, end);
    end = copy(hidden, 0, hidden.byteLength, to, end);
    shown = spans[index + 1]!;
  }
  end = copy(from, shown, length, to, end);
  return bytes.toString('latin1', 0, end);
}

/** For parts of some characters this takes less time than any method of Buffer. @returns where the copy ends */
function copy(from: DataView, start: number, end: number, to: DataView, place: number): number {
  let at = start;
  let next = place;
  for (; at + WORD_BYTES <= end; at += WORD_BYTES, next += WORD_BYTES) to.setInt32(next, from.getInt32(at, true), true);
  for (; at < end; at++, next++) to.setUint8(next, from.getUint8(at));
  return next;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
