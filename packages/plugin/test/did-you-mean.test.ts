import { closest, editDistance, isClose } from '@mortise/plugin/runtime';
import { expect, test } from 'vitest';

test.each([
  ['', '', 0],
  ['Log', 'log', 0],
  ['Plugin', 'Plugins', 1],
  ['Pluggins', 'Plugins', 1],
  ['Htpp', 'Http', 1],
  ['Host', 'Http', 3],
  ['Smtp', 'Http', 2],
  ['', 'Log', 3],
  ['kitten', 'sitting', 3],
])('from %j to %j it takes %d letters', (from, to, letters) => {
  expect(editDistance(from, to)).toBe(letters);
  expect(editDistance(to, from)).toBe(letters);
});

test('the nearest candidate is the first of those with the smallest distance', () => {
  expect(closest('TimeOut', ['PageSize', 'TimeoutMs', 'TimeoutXs'])).toEqual({ name: 'TimeoutMs', distance: 2 });
  expect(closest('x', [])).toBeUndefined();
});

test('a very long word is compared in no time', () => {
  expect(closest('x'.repeat(1_000_000), ['Plugins'])?.name).toBe('Plugins');
});

test('a long word may differ in a third of its letters, a short one in two', () => {
  expect(isClose(4, 'MaxConcurrentCalls')).toBe(true);
  expect(isClose(3, 'Log')).toBe(false);
});
