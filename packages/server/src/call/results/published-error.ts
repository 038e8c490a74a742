import type { ErrorData, ErrorHelp, ErrorResponse, ErrorResult, PublishedErrorResponse } from '@mortise/plugin';
import { toMetadataText } from './metadata-text.js';

/**
 * Converts an ErrorResponse for machineReadable text, so that it has exactly the members of the published contract:
 * moves location and cause of an error to `data.additionalData`, and the URI of the full output to the metadata
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

/** @param help the entry of `codes`, if the error is the first with its code */
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
  const moved = toMetadataText({ file, line, column, rootCauseKind });
  if (moved === undefined) return data;
  return { ...data, additionalData: { ...moved, ...data?.additionalData } };
}
