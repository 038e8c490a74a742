import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { CallerRate } from '../../../src/call/interceptors/caller-rate.js';

describe('the rate of a principal', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
  afterEach(() => void vi.useRealTimers());

  /** How many of so many calls at once are let through. */
  const passed = (rate: CallerRate, calls = 1_000) =>
    Array.from({ length: calls }, () => rate.consume()).filter((refusal) => refusal === undefined).length;

  const retryAfterMs = (rate: CallerRate) => Number(rate.consume()!.errors[0]!.data!.additionalData!.retryAfterMs);

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
    expect(passed(rate, 3)).toBe(3);
    expect(rate.consume()!.errors[0]).toMatchObject({
      data: { additionalData: { limit: 'Limits.CallsPerSecond', retryAfterMs: '500' } },
    });
    vi.advanceTimersByTime(500);
    expect(passed(rate)).toBe(1);
  });

  it('tells calls that are refused together different times, at each of which one is let through', () => {
    const rate = new CallerRate({ CallsPerSecond: 10, Burst: 5 });
    passed(rate, 5);
    const waits = Array.from({ length: 5 }, () => retryAfterMs(rate));
    expect(waits).toEqual([100, 200, 300, 400, 500]);
    for (let n = 0; n < 5; n++) {
      vi.advanceTimersByTime(100);
      expect(rate.consume()).toBeUndefined();
    }
  });

  it('tells no one to wait for longer than the bucket takes to fill and one token more', () => {
    const rate = new CallerRate({ CallsPerSecond: 10, Burst: 5 });
    passed(rate, 10_000);
    expect(retryAfterMs(rate)).toBe(600);
    vi.advanceTimersByTime(60_000);
    passed(rate, 5);
    expect(retryAfterMs(rate)).toBe(100);
  });
});
