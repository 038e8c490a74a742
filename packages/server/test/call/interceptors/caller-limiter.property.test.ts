import { setImmediate as nextTurn } from 'node:timers/promises';
import { CancelSource } from '@mortise/mcp/util';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { runs } from '../../../../../test/support/property-runs.js';
import {
  askIntercepted,
  type InterceptedCall,
  runIntercepted,
} from '../../../src/call/interceptors/call-interceptor.js';
import { CallerLimiter } from '../../../src/call/interceptors/caller-limiter.js';
import { PluginConcurrency } from '../../../src/call/interceptors/plugin-concurrency.js';
import { LOCAL } from '../../../src/core/principal.js';
import type { Caller } from '../../../src/core/server-api.js';
import type { CallerLimits } from '../../../src/settings/caller-limits.js';
import type { Settings } from '../../../src/settings/settings.js';

const PRINCIPALS = ['a', 'b'] as const;

/** What a call does: it ends well, crashes, works until it is cancelled, or asks a question first. */
const anyCall = fc.record({
  principal: fc.constantFrom(...PRINCIPALS),
  work: fc.constantFrom('ends', 'crashes', 'hangs', 'asks'),
  turns: fc.nat(4),
  startsAfter: fc.nat(6),
  cancelledAfter: fc.option(fc.nat(10), { nil: undefined }),
  isRetried: fc.boolean(),
});
type AnyCall = typeof anyCall extends fc.Arbitrary<infer T> ? T : never;

const anyLimits: fc.Arbitrary<CallerLimits> = fc.record(
  {
    ConcurrentCalls: fc.integer({ min: 1, max: 3 }),
    QueuedCalls: fc.integer({ min: 1, max: 3 }),
    QueueMs: fc.integer({ min: 1, max: 2 }),
    CallsPerSecond: fc.integer({ min: 1, max: 1000 }),
  },
  { requiredKeys: ['ConcurrentCalls', 'QueuedCalls'] },
);

const turns = async (count: number) => {
  for (let n = 0; n < count; n += 1) await nextTurn();
};

it('loses no slot, and exceeds no limit, whatever is retried, cancelled, refused and crashes between', {
  timeout: 120_000,
}, async () => {
  const property = fc.asyncProperty(anyLimits, fc.array(anyCall, { maxLength: 20 }), async (Limits, calls) => {
    const limiter = new CallerLimiter({ Limits, Profiles: {}, Auth: { Keys: [] } } as unknown as Settings);
    const plugins = new PluginConcurrency({ maxConcurrentCalls: 2, maxQueuedCalls: 2 });
    const running = { a: 0, b: 0 };
    let most = 0;

    const start = async (one: AnyCall, source: CancelSource): Promise<string> => {
      const { principal, work } = one;
      const caller = {
        principal: { ...LOCAL, name: principal, keyName: principal },
        signal: source,
      } as unknown as Caller;
      const owner = { plugin: 'p', path: '/p' };
      const call: InterceptedCall = { kind: 'tool', owner, target: 't', caller, ended: source };
      const isWorking = (step: number) => {
        running[principal] += step;
        most = Math.max(most, running[principal]);
      };
      const outcome = await runIntercepted<{ kind: string }>([limiter, plugins], call, async () => {
        // As the pipeline: what was cancelled while it waited does not run.
        if (source.aborted) return { kind: 'error' };
        isWorking(1);
        try {
          await turns(one.turns);
          if (work === 'crashes') throw new Error('crashed');
          if (work === 'asks') {
            isWorking(-1);
            await askIntercepted([limiter, plugins], call, 1, () => turns(2)).finally(() => isWorking(1));
          }
          if (work === 'hangs' && !source.aborted) {
            await new Promise<void>((resolve) => source.addEventListener('abort', resolve));
          }
          return { kind: 'success' };
        } finally {
          isWorking(-1);
        }
      }).catch(() => ({ kind: 'crashed' }));
      return outcome.kind;
    };

    await Promise.all(
      calls.map(async (one) => {
        await turns(one.startsAfter);
        const source = new CancelSource();
        const isEndless = one.work === 'hangs' && one.cancelledAfter === undefined;
        const cancelled = turns(one.cancelledAfter ?? 12).then(() => {
          if (isEndless || one.cancelledAfter !== undefined) source.abort();
        });
        if ((await start(one, source)) === 'error' && one.isRetried) await start(one, source);
        await cancelled;
      }),
    );

    // A call whose question is answered after it was cancelled continues without a slot: it has ended for the caller.
    const isExact = calls.every(({ work, cancelledAfter }) => work !== 'asks' || cancelledAfter === undefined);
    if (isExact) expect(most).toBeLessThanOrEqual(Limits.ConcurrentCalls!);
    expect(running).toEqual({ a: 0, b: 0 });
    for (const name of PRINCIPALS) expect(limiter.countsOf(name)).toEqual({ running: 0, waiting: 0 });
    expect(plugins.counts).toEqual({ running: 0, waiting: 0 });
  });
  await fc.assert(property, { numRuns: runs(300) });
});
