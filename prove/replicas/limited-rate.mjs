import { setTimeout as sleep } from 'node:timers/promises';
import { STATELESS } from '../../bench/client/protocol.mjs';
import { openHttp } from '../load/clients.mjs';

/** The key of the caller, and its limits. */
export const LIMITED = {
  Name: 'limited',
  Key: 'limited-has-this-key-of-32-characters-or-more',
  Limits: { CallsPerSecond: 20, Burst: 5 },
};
const CLIENTS = 6;
/** The clients call somewhat more often than is allowed, so that the bucket stays empty. */
const PAUSE_MS = 60;

/** Calls through nginx as one principal, more often than it may. @returns the calls per second that ran */
export async function measureRate(url, { forMs }) {
  const clients = await Promise.all(
    Array.from({ length: CLIENTS }, () => openHttp(url, STATELESS, { key: LIMITED.Key })),
  );
  const startedAt = performance.now();
  // The burst is used up before the part that is measured.
  const from = startedAt + 1_000;
  const until = from + forMs;
  let ran = 0;
  await Promise.all(
    clients.map(async (client, index) => {
      await sleep((PAUSE_MS / CLIENTS) * index);
      while (performance.now() < until) {
        const { message } = await client.request('tools/call', {
          name: 'echo',
          arguments: { run: `limited-${index}` },
        });
        const now = performance.now();
        const code = message.result?.structuredContent?.errors?.[0]?.code;
        if (code !== undefined && code !== 'RATE_LIMITED') throw new Error(JSON.stringify(message));
        if (code === undefined && now >= from && now < until) ran += 1;
        await sleep(PAUSE_MS);
      }
    }),
  );
  for (const client of clients) client.disconnect();
  return ran / (forMs / 1_000);
}

/** Calls a tool so many times through nginx, one after another. */
export async function callTimes(url, key, times) {
  const client = await openHttp(url, STATELESS, { key });
  for (let call = 0; call < times; call++)
    await client.request('tools/call', { name: 'echo', arguments: { run: `call-${call}` } });
  client.disconnect();
}
