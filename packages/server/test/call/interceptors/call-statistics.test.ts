import { describe, expect, it } from 'vitest';
import { DurationHistogram } from '../../../src/call/interceptors/call-statistics.js';

describe('quantiles of durations', () => {
  it.each([0.02, 0.5, 3, 42, 1_700, 90_000, 40_000_000])('are right to 5 %% at %d ms', (ms) => {
    const durations = new DurationHistogram();
    for (let count = 0; count < 99; count += 1) durations.add(ms);
    durations.add(ms * 10);
    expect(Math.abs(durations.quantile(0.5) - ms)).toBeLessThanOrEqual(Math.max(0.01, ms * 0.05));
    expect(Math.abs(durations.quantile(1) - ms * 10)).toBeLessThanOrEqual(ms * 0.5);
  });

  it('are 0 without durations, and take the largest there is', () => {
    const durations = new DurationHistogram();
    expect(durations.quantile(0.95)).toBe(0);
    durations.add(Number.MAX_SAFE_INTEGER);
    expect(durations.quantile(0.95)).toBeGreaterThan(1e8);
  });
});
