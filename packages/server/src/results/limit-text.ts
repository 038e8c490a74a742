import type { ContentBlock, FullOutput } from '@mortise/plugin';
import { truncateMiddle } from './truncate.js';

/** What a cut text refers to. */
export interface Whole {
  refer(): FullOutput;
}

/** Room for the note in a cut text, with its line ends. */
const NOTE_CHARS = 82;

/** A text of at most `maxChars` characters; a longer one gets a note in its middle that links to the full text. */
export function limitText(text: string, maxChars: number, whole: Whole): string {
  return text.length <= maxChars ? text : truncate(text, maxChars, whole);
}

/**
 * Blocks whose texts have at most `maxChars` characters together: the text that does not fit is cut, and later texts are
 * dropped. What is not text stays.
 */
export function limitTexts(blocks: ContentBlock[], maxChars: number, whole: Whole): ContentBlock[] {
  if (textChars(blocks) <= maxChars) return blocks;
  const limited: ContentBlock[] = [];
  let room = maxChars;
  let isTruncated = false;
  for (const block of blocks) {
    if (block.type !== 'text') limited.push(block);
    else if (!isTruncated) {
      // Until the cut there must be room for its note.
      isTruncated = block.text.length > room - NOTE_CHARS;
      limited.push(
        isTruncated ? { ...block, text: truncate(block.text, Math.min(room, block.text.length), whole) } : block,
      );
      room -= block.text.length + 1;
    }
  }
  return limited;
}

/** The number of characters of all text blocks, including the line ends between them. */
export function textChars(blocks: readonly ContentBlock[]): number {
  let chars = -1;
  for (const block of blocks) if (block.type === 'text') chars += block.text.length + 1;
  return Math.max(0, chars);
}

function truncate(text: string, maxChars: number, whole: Whole): string {
  const { uri } = whole.refer();
  const note = (chars: number) => `… ${chars} characters omitted; read all in ${uri} …`;
  return truncateMiddle(text, Math.max(0, maxChars - NOTE_CHARS), note).text;
}
