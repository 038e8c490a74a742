import { describe, expect, it } from 'vitest';
import { LIST, startServer, WRONG } from './refusals.js';
import { post } from './three-keys.js';

describe('a request over HTTP that is refused', () => {
  it('has none for each of thousands: whoever has no key does not fill the disk', async () => {
    const { url, lines } = await startServer();
    const statuses: number[] = [];
    for (let n = 0; n < 30; n++) statuses.push((await post(url, WRONG, LIST)).status);
    for (let n = 0; n < 30; n++) statuses.push((await fetch(url, { method: 'POST', body: '{}' })).status);
    expect(statuses.filter((status) => status === 401)).toHaveLength(40);
    const count = (outcome: string) => lines().filter((line) => line.outcome === outcome).length;
    expect([count('KEY_INVALID'), count('LOGINS_LIMITED'), count('KEY_MISSING')]).toEqual([10, 10, 10]);
  });
});
