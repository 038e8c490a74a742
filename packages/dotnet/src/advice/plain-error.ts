import { type ErrorCode, type ErrorResult, errorCodeEntry } from '@mortise/plugin';

type Details = Pick<ErrorResult, 'hint' | 'explanation' | 'alternatives' | 'data'>;

/**
 * Builds an entry of `errors[]` for an error that no command printed. Its `rawOutput` is empty
 * (docs/spec/contract.md#published-contract). The category, and the hint if none is given, are those of the code.
 */
export function errorEntry(
  code: ErrorCode,
  message: string,
  { hint, explanation, alternatives, data }: Details,
): ErrorResult {
  const { category, mcpErrorCode, hint: usualHint } = errorCodeEntry(code)!;
  const advice = hint ?? usualHint;
  return {
    code,
    message,
    category,
    ...(advice !== undefined && { hint: advice }),
    ...(explanation !== undefined && { explanation }),
    ...(alternatives !== undefined && { alternatives }),
    rawOutput: '',
    ...(mcpErrorCode !== undefined && { mcpErrorCode }),
    ...(data !== undefined && { data }),
  };
}
