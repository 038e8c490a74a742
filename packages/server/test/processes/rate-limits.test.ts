import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LogRateLimit, MessageRateLimit } from '../../src/processes/rate-limits.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('a limit of messages a second', () => {
  it('admits so many messages a second', () => {
    const rateLimit = new MessageRateLimit();
    const admitted = () => Array.from({ length: 6000 }, () => rateLimit.tryTake(10)).filter(Boolean).length;
    expect(admitted()).toBe(5000);
    vi.advanceTimersByTime(1000);
    expect(admitted()).toBe(5000);
  });

  it('admits so many bytes a second', () => {
    const rateLimit = new MessageRateLimit();
    expect([rateLimit.tryTake(9_000_000), rateLimit.tryTake(9_000_000)]).toEqual([true, false]);
  });
});

describe('a limit of log lines a second', () => {
  it('admits a second’s worth of lines, and tells once how many were left out', () => {
    const leftOut: number[] = [];
    const rateLimit = new LogRateLimit((lines) => leftOut.push(lines));
    const admitted = () => Array.from({ length: 1000 }, () => rateLimit.tryTake(28)).filter(Boolean).length;
    expect(admitted()).toBe(256);
    vi.advanceTimersByTime(1000);
    expect(leftOut).toEqual([744]);
    expect(admitted()).toBe(256);
    rateLimit.end();
    expect(leftOut).toEqual([744, 744]);
    vi.advanceTimersByTime(5000);
    expect(leftOut).toEqual([744, 744]);
  });

  it('leaves out a line that is too long, and nothing else', () => {
    const rateLimit = new LogRateLimit(() => {});
    expect([rateLimit.tryTake(70_000), rateLimit.tryTake(10)]).toEqual([false, true]);
  });
});
