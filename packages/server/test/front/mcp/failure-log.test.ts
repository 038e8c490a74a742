import { expect, it, onTestFinished, vi } from 'vitest';
import { FailureLog } from '../../../src/front/mcp/failure-log.js';

it('has a line for each failure, and for very many of them their number', () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: [string, unknown][] = [];
  const log = new FailureLog({ info: (message, fields) => void lines.push([message, fields]) });
  for (let n = 0; n < 1_000; n++) log.add({ n });
  expect(lines).toHaveLength(200);
  expect(lines[0]).toEqual(['a call failed', { n: 0 }]);
  vi.advanceTimersByTime(10_000);
  expect(lines.at(-1)).toEqual(['further calls failed', { calls: 800 }]);
  log.add({ n: 1_000 });
  expect(lines.at(-1)).toEqual(['a call failed', { n: 1_000 }]);
  vi.advanceTimersByTime(10_000);
  expect(lines).toHaveLength(202);
});
