import type { ContentBlock, ErrorResponse, FullOutput, JsonObject, SuccessResult } from '@mortise/plugin';
import type { ErrorOutcome, SuccessOutcome } from '@mortise/plugin/runtime';
import { blocksText, blockText } from './error-outcomes.js';
import { toErrorResult } from './error-result.js';
import { toMetadataText } from './metadata-text.js';

/** Converts the outcome to an ErrorResponse, without the partial result. */
export function errorResponse(outcome: ErrorOutcome, fullOutput?: FullOutput): ErrorResponse {
  return {
    success: false,
    errors: outcome.errors.map(toErrorResult),
    exitCode: failedExitCode(outcome.exitCode),
    ...(isEmpty(outcome.codes) ? {} : { codes: outcome.codes }),
    ...(isEmpty(outcome.metadata) ? {} : { metadata: outcome.metadata }),
    ...(outcome.lockInfo ? { lockInfo: outcome.lockInfo } : {}),
    ...(fullOutput ? { fullOutput } : {}),
  };
}

/** Replaces 0, which a failure must not have, by −1 (docs/spec/contract.md#command-failed). */
function failedExitCode(exitCode: number): number {
  return exitCode === 0 ? -1 : exitCode;
}

/**
 * Converts the outcome to a SuccessResult for machineReadable text, with exactly the members of the published contract.
 * @param fullOutput the link for the metadata, if `output` was truncated
 */
export function successEnvelope(outcome: SuccessOutcome, output: string, fullOutput?: FullOutput): SuccessResult {
  const { summary, exitCode: processExitCode = 0 } = outcome;
  const metadata = toMetadataText({
    ...outcome.metadata,
    ...(summary !== undefined && { summary }),
    ...(processExitCode !== 0 && { processExitCode }),
    ...(fullOutput && { fullOutput: fullOutput.uri }),
  });
  return {
    success: true,
    ...(outcome.command === undefined ? {} : { command: outcome.command }),
    output,
    exitCode: 0,
    ...(metadata && { metadata }),
  };
}

/**
 * Returns the structuredContent of a success: the tool's own value; otherwise its metadata if the tool has an
 * outputSchema; otherwise content and metadata together; undefined if the tool returned none of these
 * (docs/spec/plugin-results.md#structured-content).
 */
export function successStructure(
  outcome: SuccessOutcome,
  { hasOutputSchema }: { readonly hasOutputSchema: boolean },
): JsonObject | undefined {
  if (outcome.structured) return outcome.structured;
  if (isEmpty(outcome.metadata)) return undefined;
  if (hasOutputSchema) return outcome.metadata;
  const content = outcome.contentIsText ? blocksText(outcome.content) : outcome.content.map(blockSummary);
  return { content, metadata: outcome.metadata! } as JsonObject;
}

function blockSummary(block: SuccessOutcome['content'][number]): JsonObject {
  const text = blockText(block);
  if (text !== undefined) return { type: 'text', text };
  const mimeType = mimeTypeOf(block as ContentBlock);
  return { type: block.type, ...(mimeType === undefined ? {} : { mimeType }) };
}

function mimeTypeOf(block: ContentBlock): string | undefined {
  if (block.type === 'resource') return block.resource.mimeType;
  return block.type === 'text' ? undefined : block.mimeType;
}

function isEmpty(object: object | undefined): boolean {
  return object === undefined || Object.keys(object).length === 0;
}
