import type { ContentBlock, ErrorResponse, FullOutput, JsonObject, JsonValue, TextBlock } from '@mortise/plugin';
import type { CallResult } from '../../core/server-api.js';
import { estimateJsonSize } from '../../util/json-size.js';
import type { OutputStore, StoredMedia } from './output-store.js';
import { truncateMiddle } from './truncate.js';

// What a result may have: first the characters of its texts, then the bytes of the whole.

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
  return truncateMiddle(text, Math.max(0, maxChars - NOTE_CHARS), noteOf(uri)).text;
}

const noteOf = (uri: string) => (chars: number) => `… ${chars} characters omitted; read all in ${uri} …`;

/** Bytes kept free for the note and the link when something is omitted. */
const NOTE_BYTES = 1000;

/**
 * Above the limit text is cut, structuredContent omitted, and a link to the whole added
 * (docs/spec/contract.md#result-bytes).
 * @param maxResultBytes the limit for content and structuredContent together
 * @param whole its blocks before texts were cut
 */
export function limitBytes(
  result: CallResult,
  maxResultBytes: number,
  whole: ContentBlock[],
  outputs: OutputStore,
): CallResult {
  if (!isLarger(result, maxResultBytes)) return result;
  let remainingBytes = Math.max(0, maxResultBytes - NOTE_BYTES);
  const blocks = result.content.map((block) => {
    const room = remainingBytes;
    const bytes = blockBytes(block);
    remainingBytes = Math.max(0, remainingBytes - bytes);
    return { block, room, fits: bytes <= room };
  });
  const media = blocks.flatMap(({ block, fits }) => (fits ? [] : mediaOf(block)));
  const uri = outputs.store(wholeText(whole, result.structuredContent), media);
  const content: ContentBlock[] = [];
  const omitted: string[] = [];
  for (const { block, room, fits } of blocks) {
    if (fits) content.push(block);
    else if (block.type === 'text') content.push(shortened(block, room, uri));
    else omitted.push(block.type);
  }
  const structuredContent = result.isError ? minimalError(result.structuredContent as JsonObject) : undefined;
  if (!result.isError && result.structuredContent !== undefined) omitted.push('structuredContent');
  if (omitted.length > 0) {
    const text = `Omitted, because the result exceeds ${maxResultBytes} bytes: ${omitted.join(', ')}. Read it in ${uri}`;
    content.push({ type: 'text', text });
  }
  content.push(linkToFullOutput(uri));
  return { content, ...(structuredContent ? { structuredContent } : {}), ...(result.isError ? { isError: true } : {}) };
}

/** The link to the full output of a call. */
export function linkToFullOutput(uri: string): ContentBlock {
  return { type: 'resource_link', uri, name: 'Whole output', mimeType: 'text/plain' };
}

/** The bytes of a block that is not a text. */
function mediaOf(block: ContentBlock): StoredMedia[] {
  if (block.type === 'image' || block.type === 'audio') return [{ mimeType: block.mimeType, blob: block.data }];
  if (block.type !== 'resource' || !('blob' in block.resource)) return [];
  const { mimeType, blob } = block.resource;
  return [{ ...(mimeType !== undefined && { mimeType }), blob }];
}

function shortened(block: TextBlock, maxBytes: number, uri: string): TextBlock {
  const share = block.text.length / Math.max(1, Buffer.byteLength(JSON.stringify(block.text)));
  return { ...block, text: truncateMiddle(block.text, Math.floor(maxBytes * share), noteOf(uri)).text };
}

/** The ErrorResponse with only its required members, so that the error is reported however large the rest was. */
function minimalError(structured: JsonObject): JsonObject {
  const { errors, exitCode, lockInfo, fullOutput } = structured as unknown as ErrorResponse;
  const shortErrors = errors.slice(0, 10).map(({ code, message, category, mcpErrorCode }) => ({
    code,
    message: message.slice(0, 2000),
    category,
    rawOutput: '',
    ...(mcpErrorCode === undefined ? {} : { mcpErrorCode }),
  }));
  return {
    success: false,
    errors: shortErrors,
    exitCode,
    ...(lockInfo ? { lockInfo } : {}),
    ...(fullOutput ? { fullOutput } : {}),
  } as unknown as JsonObject;
}

function wholeText(content: ContentBlock[], structuredContent: JsonValue | undefined): string {
  const texts = allText(content);
  return structuredContent !== undefined ? [texts, JSON.stringify(structuredContent, null, 2)].join('\n') : texts;
}

/** JSON escapes and UTF-8 make at most six bytes of a character. */
const MAX_BYTES_PER_CHAR = 6;

function isLarger(result: CallResult, maxBytes: number): boolean {
  const { content, structuredContent } = result;
  if (estimateJsonSize([content, structuredContent], maxBytes, 'atMost') * MAX_BYTES_PER_CHAR <= maxBytes) return false;
  return Buffer.byteLength(JSON.stringify([content, structuredContent])) > maxBytes;
}

function blockBytes(block: ContentBlock): number {
  return Buffer.byteLength(JSON.stringify(block));
}
