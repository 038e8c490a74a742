import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { createThrottle } from '../../src/util/throttle.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function open() {
  const sent: number[] = [];
  return { sent, throttle: createThrottle((value: number) => sent.push(value), 2, 100) };
}

it('sends a burst at once, and of more only the last, at the end of the window', () => {
  const { sent, throttle } = open();
  for (const value of [1, 2, 3, 4]) throttle.push(value);
  expect(sent).toEqual([1, 2]);
  vi.advanceTimersByTime(100);
  expect(sent).toEqual([1, 2, 4]);
  vi.advanceTimersByTime(1000);
  throttle.push(5);
  expect(sent).toEqual([1, 2, 4, 5]);
});

it('sends what is held back when it is flushed, once', () => {
  const { sent, throttle } = open();
  for (const value of [1, 2, 3]) throttle.push(value);
  throttle.flush();
  throttle.flush();
  vi.advanceTimersByTime(1000);
  expect(sent).toEqual([1, 2, 3]);
});
