import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallerRate } from '../../../src/calls/interceptors/caller-rate.js';

describe('the rate of a principal', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** How many of so many calls at once are let through. */
  const passed = (rate: CallerRate, calls = 1_000) =>
    Array.from({ length: calls }, () => rate.consume()).filter((refusal) => refusal === undefined).length;

  it('lets Burst calls through at once, then CallsPerSecond in each second, and Burst again after a pause', () => {
    const rate = new CallerRate({ CallsPerSecond: 5, Burst: 20 });
    expect(passed(rate)).toBe(20);
    for (let second = 0; second < 60; second++) {
      vi.advanceTimersByTime(1_000);
      expect(passed(rate)).toBe(5);
    }
    vi.advanceTimersByTime(4_000);
    expect(passed(rate)).toBe(20);
    vi.advanceTimersByTime(3_600_000);
    expect(passed(rate)).toBe(20);
  });

  it('has a bucket of CallsPerSecond where there is no Burst, and a smaller one that spaces calls out', () => {
    expect(passed(new CallerRate({ CallsPerSecond: 5 }))).toBe(5);
    const spaced = new CallerRate({ CallsPerSecond: 10, Burst: 1 });
    expect(passed(spaced)).toBe(1);
    vi.advanceTimersByTime(99);
    expect(passed(spaced)).toBe(0);
    vi.advanceTimersByTime(1);
    expect(passed(spaced)).toBe(1);
  });

  it('says when a call is let through again, to which refused calls make no difference', () => {
    const rate = new CallerRate({ CallsPerSecond: 2, Burst: 3 });
    expect(passed(rate)).toBe(3);
    expect(rate.consume()!.errors[0]).toMatchObject({
      data: { additionalData: { limit: 'Limits.CallsPerSecond', retryAfterMs: '500' } },
    });
    vi.advanceTimersByTime(500);
    expect(passed(rate)).toBe(1);
  });
});
