import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import type { CallResult } from '../../core/server-api.js';
import type { FileOf } from './out-folder.js';

/** A result as people read it: text as it is, and a note for everything that is not text. */
export function resultText({ content, structuredContent }: CallResult, fileOf?: FileOf): string {
  if (content.length === 0 && structuredContent) return JSON.stringify(structuredContent, null, 2);
  return content.map((block) => blockText(block, fileOf)).join('\n');
}

/** The envelope of a machine-readable result (docs/spec/contract.md#outcome): one JSON document. */
export function envelopeText({ content }: CallResult): string {
  const [envelope] = content;
  return envelope?.type === 'text' ? envelope.text : '';
}

/** @param fileOf the file in which the part was written */
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

/** Text as it is, and a note for bytes. */
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
