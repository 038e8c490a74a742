import { StringDecoder } from 'node:string_decoder';
import type { OutputStream } from './command-run.js';

/** The maximum length of a line that is passed on as a whole. Longer lines are passed on in pieces. */
export const MAX_LINE_CHARS = 64 * 1024;

/** Joins the chunks of one stream to whole lines. */
export interface LineSplitter {
  write(chunk: Buffer): void;
  /** Passes on the last line if it has no line end. */
  end(): void;
}

/**
 * Creates a splitter for UTF-8, whose code points can cross the borders of chunks.
 * @param onText called with one or more whole lines with their line ends, or with a piece of a long line. No piece
 * splits a code point
 */
export function createLineSplitter(onText: (text: string) => void): LineSplitter {
  const decoder = new StringDecoder('utf8');
  let pending = '';

  function add(text: string): void {
    const whole = text.lastIndexOf('\n') + 1;
    if (whole > 0) {
      onText(pending + text.slice(0, whole));
      pending = text.slice(whole);
    } else {
      pending += text;
    }
    while (pending.length >= MAX_LINE_CHARS) {
      const end = codePointBorder(pending, MAX_LINE_CHARS);
      onText(pending.slice(0, end));
      pending = pending.slice(end);
    }
  }

  return {
    write(chunk) {
      add(decoder.write(chunk));
    },
    end() {
      add(decoder.end());
      if (pending !== '') onText(pending);
      pending = '';
    },
  };
}

/** Returns the last position at or before `at` that does not split a surrogate pair. */
function codePointBorder(text: string, at: number): number {
  const code = text.charCodeAt(at);
  const isLowSurrogate = code >= 0xdc00 && code <= 0xdfff;
  return isLowSurrogate && at > 0 ? at - 1 : at;
}

/** Returns the lines of a text from a splitter, without their line ends (LF or CRLF). */
export function linesOf(text: string): string[] {
  const lines = text.split('\n').map((line) => (line.endsWith('\r') ? line.slice(0, -1) : line));
  if (text.endsWith('\n')) lines.pop();
  return lines;
}

interface Block {
  readonly text: string;
  readonly stream: OutputStream;
  readonly bytes: number;
}

/** The parts of a command's output that were kept. */
export interface RetainedOutput {
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly omittedBytes: number;
}

/** Omitted blocks are removed from the array when there are more than this, and more than kept blocks. */
const MAX_OMITTED_BLOCKS = 1024;

/**
 * Keeps the beginning and the end of an output, each up to half of `maxBytes` of UTF-8. Whole lines in between are
 * omitted.
 */
export class BoundedOutput {
  /** The maximum size of the head, and of the tail. */
  readonly #half: number;
  readonly #head: Block[] = [];
  #headBytes = 0;
  #isHeadFull = false;
  #tail: Block[] = [];
  /** The index of the first block of the tail that is still kept. */
  #tailStart = 0;
  #tailBytes = 0;
  readonly #omitted = { stdout: 0, stderr: 0 };

  constructor(maxBytes: number) {
    this.#half = Math.floor(maxBytes / 2);
  }

  /** @param text whole lines, or a piece of a long line */
  add(text: string, stream: OutputStream): void {
    const block = blockOf(text, stream);
    if (this.#isHeadFull) this.#addToTail(block);
    else if (this.#headBytes + block.bytes <= this.#half) {
      this.#head.push(block);
      this.#headBytes += block.bytes;
    } else this.#fillHead(block);
  }

  /** Divides the first block that does not fit into the head between the head and the tail. */
  #fillHead({ text, stream }: Block): void {
    this.#isHeadFull = true;
    const isAtLineEnd = this.#head.at(-1)?.text.endsWith('\n') ?? false;
    const end = truncateAfter(text, this.#half - this.#headBytes, isAtLineEnd);
    if (end > 0) this.#head.push(blockOf(text.slice(0, end), stream));
    this.#addToTail(blockOf(text.slice(end), stream));
  }

  #addToTail(block: Block): void {
    this.#tail.push(block);
    this.#tailBytes += block.bytes;
    while (
      this.#tailBytes - this.#tail[this.#tailStart]!.bytes >= this.#half &&
      this.#tailStart < this.#tail.length - 1
    ) {
      const { bytes, stream } = this.#tail[this.#tailStart]!;
      this.#tailStart += 1;
      this.#tailBytes -= bytes;
      this.#omitted[stream] += bytes;
    }
    if (this.#tailStart > MAX_OMITTED_BLOCKS && this.#tailStart * 2 > this.#tail.length) {
      this.#tail = this.#tail.slice(this.#tailStart);
      this.#tailStart = 0;
    }
  }

  /** Returns the output. A line with the number of omitted bytes stands for omitted lines. */
  read(): RetainedOutput {
    const tail = this.#tail.slice(this.#tailStart);
    const omitted = { ...this.#omitted };
    const [first] = tail;
    if (first && this.#tailBytes > this.#half) {
      const rest = blockOf(first.text.slice(truncateBefore(first.text, this.#tailBytes - this.#half)), first.stream);
      omitted[first.stream] += first.bytes - rest.bytes;
      tail[0] = rest;
    }
    const only = (stream: OutputStream) => (block: Block) => block.stream === stream;
    const partOf = (stream: OutputStream) =>
      joinParts(this.#head.filter(only(stream)), omitted[stream], tail.filter(only(stream)));
    const omittedBytes = omitted.stdout + omitted.stderr;
    return {
      output: joinParts(this.#head, omittedBytes, tail),
      stdout: partOf('stdout'),
      stderr: partOf('stderr'),
      omittedBytes,
    };
  }
}

function blockOf(text: string, stream: OutputStream): Block {
  return { text, stream, bytes: Buffer.byteLength(text) };
}

function joinParts(head: readonly Block[], omittedBytes: number, tail: readonly Block[]): string {
  const text = (blocks: readonly Block[]) => blocks.map((block) => block.text).join('');
  if (omittedBytes === 0) return text(head) + text(tail);
  const newLine = head.length === 0 || head.at(-1)!.text.endsWith('\n') ? '' : '\n';
  return `${text(head)}${newLine}[${omittedBytes} bytes omitted]\n${text(tail)}`;
}

/** Returns the last line end, or else the last border of a code point, with at most `bytes` of UTF-8 before it. */
function truncateAfter(text: string, bytes: number, isAtLineEnd: boolean): number {
  const end = lengthWithin(text, bytes);
  const lineEnd = text.slice(0, end).lastIndexOf('\n');
  if (lineEnd !== -1) return lineEnd + 1;
  return isAtLineEnd ? 0 : end;
}

/** Returns the first line start, or else the first border of a code point, with at least `bytes` of UTF-8 before it. */
function truncateBefore(text: string, bytes: number): number {
  let start = lengthWithin(text, bytes);
  if (Buffer.byteLength(text.slice(0, start)) < bytes) start += text.codePointAt(start)! > 0xffff ? 2 : 1;
  const lineEnd = text.indexOf('\n', start - 1);
  return lineEnd === -1 || lineEnd === text.length - 1 ? start : lineEnd + 1;
}

/** Returns the length of the longest prefix of whole code points with at most `bytes` of UTF-8. */
function lengthWithin(text: string, bytes: number): number {
  let low = 0;
  let high = Math.min(text.length, bytes);
  while (low < high) {
    const middle = Math.ceil((low + high) / 2);
    if (Buffer.byteLength(text.slice(0, middle)) <= bytes) low = middle;
    else high = middle - 1;
  }
  return codePointBorder(text, low);
}
