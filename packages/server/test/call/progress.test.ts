import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ProgressLimiter } from '../../src/call/progress.js';

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
afterEach(() => void vi.useRealTimers());

function guarded() {
  const sent: { value: number; message: string | undefined; total: number | undefined; at: number }[] = [];
  const limiter = new ProgressLimiter(({ done: value, message, total }) =>
    sent.push({ value, message, total, at: performance.now() }),
  );
  const report = (percent: number, message?: string) =>
    limiter.report({ done: percent, total: 100, ...(message !== undefined && { message }) });
  return { limiter, report, sent, values: () => sent.map(({ value }) => value) };
}

describe('the progress guard', () => {
  it('passes increasing percents on at once', () => {
    const { report, values } = guarded();
    for (const percent of [0, 50, 100]) report(percent);
    expect(values()).toEqual([0, 50, 100]);
  });

  it('drops an equal or lower percent without news', () => {
    const { report, values } = guarded();
    for (const percent of [40, 40, 30]) report(percent);
    expect(values()).toEqual([40]);
  });

  it('passes amounts on as they are, and a new message at the same amount a thousandth above it', () => {
    const { limiter, sent } = guarded();
    limiter.report({ done: 3, total: 7, message: 'a' });
    limiter.report({ done: 3, total: 7, message: 'b' });
    limiter.report({ done: 120, message: 'without a total' });
    limiter.report({ done: 120, message: 'still' });
    expect(sent.map(({ value, message }) => [value, message])).toEqual([
      [3, 'a'],
      [3.001, 'b'],
      [120, 'without a total'],
      [120.001, 'still'],
    ]);
  });

  it('sends a new message at the same percent a thousandth above the last', () => {
    const { report, sent } = guarded();
    report(50, 'a');
    report(50, 'b');
    report(20, 'c');
    report(20, 'c');
    expect(sent.map(({ value, message }) => [value, message])).toEqual([
      [50, 'a'],
      [50.001, 'b'],
      [50.002, 'c'],
    ]);
  });

  it('drops a new message at 100', () => {
    const { report, values } = guarded();
    report(100, 'done');
    report(100, 'really done');
    expect(values()).toEqual([100]);
  });

  it('says that a call still runs when nothing was sent for 9 s, in the words of the last report', () => {
    const { report, sent } = guarded();
    vi.advanceTimersByTime(8_999);
    expect(sent).toEqual([]);
    vi.advanceTimersByTime(1);
    report(40, 'compiling');
    vi.advanceTimersByTime(8_000);
    report(50);
    vi.advanceTimersByTime(18_000);
    report(100, 'done');
    vi.advanceTimersByTime(9_000);
    expect(sent.map(({ value, message, total, at }) => [value, message, total, at - sent[0]!.at])).toEqual([
      [0, 'Still running', undefined, 0],
      [40, 'compiling', 100, 0],
      [50, undefined, 100, 8_000],
      [50.001, 'Still running', 100, 17_000],
      [50.002, 'Still running', 100, 26_000],
      [100, 'done', 100, 26_000],
      [100.001, 'done', undefined, 35_000],
    ]);
  });

  it('is silent after the end', () => {
    const { limiter, report, values } = guarded();
    limiter.end();
    report(10);
    vi.advanceTimersByTime(50_000);
    expect(values()).toEqual([]);
  });

  it('flushes the last report at the end', () => {
    const { limiter, report, values } = guarded();
    for (let percent = 1; percent <= 90; percent += 1) report(percent);
    limiter.end();
    expect(values().at(-1)).toBe(90);
    expect(values()).toHaveLength(11);
  });

  it('never sends more than 20 in any second, and each value above the last', () => {
    const step = fc.record({ percent: fc.integer({ min: -10, max: 110 }), waitMs: fc.integer({ min: 0, max: 120 }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
        const { limiter, report, sent } = guarded();
        for (const [index, { percent, waitMs }] of steps.entries()) {
          report(percent, `message ${index}`);
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
