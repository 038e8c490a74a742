import type { ContentBlock } from '@mortise/plugin';
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

function blockText(block: ContentBlock): string {
  switch (block.type) {
    case 'text':
      return block.text;
    case 'image':
    case 'audio':
      return `[${block.mimeType}, ${base64Bytes(block.data)} bytes]`;
    case 'resource_link':
      return `[${[block.name, block.mimeType, block.uri].filter(Boolean).join(', ')}]`;
    case 'resource':
      if ('text' in block.resource) return block.resource.text;
      return `[${block.resource.mimeType ?? 'data'}, ${base64Bytes(block.resource.blob)} bytes, ${block.resource.uri}]`;
  }
}

function base64Bytes(data: string): number {
  return Buffer.byteLength(data, 'base64');
}
