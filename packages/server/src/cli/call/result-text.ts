import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import type { CallResult } from '../../core/server-api.js';
import type { FileOf } from './out-folder.js';

/** Formats a result for people: text is not changed, and everything else becomes a note. */
export function resultText({ content, structuredContent }: CallResult, fileOf?: FileOf): string {
  if (content.length === 0 && structuredContent) return JSON.stringify(structuredContent, null, 2);
  return content.map((block) => blockText(block, fileOf)).join('\n');
}

/** Returns the envelope of a machine-readable result, which is one JSON document (docs/spec/contract.md#outcome). */
export function envelopeText({ content }: CallResult): string {
  const [envelope] = content;
  return envelope?.type === 'text' ? envelope.text : '';
}

/** Formats one block of a result. @param fileOf the file to which a part was written */
export function blockText(block: ContentBlock, fileOf: FileOf = () => undefined): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return note(block.mimeType, base64Bytes(block.data), fileOf(block));
    case 'resource_link':
      return `[${[block.name, block.mimeType, block.uri].filter(Boolean).join(', ')}]`;
    case 'resource':
      return contentsText(block.resource, () => fileOf(block));
  }
}

/** Formats the contents of a resource: text is not changed, and bytes become a note. */
export function contentsText(contents: ResourceContents, fileOf: FileOf = () => undefined): string {
  if ('text' in contents) return contents.text;
  return note(contents.mimeType ?? 'data', base64Bytes(contents.blob), contents.uri, fileOf(contents));
}

function note(mimeType: string, bytes: number, ...more: (string | undefined)[]): string {
  return `[${[mimeType, `${bytes} bytes`, ...more].filter((part) => part !== undefined).join(', ')}]`;
}

function base64Bytes(data: string): number {
  return Buffer.byteLength(data, 'base64');
}
