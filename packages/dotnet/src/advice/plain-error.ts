import { type ErrorCode, type ErrorResult, errorCodeEntry } from '@mortise/plugin';

type Details = Pick<ErrorResult, 'hint' | 'explanation' | 'alternatives' | 'data'>;

/**
 * An entry of `errors[]` where no command has printed anything: its rawOutput is empty
 * (docs/spec/contract.md#published-contract).
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
