import { describe, expect, it } from 'vitest';
import { type Admission, createPluginConcurrency } from '../../src/calls/plugin-concurrency.js';

const never = new AbortController().signal;
const owner = (name: string) => ({ plugin: name, path: `/plugins/${name}` });

describe('admit', () => {
  it('lets as many calls run as may, and serves the waiting in order', async () => {
    const concurrency = createPluginConcurrency({ maxConcurrentCalls: 1, maxQueuedCalls: 5 });
    const first = concurrency(owner('p'), never) as Admission;
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      const admission = (await concurrency(owner('p'), never)) as Admission;
      order.push(number);
      admission.release();
    });
    expect(order).toEqual([]);
    first.release();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  it('does not make one plugin wait for another', () => {
    const concurrency = createPluginConcurrency({ maxConcurrentCalls: 1, maxQueuedCalls: 0 });
    concurrency(owner('a'), never);
    expect(concurrency(owner('b'), never)).toHaveProperty('release');
    expect(concurrency({ plugin: 'a', path: '/elsewhere/a' }, never)).toHaveProperty('release');
  });

  it('answers TOOL_BUSY with numbers and a time when the queue is full', () => {
    const concurrency = createPluginConcurrency({ maxConcurrentCalls: 1, maxQueuedCalls: 0 });
    concurrency(owner('p'), never);
    const busy = concurrency(owner('p'), never);
    expect(busy).toMatchObject({
      kind: 'error',
      errors: [{ code: 'TOOL_BUSY', category: 'Concurrency', mcpErrorCode: -32603 }],
    });
    expect(JSON.stringify(busy)).toMatch(/Try again in about \d+ ms/);
  });

  it('gives its place in the queue up when the signal fires', async () => {
    const concurrency = createPluginConcurrency({ maxConcurrentCalls: 1, maxQueuedCalls: 1 });
    const first = concurrency(owner('p'), never) as Admission;
    const cancel = new AbortController();
    const waiting = concurrency(owner('p'), cancel.signal);
    cancel.abort();
    expect(await waiting).toBeUndefined();
    first.release();
    expect(concurrency(owner('p'), never)).toHaveProperty('release');
  });

  it('counts a release once', () => {
    const concurrency = createPluginConcurrency({ maxConcurrentCalls: 1, maxQueuedCalls: 0 });
    const first = concurrency(owner('p'), never) as Admission;
    first.release();
    first.release();
    concurrency(owner('p'), never);
    expect(concurrency(owner('p'), never)).toHaveProperty('kind', 'error');
  });
});
