import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { TokenBucket } from '../../src/util/token-bucket.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }));
afterEach(() => void vi.useRealTimers());

describe('a token bucket', () => {
  it('is full at first, fills at its rate, and holds no more than its size', () => {
    const bucket = new TokenBucket(3, 10);
    const taken = () => Array.from({ length: 100 }, () => bucket.tryTake()).filter(Boolean).length;
    expect(taken()).toBe(3);
    expect(bucket.waitMs()).toBe(100);
    vi.advanceTimersByTime(200);
    expect(taken()).toBe(2);
    vi.advanceTimersByTime(60_000);
    expect(taken()).toBe(3);
  });

  it('takes several tokens at a time, all or none', () => {
    const bucket = new TokenBucket(10);
    expect([bucket.tryTake(7), bucket.tryTake(4), bucket.tryTake(3), bucket.tryTake(11)]).toEqual([
      true,
      false,
      true,
      false,
    ]);
  });

  it('owes what is taken beyond its content, until it has come back', () => {
    const bucket = new TokenBucket(10);
    bucket.take(25);
    expect(bucket.waitMs()).toBe(1600);
    vi.advanceTimersByTime(1599);
    expect(bucket.tryTake()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(bucket.tryTake()).toBe(true);
  });

  it('gives no more than its size and what has come back, and has a token after the time it tells', () => {
    const steps = fc.array(
      fc.record({ count: fc.integer({ min: 1, max: 8 }), waitMs: fc.integer({ min: 0, max: 300 }) }),
    );
    fc.assert(
      fc.property(fc.integer({ min: 8, max: 20 }), fc.integer({ min: 1, max: 50 }), steps, (size, perSecond, all) => {
        const bucket = new TokenBucket(size, perSecond);
        const startedAt = performance.now();
        let taken = 0;
        for (const { count, waitMs } of all) {
          if (bucket.tryTake(count)) taken += count;
          vi.advanceTimersByTime(waitMs);
        }
        expect(taken).toBeLessThanOrEqual(size + ((performance.now() - startedAt) * perSecond) / 1000 + 1e-6);
        vi.advanceTimersByTime(Math.ceil(bucket.waitMs()) + 1);
        expect(bucket.tryTake()).toBe(true);
      }),
    );
  });
});
