import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import type { ErrorOutcome, OutcomeBlock, OutcomeError, SuccessOutcome } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import { clip } from './truncate.js';

/** Removes secrets from all texts and keys of an outcome. Base64 data of images, sounds and files is not changed. */
export function redactOutcome(outcome: SuccessOutcome, redactor: Redactor): SuccessOutcome;
export function redactOutcome(outcome: ErrorOutcome, redactor: Redactor): ErrorOutcome;
export function redactOutcome(
  outcome: SuccessOutcome | ErrorOutcome,
  redactor: Redactor,
): SuccessOutcome | ErrorOutcome;
export function redactOutcome(
  outcome: SuccessOutcome | ErrorOutcome,
  redactor: Redactor,
): SuccessOutcome | ErrorOutcome {
  return outcome.kind === 'success' ? redactSuccess(outcome, redactor) : redactError(outcome, redactor);
}

function redactError(outcome: ErrorOutcome, redactor: Redactor): ErrorOutcome {
  const { content, ...rest } = outcome;
  const redacted = redactor.value(rest);
  return {
    ...redacted,
    errors: redacted.errors.map(withClippedValue),
    ...(content && { content: redactBlocks(content, redactor) }),
  };
}

/**
 * Clips the quoted argument to 200 characters. This is done after redaction, because a clipped secret would not be
 * recognised.
 */
function withClippedValue(error: OutcomeError): OutcomeError {
  const { additionalData } = error.data ?? {};
  const value = additionalData?.providedValue;
  if (typeof value !== 'string' || clip(value) === value) return error;
  return { ...error, data: { ...error.data!, additionalData: { ...additionalData, providedValue: clip(value) } } };
}

function redactSuccess(outcome: SuccessOutcome, redactor: Redactor): SuccessOutcome {
  const { structured, metadata, meta, command, output, summary } = outcome;
  const content = redactBlocks(outcome.content, redactor);
  const withContent = content === outcome.content ? outcome : { ...outcome, content };
  if ((structured ?? metadata ?? meta ?? command ?? output ?? summary) === undefined) return withContent;
  return {
    ...withContent,
    ...(structured && { structured: redactor.value(structured) }),
    ...(metadata && { metadata: redactor.value(metadata) }),
    ...(meta && { meta: redactor.value(meta) }),
    ...(command !== undefined && { command: redactor.text(command) }),
    ...(output !== undefined && { output: redactor.text(output) }),
    ...(summary !== undefined && { summary: redactor.text(summary) }),
  };
}

/**
 * Removes secrets from content blocks. All blocks are redacted together, because one secret can span several of them.
 * Returns the same array for a single text without secrets.
 */
export function redactBlocks(blocks: ContentBlock[], redactor: Redactor): ContentBlock[];
export function redactBlocks(blocks: OutcomeBlock[], redactor: Redactor): OutcomeBlock[];
export function redactBlocks(blocks: OutcomeBlock[], redactor: Redactor): OutcomeBlock[] {
  const [first] = blocks;
  if (blocks.length === 1 && first!.type === 'text' && !first!.annotations && !first!._meta) {
    const text = redactor.text(first!.text);
    return text === first!.text ? blocks : [{ type: 'text', text }];
  }
  const redacted = redactor.value(blocks.map(withoutData));
  return redacted.map((block, index) => withData(block, blocks[index]!));
}

export function redactContents(contents: readonly ResourceContents[], redactor: Redactor): ResourceContents[] {
  const redacted = redactor.value(contents.map(withoutBlob));
  return redacted.map((item, index) => withBlob(item, contents[index]!));
}

/** Takes base64 data out before redaction; {@link withData} puts it back. */
function withoutData(block: OutcomeBlock): OutcomeBlock {
  if (block.type === 'image' || block.type === 'audio') return { ...block, data: '' };
  return block.type === 'resource' ? { ...block, resource: withoutBlob(block.resource) } : block;
}

function withData(redacted: OutcomeBlock, block: OutcomeBlock): OutcomeBlock {
  if ((block.type === 'image' || block.type === 'audio') && redacted.type === block.type)
    return { ...redacted, data: block.data };
  if (block.type === 'resource' && redacted.type === 'resource')
    return { ...redacted, resource: withBlob(redacted.resource, block.resource) };
  return redacted;
}

function withoutBlob(contents: ResourceContents): ResourceContents {
  return 'blob' in contents ? { ...contents, blob: '' } : contents;
}

function withBlob(redacted: ResourceContents, contents: ResourceContents): ResourceContents {
  return 'blob' in contents ? { ...redacted, blob: contents.blob } : redacted;
}
