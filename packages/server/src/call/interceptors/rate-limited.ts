import type { ErrorOutcome } from '@mortise/plugin/runtime';
import type { CallerLimits } from '../../settings/caller-limits.js';
import { errorOutcome } from '../results/error-outcomes.js';

/** Returns the error for a call that exceeds a limit of its principal. @param reason a clause */
export function rateLimited(
  limit: keyof CallerLimits,
  { reason, retryAfterMs }: { readonly reason: string; readonly retryAfterMs: number },
): ErrorOutcome {
  const ms = Math.max(1, Math.ceil(retryAfterMs));
  return errorOutcome('RATE_LIMITED', `The call was not run: ${reason}`, {
    hint: `Try again in ${ms} ms. The operator sets the limit (Limits.${limit}).`,
    data: { exitCode: -1, additionalData: { limit: `Limits.${limit}`, retryAfterMs: `${ms}` } },
  });
}
