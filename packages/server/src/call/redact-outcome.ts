import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import type { ErrorOutcome, OutcomeBlock, SuccessOutcome } from '@mortise/plugin/host';
import type { Redactor } from '../redact/redactor.js';

/** A success or an error without secrets. Base64 is left alone: it is no text. */
export function redactOutcome<O extends SuccessOutcome | ErrorOutcome>(outcome: O, redactor: Redactor): O {
  const { content, ...rest } = outcome;
  const clean = redactor.value(rest) as O;
  return content ? { ...clean, content: content.map((block) => redactBlock(block, redactor)) } : clean;
}

/** A content block without secrets. */
export function redactBlock(block: ContentBlock, redactor: Redactor): ContentBlock;
export function redactBlock(block: OutcomeBlock, redactor: Redactor): OutcomeBlock;
export function redactBlock(block: OutcomeBlock, redactor: Redactor): OutcomeBlock {
  switch (block.type) {
    case 'json':
      return { ...block, value: redactor.value(block.value) };
    case 'image':
    case 'audio': {
      const { data, ...rest } = block;
      return { ...redactor.value(rest), data };
    }
    case 'resource': {
      const { resource, ...rest } = block;
      return { ...redactor.value(rest), resource: redactContents(resource, redactor) };
    }
    default:
      return redactor.value(block);
  }
}

/** What a resource holds, without secrets. */
export function redactContents(contents: ResourceContents, redactor: Redactor): ResourceContents {
  if (!('blob' in contents)) return redactor.value(contents);
  const { blob, ...rest } = contents;
  return { ...redactor.value(rest), blob };
}
