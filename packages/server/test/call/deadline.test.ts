import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallDeadlines } from '../../src/call/deadline.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

const calm = () => new AbortController().signal;
const start = (ms: number, caller: AbortSignal, server: AbortSignal) => new CallDeadlines(server).start(ms, caller);

describe('the clock of a call', () => {
  it('fires at the deadline and says why', () => {
    const deadline = start(100, calm(), calm());
    vi.advanceTimersByTime(99);
    expect(deadline.signal.aborted).toBe(false);
    vi.advanceTimersByTime(1);
    expect(deadline.abortReason).toBe('timed out');
  });

  it('stands while a question is open, also when two are', () => {
    const deadline = start(100, calm(), calm());
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
    const deadline = start(100, caller.signal, server.signal);
    caller.abort();
    server.abort();
    vi.advanceTimersByTime(200);
    expect(deadline.abortReason).toBe('cancelled');
  });

  it('is cancelled at once by a signal that has fired already', () => {
    expect(start(100, AbortSignal.abort(), calm()).abortReason).toBe('cancelled');
  });

  it('is shut down at once by a server that has ended already', () => {
    expect(start(100, calm(), AbortSignal.abort()).abortReason).toBe('shut down');
  });

  it('hears of the shutdown while its clock stands', () => {
    const server = new AbortController();
    const deadline = start(100, calm(), server.signal);
    deadline.suspend();
    server.abort();
    expect(deadline.abortReason).toBe('shut down');
  });

  it('fires for each of many calls after its own time, whatever their lengths and whichever ended before', () => {
    const deadlines = new CallDeadlines(calm());
    const [first, second] = [deadlines.start(100, calm()), deadlines.start(100, calm())];
    const long = deadlines.start(150, calm());
    first.stop();
    vi.advanceTimersByTime(50);
    const third = deadlines.start(100, calm());
    const reasons = () => [first, second, third, long].map(({ abortReason }) => abortReason);
    vi.advanceTimersByTime(50);
    expect(reasons()).toEqual([undefined, 'timed out', undefined, undefined]);
    vi.advanceTimersByTime(50);
    expect(reasons()).toEqual([undefined, 'timed out', 'timed out', 'timed out']);
  });

  it('starts no timer when a question is answered after the call has ended', () => {
    const deadline = start(100, calm(), calm());
    const resume = deadline.suspend();
    deadline.stop();
    resume();
    expect(vi.getTimerCount()).toBe(0);
    vi.advanceTimersByTime(1000);
    expect(deadline.abortReason).toBeUndefined();
  });

  it('does not fire after it was stopped', () => {
    const caller = new AbortController();
    const deadline = start(100, caller.signal, calm());
    deadline.stop();
    caller.abort();
    vi.advanceTimersByTime(1000);
    expect(deadline.abortReason).toBeUndefined();
  });
});
