import type { ContentBlock, FullOutput, TextBlock } from '@mortise/plugin';
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

/** The text of a block that counts: of a text block, or of an embedded resource that is text. */
function textOf(block: ContentBlock): string | undefined {
  if (block.type === 'text') return block.text;
  return block.type === 'resource' && 'text' in block.resource ? block.resource.text : undefined;
}

function withText(block: ContentBlock, text: string): ContentBlock {
  return block.type === 'resource'
    ? { ...block, resource: { ...block.resource, text } }
    : ({ ...block, text } as TextBlock);
}

/**
 * Blocks whose texts have at most `maxChars` characters together, those of embedded resources included: the text that does not fit is cut, and
 * later texts are dropped. What is not text stays.
 */
export function limitTexts(blocks: ContentBlock[], maxChars: number, whole: Whole): ContentBlock[] {
  if (textChars(blocks) <= maxChars) return blocks;
  const limited: ContentBlock[] = [];
  let room = maxChars;
  let isTruncated = false;
  for (const block of blocks) {
    const text = textOf(block);
    if (text === undefined) limited.push(block);
    else if (!isTruncated) {
      // Until the cut there must be room for its note.
      isTruncated = text.length > room - NOTE_CHARS;
      limited.push(isTruncated ? withText(block, truncate(text, Math.min(room, text.length), whole)) : block);
      room -= text.length + 1;
    }
  }
  return limited;
}

/** The number of characters of all texts, including the line ends between them. */
export function textChars(blocks: readonly ContentBlock[]): number {
  let chars = -1;
  for (const block of blocks) chars += (textOf(block)?.length ?? -1) + 1;
  return Math.max(0, chars);
}

/** All texts, joined by LF: what the link of a cut text leads to. */
export function allText(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => textOf(block) ?? []).join('\n');
}

function truncate(text: string, maxChars: number, whole: Whole): string {
  const { uri } = whole.refer();
  const note = (chars: number) => `… ${chars} characters omitted; read all in ${uri} …`;
  return truncateMiddle(text, Math.max(0, maxChars - NOTE_CHARS), note).text;
}
