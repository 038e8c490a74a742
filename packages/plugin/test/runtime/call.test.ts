import type { CallContext, ClientCapabilities, RegisterApi } from '@mortise/plugin';
import { fail } from '@mortise/plugin';
import type { CallChannel, Outcome } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import { channel, load } from './host.js';

type Run = (input: never, context: CallContext) => unknown;

async function call(run: Run, overrides: Partial<CallChannel> = {}): Promise<Outcome> {
  const tool = { name: 't', description: 'd', inputSchema: { type: 'object' }, run };
  const plugin = await load({ register: (api: RegisterApi) => void api.registerTool(tool) });
  return plugin.run({ do: 'call', name: 't', args: {} }, channel(overrides));
}

const text = (outcome: Outcome) => (outcome.kind === 'success' ? outcome.content[0] : outcome);

describe('what a tool throws', () => {
  const thrown = async (value: unknown, run?: Run) => {
    const outcome = await call(
      run ??
        (() => {
          throw value;
        }),
    );
    if (outcome.kind !== 'error') throw new Error('not an error');
    return outcome.errors[0];
  };

  it('is TOOL_EXCEPTION with the message and the frames of the plugin', async () => {
    const error = await thrown(undefined, () => {
      throw new RangeError('out of range');
    });
    expect(error).toMatchObject({ code: 'TOOL_EXCEPTION', category: 'Tool', message: 'out of range' });
    expect(error?.rawOutput).toMatch(/^RangeError: out of range\n\s+at .*call\.test\.ts[^\n]*$/);
    expect(error?.rawOutput).not.toMatch(/node:internal|src[/\\]runtime/);
    expect(error).not.toHaveProperty('mcpErrorCode');
  });

  it.each<[unknown, unknown]>([
    ['text', 'text'],
    ['', 'The tool threw an empty string'],
    [null, 'The tool threw null'],
    [undefined, 'The tool threw undefined'],
    [42, 'The tool threw 42'],
    [() => {}, 'The tool threw a function'],
    [{ message: 'like an error' }, 'like an error'],
    [{ status: 404 }, { json: { status: 404 } }],
    [{ big: 1n }, 'The tool threw an object with the members big'],
    [new Error(''), 'Error'],
    [
      new Error('fetch failed', { cause: new Error('connect ECONNREFUSED') }),
      'fetch failed (cause: connect ECONNREFUSED)',
    ],
    [
      new AggregateError([new Error('no route'), new Error('refused')], 'all failed'),
      'all failed (cause: no route; refused)',
    ],
    [Object.assign(new Error(''), { code: 'ENOENT' }), 'ENOENT'],
  ])('%o is told', async (value, message) => {
    expect((await thrown(value))?.message).toEqual(message);
  });

  it('with causes in a circle, or a hostile one, is told all the same', async () => {
    const circle = new Error('a');
    circle.cause = circle;
    expect((await thrown(circle))?.message).toBe('a');
    const hostile = new Proxy(
      {},
      {
        get: () => {
          throw new Error('x');
        },
      },
    );
    expect((await thrown(hostile))?.message).toMatch(/^The tool threw/);
    const stackless = Object.defineProperty(new Error('m'), 'stack', {
      get: () => {
        throw new Error('x');
      },
    });
    expect((await thrown(stackless))?.message).toMatch(/\S/);
  });

  it('made by fail() is that failure', async () => {
    expect(await thrown(fail('no city', { code: 'CITY_UNKNOWN', hint: 'h' }))).toMatchObject({
      code: 'CITY_UNKNOWN',
      message: 'no city',
      hint: 'h',
    });
    const error = Object.assign(new Error('own'), {
      [Symbol.for('mortise.failure')]: { message: 'own', errors: [{ code: 'OWN', message: 'own' }], exitCode: 2 },
    });
    expect(await thrown(error)).toMatchObject({ code: 'OWN', message: 'own', category: 'Tool' });
  });

  it('rejected or thrown by a `then` is an error, not a crash', async () => {
    expect(
      await thrown(undefined, async () => {
        throw new Error('async');
      }),
    ).toMatchObject({ code: 'TOOL_EXCEPTION', message: 'async' });
    expect(
      await thrown(undefined, () => ({
        // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is about
        get then() {
          throw new Error('no then');
        },
      })),
    ).toMatchObject({ code: 'TOOL_INVALID_RESULT' });
    expect(
      await thrown(undefined, () => ({
        // biome-ignore lint/suspicious/noThenProperty: a thenable is what this is about
        then(_: unknown, reject: (e: unknown) => void) {
          reject('r');
        },
      })),
    ).toMatchObject({ message: 'r' });
  });
});

