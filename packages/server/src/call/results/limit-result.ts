import type { ContentBlock, ErrorResponse, FullOutput, JsonObject, JsonValue, TextBlock } from '@mortise/plugin';
import type { CallResult } from '../../core/server-api.js';
import { estimateJsonSize } from '../../util/json-size.js';
import type { OutputStore, StoredMedia } from './output-store.js';
import { truncateMiddle } from './truncate.js';

// Two limits of a result: first the characters of all its texts, then the bytes of the complete result.

/** The full text that a truncated text links to. It is stored only if it is needed. */
export interface FullText {
  /** Stores the text on the first call, and returns the link to it. */
  refer(): FullOutput;
}

/** The length of the note in a truncated text, including its line ends. */
const NOTE_CHARS = 82;

/** Truncates a text that is longer than `maxChars` in its middle, with a note there that links to the full text. */
export function limitText(text: string, maxChars: number, fullText: FullText): string {
  return text.length <= maxChars ? text : truncate(text, maxChars, fullText);
}

/** Returns the text of a text block or of an embedded text resource. */
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
 * Limits the texts of all blocks together, including those of embedded resources: truncates the first text that does
 * not fit, drops later texts, and keeps all other blocks.
 */
export function limitTexts(blocks: ContentBlock[], maxChars: number, fullText: FullText): ContentBlock[] {
  if (textChars(blocks) <= maxChars) return blocks;
  const limited: ContentBlock[] = [];
  let remainingChars = maxChars;
  let isTruncated = false;
  for (const block of blocks) {
    const text = textOf(block);
    if (text === undefined) limited.push(block);
    else if (!isTruncated) {
      // A text that is kept must leave enough characters for the note of the next one.
      isTruncated = text.length > remainingChars - NOTE_CHARS;
      const maxTextChars = Math.min(remainingChars, text.length);
      limited.push(isTruncated ? withText(block, truncate(text, maxTextChars, fullText)) : block);
      remainingChars -= text.length + 1;
    }
  }
  return limited;
}

/** Returns the number of characters of all texts, including the line ends between them. */
export function textChars(blocks: readonly ContentBlock[]): number {
  let chars = -1;
  for (const block of blocks) chars += (textOf(block)?.length ?? -1) + 1;
  return Math.max(0, chars);
}

/** Returns all texts, joined by LF, as the full output has them. */
export function allText(blocks: readonly ContentBlock[]): string {
  return blocks.flatMap((block) => textOf(block) ?? []).join('\n');
}

function truncate(text: string, maxChars: number, fullText: FullText): string {
  const { uri } = fullText.refer();
  return truncateMiddle(text, Math.max(0, maxChars - NOTE_CHARS), noteOf(uri)).text;
}

const noteOf = (uri: string) => (chars: number) => `… ${chars} characters omitted; read all in ${uri} …`;

/** Bytes reserved for the note and the link if something is omitted. */
const NOTE_BYTES = 1000;

/** A result that has not been limited to bytes yet. */
export interface UnboundedResult {
  readonly result: CallResult;
  /** The blocks of the result before their texts were truncated. */
  readonly fullContent: ContentBlock[];
}

/**
 * Limits the bytes of content and structuredContent together: truncates texts, omits structuredContent, and adds a link
 * to the full output (docs/spec/contract.md#result-bytes).
 */
export function limitBytes(
  { result, fullContent }: UnboundedResult,
  maxResultBytes: number,
  outputs: OutputStore,
): CallResult {
  if (!isLarger(result, maxResultBytes)) return result;
  let remainingBytes = Math.max(0, maxResultBytes - NOTE_BYTES);
  const blocks = result.content.map((block) => {
    const maxBytes = remainingBytes;
    const bytes = blockBytes(block);
    remainingBytes = Math.max(0, remainingBytes - bytes);
    return { block, maxBytes, fits: bytes <= maxBytes };
  });
  const media = blocks.flatMap(({ block, fits }) => (fits ? [] : mediaOf(block)));
  const uri = outputs.store(fullOutputText(fullContent, result.structuredContent), media);
  const content: ContentBlock[] = [];
  const omitted: string[] = [];
  for (const { block, maxBytes, fits } of blocks) {
    if (fits) content.push(block);
    else if (block.type === 'text') content.push(shortened(block, maxBytes, uri));
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

export function linkToFullOutput(uri: string): ContentBlock {
  return { type: 'resource_link', uri, name: 'Whole output', mimeType: 'text/plain' };
}

/** Returns the base64 data of an image, a sound or an embedded file. */
function mediaOf(block: ContentBlock): StoredMedia[] {
  if (block.type === 'image' || block.type === 'audio') return [{ mimeType: block.mimeType, blob: block.data }];
  if (block.type !== 'resource' || !('blob' in block.resource)) return [];
  const { mimeType, blob } = block.resource;
  return [{ ...(mimeType !== undefined && { mimeType }), blob }];
}

function shortened(block: TextBlock, maxBytes: number, uri: string): TextBlock {
  const charsPerByte = block.text.length / Math.max(1, Buffer.byteLength(JSON.stringify(block.text)));
  return { ...block, text: truncateMiddle(block.text, Math.floor(maxBytes * charsPerByte), noteOf(uri)).text };
}

/** Reduces an ErrorResponse to its required members, so that the error is reported however large the rest is. */
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

function fullOutputText(content: ContentBlock[], structuredContent: JsonValue | undefined): string {
  const texts = allText(content);
  return structuredContent !== undefined ? [texts, JSON.stringify(structuredContent, null, 2)].join('\n') : texts;
}

/** A UTF-16 code unit has at most six bytes in JSON: `\u0000` for a control character, or three in UTF-8. */
const MAX_BYTES_PER_CHAR = 6;

function isLarger(result: CallResult, maxBytes: number): boolean {
  const { content, structuredContent } = result;
  if (estimateJsonSize([content, structuredContent], maxBytes, 'atMost') * MAX_BYTES_PER_CHAR <= maxBytes) return false;
  return Buffer.byteLength(JSON.stringify([content, structuredContent])) > maxBytes;
}

function blockBytes(block: ContentBlock): number {
  return Buffer.byteLength(JSON.stringify(block));
}
