import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCallDeadline } from '../../src/calls/deadline.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const calm = () => new AbortController().signal;

describe('the clock of a call', () => {
  it('fires at the deadline and says why', () => {
    const deadline = startCallDeadline(100, calm(), calm());
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.abortReason).toBe('timed out');
  });

  it('stands while a question is open, also when two are', () => {
    const deadline = startCallDeadline(100, calm(), calm());
    vi.advanceTimersByTime(60);
    const [first, second] = [deadline.suspend(), deadline.suspend()];
    vi.advanceTimersByTime(10_000);
    first();
    first();
    vi.advanceTimersByTime(10_000);
    expect(deadline.abortReason).toBeUndefined();
    second();
    vi.advanceTimersByTime(39);
    expect(deadline.abortReason).toBeUndefined();
    vi.advanceTimersByTime(2);
    expect(deadline.abortReason).toBe('timed out');
  });

  it('keeps the first reason', () => {
    const [caller, server] = [new AbortController(), new AbortController()];
    const deadline = startCallDeadline(100, caller.signal, server.signal);
    caller.abort();
    server.abort();
    vi.advanceTimersByTime(200);
    expect(deadline.abortReason).toBe('cancelled');
  });

  it('is cancelled at once by a signal that has fired already', () => {
    expect(startCallDeadline(100, AbortSignal.abort(), calm()).abortReason).toBe('cancelled');
  });

  it('does not fire after it was stopped', () => {
    const caller = new AbortController();
    const deadline = startCallDeadline(100, caller.signal, calm());
    deadline.stop();
    caller.abort();
    vi.advanceTimersByTime(1000);
    expect(deadline.abortReason).toBeUndefined();
  });
});
