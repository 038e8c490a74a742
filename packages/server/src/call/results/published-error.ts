import type { ErrorData, ErrorHelp, ErrorResponse, ErrorResult, PublishedErrorResponse } from '@mortise/plugin';
import { toMetadataText } from './metadata-text.js';

/**
 * An ErrorResponse with exactly the members of the published contract, for machineReadable text: the place and the cause of
 * an error are in `data.additionalData`, and the URI of the full output is in the metadata
 * (docs/spec/contract.md#published-members).
 */
export function publishedError(response: ErrorResponse): PublishedErrorResponse {
  const { errors, exitCode, codes = {}, metadata, fullOutput } = response;
  const texts = toMetadataText({ ...metadata, ...(fullOutput && { fullOutput: fullOutput.uri }) });
  const isFirstOfCode = (error: ErrorResult) => errors.find(({ code }) => code === error.code) === error;
  return {
    success: false,
    errors: errors.map((error) => publishedEntry(error, isFirstOfCode(error) ? codes[error.code] : undefined)),
    exitCode,
    ...(texts && { metadata: texts }),
  };
}

/** @param help what `codes` has for the first error of its code */
function publishedEntry(error: ErrorResult, help: ErrorHelp | undefined): PublishedErrorResponse['errors'][number] {
  const { code, message, category, rawOutput, alternatives, mcpErrorCode } = error;
  const { hint, explanation, documentationUrl, suggestedFixes } = { ...help, ...error };
  const data = publishedData({ ...help, ...error });
  return {
    code,
    message,
    category,
    ...(hint !== undefined && { hint }),
    ...(explanation !== undefined && { explanation }),
    ...(documentationUrl !== undefined && { documentationUrl }),
    ...(suggestedFixes !== undefined && { suggestedFixes }),
    ...(alternatives !== undefined && { alternatives }),
    rawOutput,
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...(data && { data }),
  };
}

function publishedData({ data, file, line, column, rootCauseKind }: ErrorResult): ErrorData | undefined {
  const place = toMetadataText({ file, line, column, rootCauseKind });
  if (place === undefined) return data;
  return { ...data, additionalData: { ...place, ...data?.additionalData } };
}
