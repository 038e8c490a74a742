import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import { abortedOutcome } from '../../../src/call/results/error-outcomes.js';

describe('the outcome of a call that the server ended', () => {
  const own = (summary?: string): ErrorOutcome => ({
    kind: 'error',
    errors: [
      {
        code: 'OPERATION_CANCELLED',
        message: 'The operation was cancelled by the user',
        category: 'Cancellation',
        rawOutput: 'Restoring',
      },
    ],
    exitCode: -1,
    partialResult: { errorCount: 2, ...(summary !== undefined && { summary }) },
  });

  it('says in its data what its message says: that the server is shutting down', () => {
    const { errors, partialResult } = abortedOutcome('shut down', 0, own('The operation was cancelled by the user'));
    const message = 'The operation was cancelled: the server is shutting down';
    expect(errors).toMatchObject([{ message, rawOutput: 'Restoring' }]);
    expect(partialResult).toEqual({ errorCount: 2, summary: message });
  });

  it('has no summary in its data where the tool gave none, and keeps that of a cancelled call', () => {
    expect(abortedOutcome('shut down', 0, own()).partialResult).toEqual({ errorCount: 2 });
    const cancelled = own('The operation was cancelled by the user');
    expect(abortedOutcome('cancelled', 0, cancelled)).toBe(cancelled);
  });
});
