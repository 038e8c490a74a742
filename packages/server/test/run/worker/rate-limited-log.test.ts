import { expect, it } from 'vitest';
import { createRateLimitedLog } from '../../../src/run/worker/rate-limited-log.js';

const nextTick = () => new Promise((resolve) => setImmediate(resolve));

it('passes on the lines of one tick up to a bound, and counts the others', async () => {
  const sent: [message: string, id: number | undefined][] = [];
  const log = createRateLimitedLog(({ message }, id) => sent.push([message, id]));
  for (let i = 0; i < 700; i++) log({ level: 'info', message: `line ${i}` }, 7);
  expect(sent).toHaveLength(500);
  expect(sent.at(-1)).toEqual(['line 499', 7]);
  await nextTick();
  expect(sent.at(-1)).toEqual(['200 log lines were dropped because the plugin logs too fast', undefined]);
  log({ level: 'info', message: 'next' });
  await nextTick();
  expect(sent.slice(501)).toEqual([['next', undefined]]);
});
