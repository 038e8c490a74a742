import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ListChanges } from '../../../src/plugins/catalog/list-changes.js';

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => {
  vi.useRealTimers();
});

/** `costMs` is what taking over takes. */
function create(costMs = 0) {
  const applied: object[] = [];
  const changes = new ListChanges<object>((entry) => {
    applied.push(entry);
    vi.advanceTimersByTime(costMs);
  });
  return { changes, applied };
}

describe('changed lists', () => {
  it('are taken over as they come, a few of them', () => {
    const { changes, applied } = create();
    const entry = {};
    for (let count = 0; count < 5; count++) changes.changed(entry);
    expect(applied).toHaveLength(5);
    expect(changes.isWaiting(entry)).toBe(false);
  });

  it('of a plugin that keeps changing them wait for the interval, and the last one is taken over', () => {
    const { changes, applied } = create();
    const entry = {};
    for (let ms = 0; ms < 2000; ms++) {
      for (let count = 0; count < 50; count++) changes.changed(entry);
      vi.advanceTimersByTime(1);
    }
    expect(applied.length).toBeGreaterThan(20);
    expect(applied.length).toBeLessThanOrEqual(26);
    changes.changed(entry);
    expect(changes.isWaiting(entry)).toBe(true);
    const before = applied.length;
    vi.advanceTimersByTime(200);
    expect([applied.length - before, changes.isWaiting(entry)]).toEqual([1, false]);
  });

  it('that are costly take a tenth of the time at most, whether of one plugin or of several', () => {
    const { changes, applied } = create(50);
    const entries = [{}, {}, {}];
    const endsAt = performance.now() + 20_000;
    while (performance.now() < endsAt) {
      for (const entry of entries) changes.changed(entry);
      vi.advanceTimersByTime(1);
    }
    expect(applied.length * 50).toBeLessThan(20_000 * 0.1 + 500);
    for (const entry of entries) expect(applied.filter((one) => one === entry).length).toBeGreaterThan(5);
  });

  it('of one plugin do not hold up those of another while they are cheap', () => {
    const { changes, applied } = create(2);
    const [busy, quiet] = [{}, {}];
    for (let count = 0; count < 100; count++) changes.changed(busy);
    changes.changed(quiet);
    expect(applied.at(-1)).toBe(quiet);
  });
});
