import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createProgressLimiter } from '../../src/calls/progress.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function guarded() {
  const sent: { value: number; message: string | undefined; at: number }[] = [];
  const limiter = createProgressLimiter((value, message) => sent.push({ value, message, at: performance.now() }));
  return { limiter, sent, values: () => sent.map(({ value }) => value) };
}

describe('the progress guard', () => {
  it('passes increasing percents on at once', () => {
    const { limiter, values } = guarded();
    for (const percent of [0, 50, 100]) limiter.report(percent);
    expect(values()).toEqual([0, 50, 100]);
  });

  it.each([
    ['clamps', [-5, 250], [0, 100]],
    ['ignores NaN', [Number.NaN, 10], [10]],
    ['ignores what is not a number', ['7' as unknown as number, 10], [10]],
    ['drops an equal or lower percent without news', [40, 40, 30], [40]],
  ])('%s', (_, reported, expected) => {
    const { limiter, values } = guarded();
    for (const percent of reported) limiter.report(percent);
    expect(values()).toEqual(expected);
  });

  it('sends a new message at the same percent a thousandth above the last', () => {
    const { limiter, sent } = guarded();
    limiter.report(50, 'a');
    limiter.report(50, 'b');
    limiter.report(20, 'c');
    limiter.report(20, 'c');
    expect(sent.map(({ value, message }) => [value, message])).toEqual([
      [50, 'a'],
      [50.001, 'b'],
      [50.002, 'c'],
    ]);
  });

  it('drops a new message at 100', () => {
    const { limiter, values } = guarded();
    limiter.report(100, 'done');
    limiter.report(100, 'really done');
    expect(values()).toEqual([100]);
  });

  it('is silent after the end', () => {
    const { limiter, values } = guarded();
    limiter.end();
    limiter.report(10);
    vi.advanceTimersByTime(5000);
    expect(values()).toEqual([]);
  });

  it('flushes the last report at the end', () => {
    const { limiter, values } = guarded();
    for (let percent = 1; percent <= 90; percent += 1) limiter.report(percent);
    limiter.end();
    expect(values().at(-1)).toBe(90);
    expect(values()).toHaveLength(20);
  });

  it('never sends more than 20 in any second, and each value above the last', () => {
    const step = fc.record({ percent: fc.integer({ min: -10, max: 110 }), waitMs: fc.integer({ min: 0, max: 120 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { limiter, sent } = guarded();
        for (const [index, { percent, waitMs }] of steps.entries()) {
          limiter.report(percent, `message ${index}`);
          vi.advanceTimersByTime(waitMs);
        }
        limiter.end();
        for (const [index, { value, at }] of sent.entries()) {
          if (index > 0) expect(value).toBeGreaterThan(sent[index - 1]!.value);
          if (index >= 20) expect(at - sent[index - 20]!.at).toBeGreaterThanOrEqual(1000);
        }
      }),
    );
  });
});
