import type { ErrorOutcome } from '@mortise/plugin/runtime';
import { describe, expect, test } from 'vitest';
import { noRedis, startRedis } from '../../../../test/support/redis.js';
import type { InterceptedCall } from '../../src/call/interceptors/call-interceptor.js';
import { CallerLimiter } from '../../src/call/interceptors/caller-limiter.js';
import { LOCAL } from '../../src/core/principal.js';
import type { Settings } from '../../src/settings/settings.js';
import { Presence } from '../../src/state/presence.js';
import { SharedRates } from '../../src/state/shared-rates.js';
import { openRedisStore, SILENT } from './state-stores.js';

/** No token comes back while a test runs. */
const SETTINGS = {
  Limits: { CallsPerSecond: 0.000_01, Burst: 8 },
  Profiles: {},
  Auth: { Keys: [] },
} as unknown as Settings;

interface Rate {
  consume(): Promise<ErrorOutcome | undefined>;
}

let lastReplica = 0;

async function openReplica(url: string, onFailure: 'local' | 'refuse' = 'local') {
  const store = await openRedisStore(url);
  lastReplica += 1;
  const presence = await Presence.open(store, `runner-${lastReplica}`);
  const warnings: string[] = [];
  const log = { ...SILENT, warn: (message: string) => void warnings.push(message) };
  const rates = new SharedRates({ store, presence, onFailure, log });
  const limiter = new CallerLimiter(SETTINGS, rates);
  return {
    store,
    presence,
    rates,
    warnings,
    rateOf: (name: string): Rate => ({
      consume: async () =>
        limiter.before({ kind: 'tool', caller: { principal: { ...LOCAL, name } } } as InterceptedCall),
    }),
  };
}

/** The codes of so many calls; '' for one that may run. */
const codesOf = async (rate: Rate, calls: number) => {
  const codes: string[] = [];
  for (let call = 0; call < calls; call += 1) codes.push((await rate.consume())?.errors[0]?.code ?? '');
  return codes;
};
const passed = (codes: readonly string[]) => codes.filter((code) => code === '').length;

/** docs/spec/shared.md#limits */
describe.skipIf(noRedis)('the rate of a caller', () => {
  test('is one over all replicas, and each caller has its own', async () => {
    const { url } = await startRedis();
    const replicas = [await openReplica(url), await openReplica(url), await openReplica(url)];
    const codes = await Promise.all(replicas.map(({ rateOf }) => codesOf(rateOf('ann'), 6)));
    expect(passed(codes.flat())).toBe(8);
    expect(codes.flat()).toContain('RATE_LIMITED');
    expect(passed(await codesOf(replicas[0]!.rateOf('bob {x}'), 9))).toBe(8);
    const error = (await replicas[1]!.rateOf('ann').consume())!.errors[0]!;
    expect(Number(error.data!.additionalData!.retryAfterMs)).toBeGreaterThan(0);
  });

  test('is the share of each replica while the store is away, and one again after that', async () => {
    const redis = await startRedis();
    const [first] = [await openReplica(redis.url), await openReplica(redis.url)];
    await expect.poll(async () => (await Presence.open(first.store, 'runner-x')).count).toBe(3);
    await first.store.leave({ group: 'replicas', name: 'present' }, 'runner-x');
    const second = await openReplica(redis.url);
    expect(second.presence.count).toBe(3);
    const rate = second.rateOf('ann');
    await redis.stop();
    // A third of eight tokens.
    expect(passed(await codesOf(rate, 8))).toBe(2);
    expect(second.warnings).toEqual([
      "While the shared state cannot be used, each replica allows its own share of a caller's rate",
    ]);
    await redis.start();
    await expect.poll(async () => passed(await codesOf(rate, 1))).toBe(1);
    expect(second.warnings).toHaveLength(1);
  });

  test('refuses calls while the store is away, if it is set so', async () => {
    const redis = await startRedis();
    const { rateOf, warnings } = await openReplica(redis.url, 'refuse');
    const rate = rateOf('ann');
    expect(await codesOf(rate, 1)).toEqual(['']);
    await redis.stop();
    const error = (await rate.consume())!.errors[0]!;
    expect(error).toMatchObject({ code: 'STATE_UNAVAILABLE', data: { additionalData: { retryAfterMs: '1000' } } });
    expect(warnings).toEqual(['While the shared state cannot be used, calls of limited callers are refused']);
    await redis.start();
    await expect.poll(() => codesOf(rate, 1)).toEqual(['']);
  });

  test('does not count a replica that has left', async () => {
    const { url } = await startRedis();
    const first = await openReplica(url);
    expect((await openReplica(url)).presence.count).toBe(2);
    await first.presence.close();
    expect((await openReplica(url)).presence.count).toBe(2);
  });
});
