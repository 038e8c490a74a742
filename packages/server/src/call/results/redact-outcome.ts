import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import type { ErrorOutcome, OutcomeBlock, OutcomeError, SuccessOutcome } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import { clip } from './truncate.js';

/** A success or an error without secrets. Base64 is left alone: it is not text. */
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

/** What a caller provided is quoted with 200 characters at most; who made the error cannot cut it, for it was not redacted then. */
function withClippedValue(error: OutcomeError): OutcomeError {
  const { additionalData } = error.data ?? {};
  const value = additionalData?.providedValue;
  if (typeof value !== 'string' || clip(value) === value) return error;
  return { ...error, data: { ...error.data!, additionalData: { ...additionalData, providedValue: clip(value) } } };
}

function redactSuccess(outcome: SuccessOutcome, redactor: Redactor): SuccessOutcome {
  const { structured, metadata, meta, command, output, summary } = outcome;
  const content = redactBlocks(outcome.content, redactor);
  const clean = content === outcome.content ? outcome : { ...outcome, content };
  if ((structured ?? metadata ?? meta ?? command ?? output ?? summary) === undefined) return clean;
  return {
    ...clean,
    ...(structured && { structured: redactor.value(structured) }),
    ...(metadata && { metadata: redactor.value(metadata) }),
    ...(meta && { meta: redactor.value(meta) }),
    ...(command !== undefined && { command: redactor.text(command) }),
    ...(output !== undefined && { output: redactor.text(output) }),
    ...(summary !== undefined && { summary: redactor.text(summary) }),
  };
}

/** Content blocks without secrets: together, for one secret may be in several of them. The same if there is nothing to redact in one text. */
export function redactBlocks(blocks: ContentBlock[], redactor: Redactor): ContentBlock[];
export function redactBlocks(blocks: OutcomeBlock[], redactor: Redactor): OutcomeBlock[];
export function redactBlocks(blocks: OutcomeBlock[], redactor: Redactor): OutcomeBlock[] {
  const [only] = blocks;
  if (blocks.length === 1 && only!.type === 'text' && !only!.annotations && !only!._meta) {
    const text = redactor.text(only!.text);
    return text === only!.text ? blocks : [{ type: 'text', text }];
  }
  const redacted = redactor.value(blocks.map(withoutData));
  return redacted.map((block, at) => withData(block, blocks[at]!));
}

/** What a resource holds, without secrets. */
export function redactContents(contents: readonly ResourceContents[], redactor: Redactor): ResourceContents[] {
  const redacted = redactor.value(contents.map(withoutBlob));
  return redacted.map((item, at) => withBlob(item, contents[at]!));
}

/** Base64 of images, sounds and files is taken out before redaction, and put back. */
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
