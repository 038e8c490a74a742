import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { type Timed, TimeoutList } from '../../src/util/timeout-list.js';

class Item implements Timed<Item> {
  previous: Item | undefined;
  next: Item | undefined;
  startedAt = 0;

  constructor(readonly name: string) {}
}

describe('TimeoutList', () => {
  beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] }));
  afterEach(() => void vi.useRealTimers());

  it('hands each item over after its own time, in order, and none that was removed', () => {
    const ended: string[] = [];
    const list = new TimeoutList<Item>(100, ({ name }) => ended.push(name));
    const [a, b, c] = [new Item('a'), new Item('b'), new Item('c')];
    list.add(a);
    vi.advanceTimersByTime(40);
    list.add(b);
    list.add(c);
    list.remove(b);
    vi.advanceTimersByTime(59);
    expect(ended).toEqual([]);
    vi.advanceTimersByTime(1);
    expect(ended).toEqual(['a']);
    vi.advanceTimersByTime(40);
    expect(ended).toEqual(['a', 'c']);
    expect(list.size).toBe(0);
  });

  it('says when it has ended with nothing left, and begins again with the next item', () => {
    const ended: string[] = [];
    const list = new TimeoutList<Item>(
      100,
      ({ name }) => ended.push(name),
      () => ended.push('empty'),
    );
    list.add(new Item('a'));
    vi.advanceTimersByTime(100);
    list.add(new Item('b'));
    vi.advanceTimersByTime(99);
    expect(ended).toEqual(['a', 'empty']);
    vi.advanceTimersByTime(1);
    expect(ended).toEqual(['a', 'empty', 'b', 'empty']);
  });

  it('waits for what is added while an item is handed over', () => {
    const ended: string[] = [];
    const list = new TimeoutList<Item>(100, ({ name }) => {
      ended.push(name);
      if (name === 'a') list.add(new Item('b'));
    });
    list.add(new Item('a'));
    vi.advanceTimersByTime(100);
    expect(ended).toEqual(['a']);
    vi.advanceTimersByTime(100);
    expect(ended).toEqual(['a', 'b']);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('never ends what may wait forever', () => {
    const list = new TimeoutList<Item>(Number.POSITIVE_INFINITY, () => expect.unreachable());
    list.add(new Item('a'));
    expect(vi.getTimerCount()).toBe(0);
    expect(list.size).toBe(1);
  });
});

describe('the timer of a TimeoutList', () => {
  it('keeps the process only while something waits', () => {
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    const list = new TimeoutList<Item>(60_000, () => {});
    const item = new Item('a');
    list.add(item);
    expect(timers()).toBe(before + 1);
    list.remove(item);
    expect(timers()).toBe(before);
    list.add(item);
    expect(timers()).toBe(before + 1);
    list.remove(item);
  });
});
