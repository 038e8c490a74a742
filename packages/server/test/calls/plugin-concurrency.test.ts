import { describe, expect, it } from 'vitest';
import { type Admission, createAdmit } from '../../src/calls/plugin-concurrency.js';

const never = new AbortController().signal;
const owner = (name: string) => ({ plugin: name, path: `/plugins/${name}` });

describe('admit', () => {
  it('lets as many calls run as may, and serves the waiting in order', async () => {
    const admit = createAdmit({ maxConcurrentCalls: 1, maxQueuedCalls: 5 });
    const first = admit(owner('p'), never) as Admission;
    const order: number[] = [];
    const waiting = [1, 2, 3].map(async (number) => {
      const admission = (await admit(owner('p'), never)) as Admission;
      order.push(number);
      admission.release();
    });
    expect(order).toEqual([]);
    first.release();
    await Promise.all(waiting);
    expect(order).toEqual([1, 2, 3]);
  });

  it('does not make one plugin wait for another', () => {
    const admit = createAdmit({ maxConcurrentCalls: 1, maxQueuedCalls: 0 });
    admit(owner('a'), never);
    expect(admit(owner('b'), never)).toHaveProperty('release');
    expect(admit({ plugin: 'a', path: '/elsewhere/a' }, never)).toHaveProperty('release');
  });

  it('answers TOOL_BUSY with numbers and a time when the queue is full', () => {
    const admit = createAdmit({ maxConcurrentCalls: 1, maxQueuedCalls: 0 });
    admit(owner('p'), never);
    const busy = admit(owner('p'), never);
    expect(busy).toMatchObject({
      kind: 'error',
      errors: [{ code: 'TOOL_BUSY', category: 'Concurrency', mcpErrorCode: -32603 }],
    });
    expect(JSON.stringify(busy)).toMatch(/Try again in about \d+ ms/);
  });

  it('gives its place in the queue up when the signal fires', async () => {
    const admit = createAdmit({ maxConcurrentCalls: 1, maxQueuedCalls: 1 });
    const first = admit(owner('p'), never) as Admission;
    const cancel = new AbortController();
    const waiting = admit(owner('p'), cancel.signal);
    cancel.abort();
    expect(await waiting).toBeUndefined();
    first.release();
    expect(admit(owner('p'), never)).toHaveProperty('release');
  });

  it('counts a release once', () => {
    const admit = createAdmit({ maxConcurrentCalls: 1, maxQueuedCalls: 0 });
    const first = admit(owner('p'), never) as Admission;
    first.release();
    first.release();
    admit(owner('p'), never);
    expect(admit(owner('p'), never)).toHaveProperty('kind', 'error');
  });
});
