import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { CallerLimits } from '../../settings/caller-limits.js';
import { errorOutcome } from '../results/error-outcomes.js';

/** The error of a call that a limit of its principal refuses. @param what is allowed, as a clause */
export function rateLimited(
  limit: keyof CallerLimits,
  { what, retryAfterMs }: { readonly what: string; readonly retryAfterMs: number },
): ErrorOutcome {
  const ms = Math.max(1, Math.ceil(retryAfterMs));
  return errorOutcome('RATE_LIMITED', `The call was not run: ${what} for this caller`, {
    hint: `Try again in ${ms} ms. The operator sets the limit (Limits.${limit}).`,
    data: { exitCode: -1, additionalData: { limit: `Limits.${limit}`, retryAfterMs: `${ms}` } },
  });
}