describe('the context of a call', () => {
  it('has parts that may be taken out of it', async () => {
    const call1 = channel({ clientCapabilities: { roots: {} } });
    const run: Run = (_, { progress, logger, getConfig, clientCapabilities, signal }) => {
      progress.report(10);
      progress.report('20' as never, 5 as never);
      for (const percent of [Number.NaN, -5, Number.POSITIVE_INFINITY]) progress.report(percent, 'clamped');
      progress.report({ done: 7, total: 9, message: 'of nine' });
      progress.report({ done: 1e12 });
      for (const done of [Number.NaN, Number.POSITIVE_INFINITY, '1']) progress.report({ done: done as number });
      for (const total of [0, -1, Number.NaN, '9']) progress.report({ done: 8, total: total as number });
      logger.info('m', { error: new TypeError('in fields'), big: undefined });
      logger.warn('m', { circular: 1n });
      return { content: `${getConfig('x')} ${'roots' in clientCapabilities} ${signal.aborted}` };
    };
    const plugin = await load({
      register: (api: RegisterApi) => void api.registerTool({ name: 't', description: 'd', run }),
    });
    expect(text(await plugin.run({ do: 'call', name: 't', args: {} }, call1))).toEqual({
      type: 'text',
      text: 'null true false',
    });
    expect(call1.reports).toEqual([
      { done: 10, total: 100 },
      { done: 20, total: 100 },
      { done: 0, total: 100, message: 'clamped' },
      { done: 100, total: 100, message: 'clamped' },
      { done: 7, total: 9, message: 'of nine' },
      { done: 1e12 },
      ...Array(4).fill({ done: 8 }),
    ]);
    expect(call1.entries).toMatchObject([
      { level: 'info', fields: { error: { name: 'TypeError', message: 'in fields', stack: expect.any(String) } } },
      { level: 'warn', fields: { fields: expect.stringContaining('cannot be logged') } },
      { level: 'warn', message: expect.stringContaining('was ignored') },
    ]);
  });
});

const schema = { type: 'object', properties: { name: { type: 'string' } } };
const all = { elicitation: {}, sampling: {}, roots: {} };

