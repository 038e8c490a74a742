import { ok } from '@mortise/plugin';
import { expect, it } from 'vitest';
import { createMetrics } from '../src/metrics.js';

const RESULT = { ...ok('two\nlines', { list: ['a', 'b'] }) };

it('counts the calls of each tool, and the characters of their results', () => {
  const metrics = createMetrics();
  metrics.record('b', { durationMs: 1, result: RESULT });
  metrics.record('b', { durationMs: 2, result: { ...RESULT, isError: true } });
  metrics.record('a', { durationMs: 0.126, result: { content: [{ type: 'text', text: 'four' }] } });
  const chars = 'two\nlines'.length + '{"list":["a","b"]}'.length;
  expect(Object.entries(metrics.read())).toEqual([
    ['a', { invocationCount: 1, avgDurationMs: 0.13, successCount: 1, failureCount: 0, resultChars: 4 }],
    ['b', { invocationCount: 2, avgDurationMs: 1.5, successCount: 1, failureCount: 1, resultChars: 2 * chars }],
  ]);
});

it('begins again after a reset, also with what was not counted yet', async () => {
  const metrics = createMetrics();
  const { since } = metrics;
  metrics.record('a', { durationMs: 1, result: RESULT });
  metrics.reset();
  expect(metrics.since.getTime()).toBeGreaterThanOrEqual(since.getTime());
  await new Promise((resolve) => setImmediate(resolve));
  expect(metrics.read()).toEqual({});
});
