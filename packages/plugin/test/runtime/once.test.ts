import type { CallContext, RegisterApi } from '@mortise/plugin';
import { runTool } from '@mortise/plugin/testing';
import { describe, expect, it } from 'vitest';
import { checkOutcome } from '../../src/runtime/index.js';
import { channel, load } from './host.js';

const question = { message: 'Really?', schema: { type: 'object' } };
const answers = { first: { action: 'accept', content: {} }, second: { action: 'decline' } };
type Run = (context: CallContext) => unknown;
const tool = (run: Run) => ({ name: 't', run: (_: unknown, context: CallContext) => run(context) });
const callOf = async (run: Run, overrides = {}) => {
  const plugin = await load({
    register: (api: RegisterApi) => void api.registerTool({ ...tool(run), description: 'd', inputSchema: {} }),
  });
  return plugin.run(
    { do: 'call', name: 't', args: {} },
    channel({ clientCapabilities: { elicitation: {} }, ...overrides }),
  );
};

describe.each(['ask', 'retry'] as const)('once, where answers come by %s', (inputMode) => {
  it('runs each effect once in all rounds, and gives its result again', async () => {
    const ran: string[] = [];
    const effect = (key: string, value: unknown) => () => {
      ran.push(key);
      return value;
    };
    const { text } = await runTool(
      tool(async ({ once, input }) => {
        const order = await once('order', effect('order', { id: 7, at: new Date(0), none: undefined }));
        const nothing = await once('nothing', effect('nothing', undefined));
        await input.elicit('first', question);
        const paid = await once('paid', async () => effect('paid', [true])());
        const { action } = await input.elicit('second', question);
        return JSON.stringify([order, typeof nothing, paid, action, await once('__proto__', effect('last', 1))]);
      }),
      {},
      { inputMode, answers },
    );
    expect(text).toBe('[{"id":7,"at":"1970-01-01T00:00:00.000Z"},"undefined",[true],"decline",1]');
    expect(ran).toEqual(['order', 'nothing', 'paid', 'last']);
  });

  it('waits for the effects that run when a question ends the call', async () => {
    let runs = 0;
    const slow = () =>
      new Promise<string>((resolve) =>
        setTimeout(() => {
          runs++;
          resolve('slow');
        }, 20),
      );
    const { text } = await runTool(
      tool(async ({ once, input }) => {
        const [value] = await Promise.all([once('slow', slow), input.elicit('first', question)]);
        return value;
      }),
      {},
      { inputMode, answers },
    );
    expect([text, runs]).toEqual(['slow', 1]);
  });

  it.each<[string, Run, RegExp]>([
    [
      'a key that was used',
      ({ once }) => Promise.all([once('a', () => 1), once('a', () => 2)]),
      /Another effect of this call has the key 'a'/,
    ],
    ['no key', ({ once }) => once('', () => 1), /text that is not empty/],
    ['a result that JSON cannot hold', ({ once }) => once('a', () => new Map([[1, 2]])), /a Map/],
    ['a large result', ({ once }) => once('a', () => 'x'.repeat(70_000)), /65536 are allowed/],
    ['a question inside', ({ once, input }) => once('a', () => input.elicit('q', question)), /inside/],
    ['its own error', ({ once }) => once('a', () => Promise.reject(new Error('boom'))), /^boom/],
  ])('rejects with %s', async (_, run, message) => {
    expect((await runTool(tool(run), {}, { inputMode, answers })).error?.message).toMatch(message);
  });

  it('takes an effect that failed as one that has not happened', async () => {
    let runs = 0;
    const { text } = await runTool(
      tool(async ({ once }) => {
        const flaky = () => {
          if (++runs === 1) throw new Error('boom');
          return runs;
        };
        return await once('a', flaky).catch(() => once('a', flaky));
      }),
      {},
      { inputMode },
    );
    expect(text).toBe('2');
  });
});

describe('the results of effects', () => {
  it('go with the questions, those of earlier rounds too', async () => {
    const asks: Run = async ({ once, input }) => {
      await once('b', () => 2);
      await input.elicit('q', question);
    };
    const outcome = await callOf(asks, { inputMode: 'retry', onceResults: { a: { value: 1 } } });
    expect(outcome).toMatchObject({ kind: 'input_required', onceResults: { a: { value: 1 }, b: { value: 2 } } });
    expect(checkOutcome(outcome)).toBe(outcome);
  });

  it.each([[{ a: 1 }], [{ a: { other: 1 } }], [{ a: { value: 'x'.repeat(70_000) } }], [[]]])(
    'of a plugin process are checked',
    (onceResults) => {
      expect(checkOutcome({ kind: 'input_required', requests: {}, onceResults })).toMatchObject({
        kind: 'error',
        errors: [{ code: 'TOOL_INVALID_RESULT' }],
      });
    },
  );
});