describe('input in mode ask', () => {
  it('sends each question as MCP has it, and gives the answer', async () => {
    const sent: unknown[] = [];
    const run: Run = async (_, { input }) => {
      const who = await input.elicit('who', { message: 'Who?', schema });
      const sampled = await input.sample('joke', { messages: [], maxTokens: 10, systemPrompt: 's' });
      const roots = await input.roots('roots');
      return { content: JSON.stringify([who, sampled.role, roots]) };
    };
    const answers: Record<string, unknown> = {
      who: { action: 'accept', content: { name: 'Ada' } },
      joke: { role: 'assistant', model: 'm', content: { type: 'text', text: 'ha' } },
      roots: { roots: [{ uri: 'file:///a' }] },
    };
    const outcome = await call(run, {
      clientCapabilities: all,
      requestInput: async (requests) => {
        sent.push(requests);
        return Object.fromEntries(Object.keys(requests).map((key) => [key, answers[key]]));
      },
    });
    expect(text(outcome)).toMatchObject({
      text: '[{"action":"accept","content":{"name":"Ada"}},"assistant",[{"uri":"file:///a"}]]',
    });
    expect(sent).toEqual([
      { who: { method: 'elicitation/create', params: { mode: 'form', message: 'Who?', requestedSchema: schema } } },
      { joke: { method: 'sampling/createMessage', params: { messages: [], maxTokens: 10, systemPrompt: 's' } } },
      { roots: { method: 'roots/list', params: {} } },
    ]);
  });

  it('asks several questions at once with all', async () => {
    const run: Run = async (_, { input }) => {
      const { a, b } = await input.all({ a: { elicit: { message: 'A?', schema } }, b: { roots: true } });
      return { content: `${a.action} ${b.length}` };
    };
    let rounds = 0;
    const outcome = await call(run, {
      clientCapabilities: all,
      requestInput: async () => {
        rounds++;
        return { a: { action: 'decline', content: {} }, b: { roots: [] } };
      },
    });
    expect(text(outcome)).toMatchObject({ text: 'decline 0' });
    expect(rounds).toBe(1);
  });

  it.each([[{}], [{ k: 'yes' }], [{ k: { action: 'maybe' } }], [{ k: { action: 'accept', content: [] } }], [null]])(
    'a wrong answer %j is an error to the tool',
    async (answer) => {
      const run: Run = async (_, { input }) => input.elicit('k', { message: 'm', schema });
      const outcome = await call(run, { clientCapabilities: all, requestInput: async () => answer as never });
      expect(outcome).toMatchObject({
        errors: [{ code: 'ANSWER_INVALID', message: expect.stringContaining("The answer to 'k' does not fit") }],
      });
    },
  );

  it('passes on that the client refused', async () => {
    const run: Run = async (_, { input }) => input.roots('k').catch((error: Error) => `caught ${error.message}`);
    expect(
      text(await call(run, { clientCapabilities: all, requestInput: () => Promise.reject(new Error('gone')) })),
    ).toMatchObject({ text: 'caught gone' });
  });

  it('refuses malformed questions and a key used twice', async () => {
    const ask = (question: (input: CallContext['input']) => Promise<unknown>) =>
      call(async (_, { input }) => question(input), {
        clientCapabilities: all,
        requestInput: async () => ({ k: { roots: [] } }),
      });
    const message = async (question: (input: CallContext['input']) => Promise<unknown>) => {
      const outcome = await ask(question);
      return outcome.kind === 'error' ? outcome.errors[0]?.message : outcome;
    };
    expect(await message((input) => input.elicit('k', { message: 5 } as never))).toContain('elicit expects');
    expect(await message((input) => input.sample('k', {} as never))).toContain('sample expects');
    expect(await message((input) => input.all({ k: {} } as never))).toContain('A question must be');
    expect(await message((input) => input.roots(''))).toContain('needs a key');
    expect(await message((input) => input.roots('k').then(() => input.roots('k')))).toContain(
      "'k' has already been used",
    );
  });
});

