import type { Outcome } from '../runtime/outcome.js';
import type { CallOptions } from './call-options.js';
import { serverRules } from './server-rules.js';

/**
 * Runs a call that the test can cancel and that has a time limit. If the call is ended, its outcome is the same as from
 * the server. There is no grace period: the test waits until the code has ended.
 * @param work gets the signal that the code receives
 */
export async function withEnd<O extends { kind: string }, R>(
  { signal, timeoutMs = Number.POSITIVE_INFINITY }: Pick<CallOptions, 'signal' | 'timeoutMs'>,
  work: (signal: AbortSignal) => Promise<{ outcome: O; record: R }>,
): Promise<{ outcome: O; record: R }> {
  const controller = new AbortController();
  let reason: 'cancelled' | 'timed out' | undefined;
  const end = (why: 'cancelled' | 'timed out') => {
    reason ??= why;
    controller.abort(signal?.reason);
  };
  const cancel = () => end('cancelled');
  if (signal?.aborted) cancel();
  signal?.addEventListener('abort', cancel);
  const timer = Number.isFinite(timeoutMs) ? setTimeout(() => end('timed out'), timeoutMs) : undefined;
  try {
    const { outcome, record } = await work(controller.signal);
    if (reason === undefined) return { outcome, record };
    const { abortedOutcome } = await serverRules();
    return { outcome: abortedOutcome(reason, timeoutMs, outcome as unknown as Outcome) as unknown as O, record };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', cancel);
  }
}
