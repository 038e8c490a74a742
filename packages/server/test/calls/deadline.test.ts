import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { startCallClock } from '../../src/calls/deadline.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const calm = () => new AbortController().signal;

describe('the clock of a call', () => {
  it('fires at the deadline and says why', () => {
    const clock = startCallClock(100, calm(), calm());
    vi.advanceTimersByTime(99);
    expect(clock.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(clock.ending).toBe('timed out');
  });

  it('stands while a question is open, also when two are', () => {
    const clock = startCallClock(100, calm(), calm());
    vi.advanceTimersByTime(60);
    const [first, second] = [clock.pause(), clock.pause()];
    vi.advanceTimersByTime(10_000);
    first();
    first();
    vi.advanceTimersByTime(10_000);
    expect(clock.ending).toBeUndefined();
    second();
    vi.advanceTimersByTime(39);
    expect(clock.ending).toBeUndefined();
    vi.advanceTimersByTime(2);
    expect(clock.ending).toBe('timed out');
  });

  it('keeps the first reason', () => {
    const [caller, server] = [new AbortController(), new AbortController()];
    const clock = startCallClock(100, caller.signal, server.signal);
    caller.abort();
    server.abort();
    vi.advanceTimersByTime(200);
    expect(clock.ending).toBe('cancelled');
  });

  it('is cancelled at once by a signal that has fired already', () => {
    expect(startCallClock(100, AbortSignal.abort(), calm()).ending).toBe('cancelled');
  });

  it('does not fire after it was stopped', () => {
    const caller = new AbortController();
    const clock = startCallClock(100, caller.signal, calm());
    clock.stop();
    caller.abort();
    vi.advanceTimersByTime(1000);
    expect(clock.ending).toBeUndefined();
  });
});
