import { PLACEHOLDER } from '../placeholder.js';
import type { LinePart } from './base64-part.js';
import { type KeyLine, KeyLines } from './key-lines.js';

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
