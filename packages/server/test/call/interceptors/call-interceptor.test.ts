import { describe, expect, it } from 'vitest';
import {
  type CallInterceptor,
  type InterceptedCall,
  runIntercepted,
} from '../../../src/call/interceptors/call-interceptor.js';
import { errorOutcome } from '../../../src/call/results/error-outcomes.js';

const signal = new AbortController().signal;
const call: InterceptedCall = {
  kind: 'tool',
  owner: { plugin: 'p', path: '/plugins/p' },
  target: 'p',
  caller: { signal, clientCapabilities: {}, inputMode: 'retry' },
  ended: signal,
};
const refusal = errorOutcome('TOOL_BUSY', 'No.');

/** Interceptors that write down what they are told; `refuses` and `fails` are names of those that do. */
function recording(names: string[], { refuses, fails }: { refuses?: string; fails?: string } = {}) {
  const events: string[] = [];
  const interceptors = names.map(
    (name): CallInterceptor => ({
      before(received) {
        expect(received).toBe(call);
        events.push(`before ${name}`);
        if (name === fails) throw new Error(`${name} failed`);
        return name === refuses ? refusal : undefined;
      },
      after(received, outcome) {
        expect(received).toBe(call);
        events.push(`after ${name}: ${outcome?.kind}`);
      },
    }),
  );
  const work = async () => {
    events.push('work');
    return { kind: 'success' };
  };
  return { events, interceptors, work };
}

describe('runIntercepted', () => {
  it('runs the work between before and after, the first interceptor outermost', async () => {
    const { events, interceptors, work } = recording(['a', 'b']);
    expect(await runIntercepted(interceptors, call, work)).toEqual({ kind: 'success' });
    expect(events).toEqual(['before a', 'before b', 'work', 'after b: success', 'after a: success']);
  });

  it('does not run the work of a refused call, and tells the interceptors before that one', async () => {
    const { events, interceptors, work } = recording(['a', 'b', 'c'], { refuses: 'b' });
    expect(await runIntercepted(interceptors, call, work)).toBe(refusal);
    expect(events).toEqual(['before a', 'before b', 'after a: error']);
  });

  it('tells them of a failure without an outcome', async () => {
    const failed = recording(['a', 'b']);
    const work = () => Promise.reject(new Error('work failed'));
    await expect(runIntercepted(failed.interceptors, call, work)).rejects.toThrow('work failed');
    expect(failed.events.slice(2)).toEqual(['after b: undefined', 'after a: undefined']);
    const { events, interceptors, work: unused } = recording(['a', 'b'], { fails: 'b' });
    await expect(runIntercepted(interceptors, call, unused)).rejects.toThrow('b failed');
    expect(events).toEqual(['before a', 'before b', 'after a: undefined']);
  });
});
