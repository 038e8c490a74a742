import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Throttle } from '../../src/util/throttle.js';
import { TokenBucket } from '../../src/util/token-bucket.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const sent: number[] = [];
  return { sent, throttle: new Throttle((value: number) => sent.push(value), new TokenBucket(2, 10)) };
}

it('sends a burst immediately, and of further values only the last one, as soon as the bucket has a token', () => {
  const { sent, throttle } = open();
  for (const value of [1, 2, 3, 4]) throttle.push(value);
  expect(sent).toEqual([1, 2]);
  vi.advanceTimersByTime(99);
  expect(sent).toEqual([1, 2]);
  vi.advanceTimersByTime(1);
  expect(sent).toEqual([1, 2, 4]);
  for (const value of [5, 6]) throttle.push(value);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([1, 2, 4, 6]);
  vi.advanceTimersByTime(1000);
  throttle.push(7);
  expect(sent).toEqual([1, 2, 4, 6, 7]);
});

it('sends what is held back when it is flushed, once', () => {
  const { sent, throttle } = open();
  for (const value of [1, 2, 3]) throttle.push(value);
  throttle.flush();
  throttle.flush();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([1, 2, 3]);
});

it('owes nothing for what was flushed', () => {
  const { sent, throttle } = open();
  for (let value = 0; value < 100; value += 1) {
    throttle.push(value);
    throttle.flush();
  }
  expect(sent).toHaveLength(100);
  vi.advanceTimersByTime(200);
  throttle.push(100);
  expect(sent).toHaveLength(101);
});
