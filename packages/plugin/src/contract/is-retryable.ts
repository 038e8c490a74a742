import { errorCodeEntry } from '../error-codes.js';
import { type AnyCallResult, type ParsedResult, parseResult } from './parse-result.js';

/**
 * The time to wait before the same call can succeed, if it was refused before anything ran; otherwise false
 * (docs/error-codes.md).
 */
export function isRetryable(result: AnyCallResult | ParsedResult): false | { readonly afterMs: number } {
  const parsed = 'ok' in result ? result : parseResult(result);
  if (parsed.ok) return false;
  const [{ code, data }] = parsed.errors;
  const defaultMs = errorCodeEntry(code)?.retryAfterMs;
  if (defaultMs === undefined) return false;
  const ownMs = Number(data?.additionalData?.retryAfterMs);
  return { afterMs: Number.isFinite(ownMs) && ownMs >= 0 ? ownMs : defaultMs };
}
