import type { ContentBlock, ResourceContents } from '@mortise/plugin';
import type { ErrorOutcome, OutcomeBlock, OutcomeError, SuccessOutcome } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import { clip } from '../results/truncate.js';

/** A success or an error without secrets. Base64 is left alone: it is not text. */
export function redactOutcome<O extends SuccessOutcome | ErrorOutcome>(outcome: O, redactor: Redactor): O {
  const { content } = outcome;
  const clean = outcome.kind === 'success' ? redactSuccess(outcome, redactor) : redactError(outcome, redactor);
  return { ...clean, ...(content && { content: redactBlocks(content, redactor) }) } as O;
}

function redactError(outcome: ErrorOutcome, redactor: Redactor): ErrorOutcome {
  const redacted = redactor.value({ ...outcome, content: undefined });
  return { ...redacted, errors: redacted.errors.map(withClippedValue) };
}

/** What a caller provided is quoted with 200 characters at most; who made the error cannot cut it, for it was not redacted then. */
function withClippedValue(error: OutcomeError): OutcomeError {
  const { additionalData } = error.data ?? {};
  const value = additionalData?.providedValue;
  if (typeof value !== 'string' || clip(value) === value) return error;
  return { ...error, data: { ...error.data!, additionalData: { ...additionalData, providedValue: clip(value) } } };
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

/** Content blocks without secrets: together, for one secret may be in several of them. */
export function redactBlocks(blocks: readonly ContentBlock[], redactor: Redactor): ContentBlock[];
export function redactBlocks(blocks: readonly OutcomeBlock[], redactor: Redactor): OutcomeBlock[];
export function redactBlocks(blocks: readonly OutcomeBlock[], redactor: Redactor): OutcomeBlock[] {
  const [only] = blocks;
  if (blocks.length === 1 && only!.type === 'text' && !only!.annotations && !only!._meta)
    return [{ type: 'text', text: redactor.text(only!.text) }];
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
