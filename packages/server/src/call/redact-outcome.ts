import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import type { ErrorOutcome, OutcomeBlock, SuccessOutcome } from '@mortise/plugin/host';
import type { Redactor } from '../redact/redactor.js';

/** A success or an error without secrets. Base64 is left alone: it is no text. */
export function redactOutcome<O extends SuccessOutcome | ErrorOutcome>(outcome: O, redactor: Redactor): O {
  const { content } = outcome;
  const clean =
    outcome.kind === 'success' ? redactSuccess(outcome, redactor) : redactor.value({ ...outcome, content: undefined });
  return { ...clean, ...(content && { content: content.map((block) => redactBlock(block, redactor)) }) } as O;
}

function redactSuccess(
  { structured, metadata, command, output, ...rest }: SuccessOutcome,
  redactor: Redactor,
): SuccessOutcome {
  return {
    ...rest,
    ...(structured && { structured: redactor.value(structured) }),
    ...(metadata && { metadata: redactor.value(metadata) }),
    ...(command !== undefined && { command: redactor.text(command) }),
    ...(output !== undefined && { output: redactor.text(output) }),
  };
}

/** A content block without secrets. */
export function redactBlock(block: ContentBlock, redactor: Redactor): ContentBlock;
export function redactBlock(block: OutcomeBlock, redactor: Redactor): OutcomeBlock;
export function redactBlock(block: OutcomeBlock, redactor: Redactor): OutcomeBlock {
  switch (block.type) {
    case 'text':
      return block.annotations || block._meta
        ? redactor.value(block)
        : { type: 'text', text: redactor.text(block.text) };
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
