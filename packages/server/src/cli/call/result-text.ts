import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import type { CallResult } from '../../core/server-api.js';

/** A result as people read it: text as it is, and a note for everything that is not text. */
export function resultText({ content, structuredContent }: CallResult): string {
  if (content.length === 0 && structuredContent) return JSON.stringify(structuredContent, null, 2);
  return content.map(blockText).join('\n');
}

/** The envelope of a machine-readable result (docs/spec/contract.md#outcome): one JSON document. */
export function envelopeText({ content }: CallResult): string {
  const [envelope] = content;
  return envelope?.type === 'text' ? envelope.text : '';
}

export function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.mimeType}, ${base64Bytes(block.data)} bytes]`;
    case 'resource_link':
      return `[${[block.name, block.mimeType, block.uri].filter(Boolean).join(', ')}]`;
    case 'resource':
      return contentsText(block.resource);
  }
}

/** Text as it is, and a note for bytes. */
export function contentsText(contents: ResourceContents): string {
  if ('text' in contents) return contents.text;
  return `[${contents.mimeType ?? 'data'}, ${base64Bytes(contents.blob)} bytes, ${contents.uri}]`;
}

function base64Bytes(data: string): number {
  return Buffer.byteLength(data, 'base64');
}
