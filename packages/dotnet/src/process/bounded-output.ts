import type { OutputStream } from './command-run.js';
import { codePointBorder } from './line-splitter.js';

interface Block {
  readonly text: string;
  readonly stream: OutputStream;
  readonly bytes: number;
}

/** What was kept of a command's output. */
export interface RetainedOutput {
  readonly output: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly omittedBytes: number;
}

/** Keeps the first and the last half of `maxBytes` of UTF-8; whole lines in between are omitted. */
export interface BoundedOutput {
  /** Whole lines, or a piece of a long one. */
  add(text: string, stream: OutputStream): void;
  /** If something was omitted, a line gives the amount. */
  read(): RetainedOutput;
}

export function createBoundedOutput(maxBytes: number): BoundedOutput {
  const half = Math.floor(maxBytes / 2);
  const head: Block[] = [];
  let headBytes = 0;
  let isHeadFull = false;
  /** Blocks before `tailStart` have been given up. */
  let last: Block[] = [];
  let tailStart = 0;
  let tailBytes = 0;
  const omitted = { stdout: 0, stderr: 0 };

  function addToTail(block: Block): void {
    last.push(block);
    tailBytes += block.bytes;
    while (tailBytes - last[tailStart]!.bytes >= half && tailStart < last.length - 1) {
      const { bytes, stream } = last[tailStart]!;
      tailStart += 1;
      tailBytes -= bytes;
      omitted[stream] += bytes;
    }
    if (tailStart > 1024 && tailStart * 2 > last.length) {
      last = last.slice(tailStart);
      tailStart = 0;
    }
  }

  return {
    add(text, stream) {
      const block = blockOf(text, stream);
      if (isHeadFull) {
        addToTail(block);
      } else if (headBytes + block.bytes <= half) {
        head.push(block);
        headBytes += block.bytes;
      } else {
        isHeadFull = true;
        const isAtLineEnd = head.at(-1)?.text.endsWith('\n') ?? false;
        const end = truncateAfter(text, half - headBytes, isAtLineEnd);
        if (end > 0) head.push(blockOf(text.slice(0, end), stream));
        addToTail(blockOf(text.slice(end), stream));
      }
    },
    read() {
      const lastBlocks = last.slice(tailStart);
      const left = { ...omitted };
      const [first] = lastBlocks;
      if (first && tailBytes > half) {
        const rest = blockOf(first.text.slice(truncateBefore(first.text, tailBytes - half)), first.stream);
        left[first.stream] += first.bytes - rest.bytes;
        lastBlocks[0] = rest;
      }
      const only = (stream: OutputStream) => (block: Block) => block.stream === stream;
      const omittedBytes = left.stdout + left.stderr;
      return {
        output: joinParts(head, omittedBytes, lastBlocks),
        stdout: joinParts(head.filter(only('stdout')), left.stdout, lastBlocks.filter(only('stdout'))),
        stderr: joinParts(head.filter(only('stderr')), left.stderr, lastBlocks.filter(only('stderr'))),
        omittedBytes,
      };
    },
  };
}

function blockOf(text: string, stream: OutputStream): Block {
  return { text, stream, bytes: Buffer.byteLength(text) };
}

function joinParts(head: readonly Block[], omittedBytes: number, last: readonly Block[]): string {
  const text = (blocks: readonly Block[]) => blocks.map((block) => block.text).join('');
  if (omittedBytes === 0) return text(head) + text(last);
  const newLine = head.length === 0 || head.at(-1)!.text.endsWith('\n') ? '' : '\n';
  return `${text(head)}${newLine}[${omittedBytes} bytes omitted]\n${text(last)}`;
}

/** The greatest cut with at most `bytes` of UTF-8 before it: at a line end, else at a code point. */
function truncateAfter(text: string, bytes: number, isAtLineEnd: boolean): number {
  const end = lengthWithin(text, bytes);
  const lineEnd = text.slice(0, end).lastIndexOf('\n');
  if (lineEnd !== -1) return lineEnd + 1;
  return isAtLineEnd ? 0 : end;
}

/** The least cut with at least `bytes` of UTF-8 before it: at a line start, else at a code point. */
function truncateBefore(text: string, bytes: number): number {
  let start = lengthWithin(text, bytes);
  if (Buffer.byteLength(text.slice(0, start)) < bytes) start += text.codePointAt(start)! > 0xffff ? 2 : 1;
  const lineEnd = text.indexOf('\n', start - 1);
  return lineEnd === -1 || lineEnd === text.length - 1 ? start : lineEnd + 1;
}

/** The characters of the longest beginning of whole code points that has at most `bytes` of UTF-8. */
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
