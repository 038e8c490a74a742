import { expect, it, onTestFinished } from 'vitest';
import { complete, notifiedCount, open, PLACES } from './slow-completions.js';

it('completions have slots of their own, and end when they are cancelled', async () => {
  const place = PLACES['in a process']!;
  const client = await open(place, onTestFinished);
  expect(await notifiedCount(client, place)).toBe(0);
  const [cancelFirst, cancelSecond] = [new AbortController(), new AbortController()];
  const first = complete(client, place, cancelFirst.signal).catch((error: Error) => error);
  const second = complete(client, place, cancelSecond.signal).catch((error: Error) => error);
  // One is running and one is queued; the calls of the plugin continue.
  await expect(complete(client, place)).rejects.toThrow(/busy/);
  expect(await notifiedCount(client, place)).toBe(0);
  cancelFirst.abort();
  expect(await first).toBeInstanceOf(Error);
  await expect.poll(() => notifiedCount(client, place)).toBe(1);
  cancelSecond.abort();
  expect(await second).toBeInstanceOf(Error);
});
