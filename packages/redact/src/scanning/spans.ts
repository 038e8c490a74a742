import type { Text } from './text.js';

/** Parts of a text: where they start and end, one after the other. */
export type Spans = Int32Array;

/** Enough for a usual text; an even number. */
const INITIAL_LENGTH = 1024;
/** More memory than this is not kept. */
const MAX_POOLED_LENGTH = 65_536;
let memory: Int32Array = new Int32Array(INITIAL_LENGTH);

/** Spans as they are found. The lists share their memory: only the newest may be read. */
export class SpanList {
  #length = 0;

  constructor() {
    if (memory.length > MAX_POOLED_LENGTH) memory = new Int32Array(INITIAL_LENGTH);
  }

  push(start: number, end: number): void {
    if (this.#length === memory.length) {
      const longer = new Int32Array(memory.length * 2);
      longer.set(memory);
      memory = longer;
    }
    memory[this.#length++] = start;
    memory[this.#length++] = end;
  }

  all(): Spans {
    return memory.subarray(0, this.#length);
  }
}

/** The spans of two lists, each in order and apart, as one such list. */
export function united(one: Spans, other: Spans): Spans {
  if (one.length === 0 || other.length === 0) return one.length === 0 ? other : one;
  const all = new Int32Array(one.length + other.length);
  let length = 0;
  for (let left = 0, right = 0; left < one.length || right < other.length; ) {
    const isLeft = right >= other.length || (left < one.length && one[left]! <= other[right]!);
    const start = isLeft ? one[left]! : other[right]!;
    const end = isLeft ? one[left + 1]! : other[right + 1]!;
    if (isLeft) left += 2;
    else right += 2;
    if (length > 0 && start <= all[length - 1]!) {
      all[length - 1] = Math.max(all[length - 1]!, end);
    } else {
      all[length++] = start;
      all[length++] = end;
    }
  }
  return all.subarray(0, length);
}

/** With more spans than this the result is written into a buffer. */
const FEW_SPANS = 32;
const WORD_BYTES = Int32Array.BYTES_PER_ELEMENT;

/** The spans in order, with overlapping and adjacent ones merged: a merge sort of runs that are already in order. */
export function merged(spans: Spans): Spans {
  let runs = runsOf(spans);
  while (runs.length > 1) {
    const longer: Spans[] = [];
    for (let index = 0; index < runs.length; index += 2) longer.push(united(runs[index]!, runs[index + 1] ?? NONE));
    runs = longer;
  }
  return runs[0] ?? NONE;
}

const NONE: Spans = new Int32Array(0);

/** The parts of a list in which each span begins after the one before has ended. */
function runsOf(spans: Spans): Spans[] {
  const runs: Spans[] = [];
  let first = 0;
  for (let index = 2; index <= spans.length; index += 2) {
    if (index < spans.length && spans[index]! > spans[index - 1]!) continue;
    runs.push(spans.subarray(first, index));
    first = index;
  }
  return runs;
}

/** The text with `placeholder`, which is ASCII, in the place of each span. */
export function replace(text: Text, spans: Spans, placeholder: string): string {
  const usesBuffer = text.isAscii && spans.length > 2 * FEW_SPANS;
  return usesBuffer ? replacedInBuffer(text, spans, placeholder) : replacedInString(text, spans, placeholder);
}

function replacedInString({ string }: Text, spans: Spans, placeholder: string): string {
  let result = '';
  let copiedTo = 0;
  for (let index = 0; index < spans.length; index += 2) {
    result += string.slice(copiedTo, spans[index]) + placeholder;
    copiedTo = spans[index + 1]!;
  }
  return result + string.slice(copiedTo);
}

/** Concatenation keeps every part of the string alive; for many parts it takes several times as long as writing them to a buffer. */
function replacedInBuffer({ codes, length }: Text, spans: Spans, placeholder: string): string {
  const bytes = Buffer.allocUnsafe(length + (spans.length / 2) * placeholder.length);
  const from = viewOf(codes);
  const replacement = viewOf(Buffer.from(placeholder, 'latin1'));
  const to = viewOf(bytes);
  let end = 0;
  let copiedTo = 0;
  for (let index = 0; index < spans.length; index += 2) {
    end = copy(from, copiedTo, spans[index]!, to, end);
    end = copy(replacement, 0, replacement.byteLength, to, end);
    copiedTo = spans[index + 1]!;
  }
  end = copy(from, copiedTo, length, to, end);
  return bytes.toString('latin1', 0, end);
}

/** For parts of some characters this takes less time than any method of Buffer. @returns where the copy ends */
function copy(from: DataView, start: number, end: number, to: DataView, target: number): number {
  let at = start;
  let next = target;
  for (; at + WORD_BYTES <= end; at += WORD_BYTES, next += WORD_BYTES) to.setInt32(next, from.getInt32(at, true), true);
  for (; at < end; at++, next++) to.setUint8(next, from.getUint8(at));
  return next;
}

function viewOf({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength);
}
