import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { errorOutcome } from './error-outcomes.js';

const RETRY_AFTER_MS = 1_000;

/** The outcome of a call that needs the shared state, while that cannot be used (docs/spec/shared.md#failures). */
export const stateUnavailable = (message: string): ErrorOutcome =>
  errorOutcome('STATE_UNAVAILABLE', message, {
    data: { exitCode: -1, additionalData: { retryAfterMs: `${RETRY_AFTER_MS}` } },
  });
