import { describe, expect, it } from 'vitest';
import type { InterceptedCall } from '../../../src/call/interceptors/call-interceptor.js';
import { type ConcurrencyLimits, PluginConcurrency } from '../../../src/call/interceptors/plugin-concurrency.js';

const never = new AbortController().signal;

function callOf(plugin: string, ended: AbortSignal = never, path = `/plugins/${plugin}`): InterceptedCall {
  const caller = { signal: ended, clientCapabilities: {}, inputMode: 'retry' as const };
  return { kind: 'tool', owner: { plugin, path }, target: plugin, caller, ended };
}

const limit = (maxConcurrentCalls: number, maxQueuedCalls: number): ConcurrencyLimits => ({
  maxConcurrentCalls,
  maxQueuedCalls,
});

describe('PluginConcurrency', () => {
  it('lets as many calls run as the limit allows, and serves the waiting in order', async () => {
    const concurrency = new PluginConcurrency(limit(1, 5));
    const first = callOf('p');
    expect(concurrency.before(first)).toBeUndefined();
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      const call = callOf('p');
      await concurrency.before(call);
      order.push(number);
      concurrency.after(call);
    });
    expect(order).toEqual([]);
    concurrency.after(first);
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  it('does not make one plugin wait for another', () => {
    const concurrency = new PluginConcurrency(limit(1, 0));
    concurrency.before(callOf('a'));
    expect(concurrency.before(callOf('a'))).toHaveProperty('kind', 'error');
    expect(concurrency.before(callOf('b'))).toBeUndefined();
    expect(concurrency.before(callOf('a', never, '/elsewhere/a'))).toBeUndefined();
  });

  it('has slots for completions that calls do not take, a quarter as many', () => {
    const concurrency = new PluginConcurrency(limit(4, 0));
    const completion = (): InterceptedCall => ({ ...callOf('p'), kind: 'completion' });
    for (let count = 0; count < 4; count += 1) expect(concurrency.before(callOf('p'))).toBeUndefined();
    expect(concurrency.before(completion())).toBeUndefined();
    expect(concurrency.before(completion())).toHaveProperty('kind', 'error');
    expect(concurrency.before(callOf('p'))).toHaveProperty('kind', 'error');
  });

  it('lets fewer calls run where the runner allows fewer, and never more than the limit', () => {
    const running = (maxConcurrentCalls: number) => {
      const concurrency = new PluginConcurrency(limit(3, 0));
      const call = (): InterceptedCall => ({
        ...callOf('p'),
        owner: { ...callOf('p').owner, runner: { maxConcurrentCalls } },
      });
      return Array.from({ length: 5 }, call).filter((one) => concurrency.before(one) === undefined).length;
    };
    expect([running(2), running(9)]).toEqual([2, 3]);
  });

  it('answers TOOL_BUSY with numbers and a time when the queue is full', () => {
    const concurrency = new PluginConcurrency(limit(1, 0));
    concurrency.before(callOf('p'));
    const busy = concurrency.before(callOf('p'));
    expect(busy).toMatchObject({
      kind: 'error',
      errors: [{ code: 'TOOL_BUSY', category: 'Concurrency', mcpErrorCode: -32603 }],
    });
    expect(JSON.stringify(busy)).toMatch(/Try again in about \d+ ms/);
  });

  it('leaves the queue when the signal fires, and takes no slot then', async () => {
    const concurrency = new PluginConcurrency(limit(1, 1));
    const first = callOf('p');
    concurrency.before(first);
    const cancel = new AbortController();
    const aborted = callOf('p', cancel.signal);
    const waiting = concurrency.before(aborted);
    cancel.abort();
    expect(await waiting).toBeUndefined();
    concurrency.after(aborted);
    expect(concurrency.before(callOf('p'))).toBeInstanceOf(Promise);
    concurrency.after(first);
    expect(concurrency.before(callOf('p'))).toBeInstanceOf(Promise);
  });

  it('frees the slot while a question is open, and takes it again in order', async () => {
    const concurrency = new PluginConcurrency(limit(1, 1));
    const asker = callOf('p');
    concurrency.before(asker);
    const answered = concurrency.asks(asker)!;
    const second = callOf('p');
    expect(concurrency.before(second)).toBeUndefined();
    const third = callOf('p');
    const admission = Promise.resolve(concurrency.before(third)).then(() => order.push('third'));
    const order: string[] = [];
    // The queue is full: a call that has begun waits all the same.
    const resumed = answered().then(() => order.push('asker'));
    concurrency.after(second);
    await admission;
    expect(order).toEqual(['third']);
    concurrency.after(third);
    await resumed;
    expect(order).toEqual(['third', 'asker']);
    expect(concurrency.before(callOf('p'))).toBeInstanceOf(Promise);
    concurrency.after(asker);
  });

  it('takes the slot again after the last of several answers, and none once the call has ended', async () => {
    const concurrency = new PluginConcurrency(limit(1, 0));
    const asker = callOf('p');
    concurrency.before(asker);
    const [one, two] = [concurrency.asks(asker)!, concurrency.asks(asker)!];
    await one();
    const second = callOf('p');
    expect(concurrency.before(second)).toBeUndefined();
    concurrency.after(second);
    await two();
    expect(concurrency.before(callOf('p'))).toHaveProperty('kind', 'error');
    const late = concurrency.asks(asker)!;
    concurrency.after(asker);
    await late();
    expect(concurrency.before(callOf('p'))).toBeUndefined();
  });

  it('gives a turn back that comes after the call has ended', async () => {
    const concurrency = new PluginConcurrency(limit(1, 0));
    const asker = callOf('p');
    concurrency.before(asker);
    const answered = concurrency.asks(asker)!;
    const second = callOf('p');
    concurrency.before(second);
    const resumed = answered();
    concurrency.after(asker);
    concurrency.after(second);
    await resumed;
    expect(concurrency.before(callOf('p'))).toBeUndefined();
  });

  it('does not wait for a slot beyond the end of the call', async () => {
    const concurrency = new PluginConcurrency(limit(1, 0));
    const cancel = new AbortController();
    const asker = callOf('p', cancel.signal);
    concurrency.before(asker);
    const answered = concurrency.asks(asker)!;
    const second = callOf('p');
    concurrency.before(second);
    const resumed = answered();
    cancel.abort();
    await resumed;
    concurrency.after(asker);
    concurrency.after(second);
    expect(concurrency.before(callOf('p'))).toBeUndefined();
  });
});
