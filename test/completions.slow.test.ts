import { describe, it } from 'vitest';
import { complete, notifiedCount, open, PLACES } from './slow-completions.js';

// They wait for seconds: at the same time.
describe.concurrent.each(Object.entries(PLACES))('completions of a plugin %s', (_, place) => {
  it('end when the time of the plugin is over, and the plugin hears of it', async ({ onTestFinished, expect }) => {
    const client = await open(place, onTestFinished, 3_000);
    await expect.poll(() => notifiedCount(client, place)).toBe(0);
    const startedAt = performance.now();
    const { completion } = await complete(client, place);
    expect(completion).toEqual({ values: [], total: 0, hasMore: false });
    expect(performance.now() - startedAt).toBeGreaterThan(2_900);
    await expect.poll(() => notifiedCount(client, place)).toBe(1);
  });

  it('have slots of their own, end when they are cancelled, and after 5 s at the latest', async ({
    onTestFinished,
    expect,
  }) => {
    const client = await open(place, onTestFinished);
    await notifiedCount(client, place);
    const cancel = new AbortController();
    const startedAt = performance.now();
    const first = complete(client, place, cancel.signal).catch((error: Error) => error);
    const second = complete(client, place);
    // One is running and one is queued; the calls of the plugin continue.
    await expect(complete(client, place)).rejects.toThrow(/busy/);
    expect(await notifiedCount(client, place)).toBe(0);
    cancel.abort();
    expect(await first).toBeInstanceOf(Error);
    await expect.poll(() => notifiedCount(client, place)).toBe(1);
    expect((await second).completion.values).toEqual([]);
    expect(performance.now() - startedAt).toBeGreaterThan(4_900);
    await expect.poll(() => notifiedCount(client, place)).toBe(2);
  });
});