describe('input in mode retry', () => {
  const retry = (answers: Record<string, unknown> = {}, clientCapabilities: ClientCapabilities = all) => ({
    inputMode: 'retry' as const,
    answers,
    clientCapabilities,
  });

  it('ends the call with all questions of one tick; what the tool does then is dropped, but its finally blocks run', async () => {
    let cleaned = 0;
    const run: Run = async (_, { input }) => {
      try {
        await Promise.all([
          input.elicit('a', { message: 'A?', schema }),
          Promise.resolve().then(() => input.roots('b')),
        ]);
      } catch {
        return 'dropped';
      } finally {
        cleaned++;
      }
    };
    expect(await call(run, retry())).toEqual({
      kind: 'input_required',
      requests: {
        a: { method: 'elicitation/create', params: { mode: 'form', message: 'A?', requestedSchema: schema } },
        b: { method: 'roots/list', params: {} },
      },
    });
    await new Promise((resolve) => setImmediate(resolve));
    expect(cleaned).toBe(1);
  });

  it('finds answers by key, asks only for what is open, and ignores other keys', async () => {
    const run: Run = async (_, { input }) => {
      const { a, b } = await input.all({ a: { elicit: { message: 'A?', schema } }, b: { roots: true } });
      return `${a.action} ${b.length}`;
    };
    const accepted = { action: 'accept', content: { name: 'x' } };
    expect(await call(run, retry({ a: accepted, other: 1 }))).toMatchObject({
      requests: { b: { method: 'roots/list' } },
    });
    expect(await call(run, retry({ a: accepted, b: { roots: [{ uri: 'file:///a' }] } }))).toMatchObject({
      content: [{ text: 'accept 1' }],
    });
  });

  it('asks while the call waits once the mode has changed, and only what no earlier round has answered', async () => {
    const answers = { a: { action: 'accept', content: { name: 'x' } } };
    const requested: string[][] = [];
    const own = Object.assign(channel(), {
      ...retry(answers),
      inputMode: 'retry' as 'ask' | 'retry',
      requestInput: async (requests: object) => {
        requested.push(Object.keys(requests));
        return { b: { roots: [] } };
      },
    });
    const instance = await load({ register: (api: RegisterApi) => api.registerTool({ name: 'x', run }) });
    async function run(_: unknown, { input }: CallContext) {
      own.inputMode = 'ask';
      const { a, b } = await input.all({ a: { elicit: { message: 'A?', schema } }, b: { roots: true } });
      return `${a.action} ${b.length}`;
    }
    expect(await instance.run({ do: 'call', name: 'x', args: {} }, own)).toMatchObject({
      content: [{ text: 'accept 0' }],
    });
    expect(requested).toEqual([['b']]);
  });

  it.each([
    [{ a: 'yes' }],
    [{ a: { action: 'accept', content: 'x' } }],
    [{ a: null }],
    [JSON.parse('{"__proto__": {"a": 1}}')],
  ])('asks again after the wrong answer %j', async (answers) => {
    const run: Run = async (_, { input }) => (await input.elicit('a', { message: 'A?', schema })).action;
    const outcome = await call(run, retry(answers));
    expect(outcome).toMatchObject({ kind: 'input_required' });
    expect(Object.keys(outcome.kind === 'input_required' ? outcome.requests : {})).toEqual(['a']);
  });

  it('takes no answer that was inherited', async () => {
    const run: Run = async (_, { input }) => (await input.roots('a')).length;
    expect(await call(run, retry(Object.create({ a: { roots: [] } })))).toMatchObject({ kind: 'input_required' });
    expect(await call(run, retry({ a: { roots: [] } }))).toMatchObject({ kind: 'success' });
  });

  it('does not end a call that did not wait for its question', async () => {
    const run: Run = (_, { input }) => {
      void input.roots('a');
      return 'done';
    };
    expect(text(await call(run, retry()))).toMatchObject({ text: 'done' });
    await new Promise((resolve) => setImmediate(resolve));
  });

  it('ends a call at once, even when the tool continues', async () => {
    const run: Run = async (_, { input }) => {
      await input.roots('a').catch(() => {});
      await new Promise(() => {});
    };
    expect(await call(run, retry())).toMatchObject({ kind: 'input_required' });
  });
});

describe('a client that cannot', () => {
  const elicit: Run = async (_, { input }) => (await input.elicit('a', { message: 'A?', schema })).action;

  it.each(['ask', 'retry'] as const)('makes the call CAPABILITY_NOT_AVAILABLE in mode %s', async (inputMode) => {
    expect(await call(elicit, { inputMode })).toMatchObject({
      kind: 'error',
      exitCode: -1,
      errors: [
        {
          code: 'CAPABILITY_NOT_AVAILABLE',
          category: 'Capability',
          mcpErrorCode: -32603,
          message: expect.stringMatching(/^The 'elicitation' capability is not available: /),
          explanation: expect.any(String),
          alternatives: expect.any(Array),
          data: { additionalData: { feature: 'elicitation', reason: expect.any(String) } },
        },
      ],
      requiredCapabilities: { elicitation: { form: {} } },
    });
  });

  it('names what is required of each kind, and of several together', async () => {
    const required = async (run: Run, clientCapabilities: ClientCapabilities = {}) => {
      const outcome = await call(run, { clientCapabilities });
      return outcome.kind === 'error' ? outcome.requiredCapabilities : outcome;
    };
    const sample = { messages: [], maxTokens: 1 };
    expect(await required(async (_, { input }) => input.sample('s', sample))).toEqual({ sampling: {} });
    expect(
      await required(async (_, { input }) => input.sample('s', { ...sample, tools: [] }), { sampling: {} }),
    ).toEqual({ sampling: { tools: {} } });
    expect(await required(async (_, { input }) => input.roots('r'))).toEqual({ roots: {} });
    expect(await required(elicit, { elicitation: { url: {} } })).toEqual({ elicitation: { form: {} } });
    expect(await required(async (_, { input }) => input.all({ s: { sample }, r: { roots: true } }))).toEqual({
      sampling: {},
      roots: {},
    });
  });

  it('may be caught by the tool', async () => {
    const run: Run = async (_, { input }) => input.roots('r').catch((error: Error) => `without: ${error.name}`);
    expect(text(await call(run))).toMatchObject({ text: 'without: MissingCapabilityError' });
  });
});
