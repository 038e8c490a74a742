import { errorCodeEntry } from '../error-codes.js';
import { type AnyCallResult, type ParsedResult, parseResult } from './parse-result.js';

/**
 * Whether the same call can succeed later without a change, because it was refused before anything ran; then the time to
 * wait (docs/error-codes.md).
 */
export function isRetryable(result: AnyCallResult | ParsedResult): false | { readonly afterMs: number } {
  const parsed = 'ok' in result ? result : parseResult(result);
  if (parsed.ok) return false;
  const [{ code, data }] = parsed.errors;
  const afterMs = errorCodeEntry(code)?.retryAfterMs;
  if (afterMs === undefined) return false;
  const given = Number(data?.additionalData?.retryAfterMs);
  return { afterMs: Number.isFinite(given) && given >= 0 ? given : afterMs };
}
