import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { CallChannel } from '@mortise/plugin/runtime';
import { afterAll, describe, expect, it } from 'vitest';
import type * as ThreadsModule from '../../../src/call/validation/check-threads.js';
import type { Check } from '../../../src/call/validation/validation-worker.js';
import type { Runner } from '../../../src/core/plugin-runner.js';
import { built } from '../../built.js';

const { CheckThreads } = built<typeof ThreadsModule>('call/validation/check-threads');

/** One load of a plugin: a reload gives it another runner. */
const load = () => ({}) as Runner;

const channel = { signal: new AbortController().signal } as CallChannel;
const ENDLESS_TEXT = { text: `${'a'.repeat(40)}!` };
const ENDLESS: JsonSchema = { properties: { text: { pattern: '^(a+)+$' } } };
const TOOK_TOO_LONG = { failed: 'it took more than 1 s', in: 'check', endedThread: true };
const ACCEPTED = { found: [] };
const REFUSED = { found: [{ code: 'INVALID_PARAMS' }] };

describe('the threads for checks', () => {
  // A busy machine must not end a good check, so the limit is higher than usual.
  const threads = new CheckThreads(2_000);
  afterAll(() => threads.close());

  const run = (plugin: Runner, schema: JsonSchema, value: JsonObject) =>
    threads.run(plugin, { check: 'arguments', schema, value }, channel);

  /** Checks a value that is too long, then changes the schema: only a thread that compiles it again accepts the value. */
  async function createProbe(plugin: Runner) {
    const text = { pattern: 'x', maxLength: 5 };
    const schema = { properties: { text } } as JsonSchema;
    const probe = () => run(plugin, schema, { text: 'xxxxxxxxxx' });
    expect(await probe()).toMatchObject(REFUSED);
    text.maxLength = 100;
    return probe;
  }

  it('are one for all plugins, and one more for a plugin that took too long, until it is loaded again', async () => {
    const good = load();
    const bad = load();
    let probe = await createProbe(good);
    const answer = run(bad, ENDLESS, ENDLESS_TEXT);
    // The bad check has ended the shared thread.
    expect(await probe()).toEqual(ACCEPTED);
    expect(await answer).toEqual(TOOK_TOO_LONG);

    probe = await createProbe(good);
    const ownProbe = await createProbe(bad);
    expect(await ownProbe()).toMatchObject(REFUSED);
    expect(await run(bad, ENDLESS, ENDLESS_TEXT)).toEqual(TOOK_TOO_LONG);
    expect(await ownProbe()).toEqual(ACCEPTED);
    expect(await probe()).toMatchObject(REFUSED);

    const answerAfterReload = run(load(), ENDLESS, ENDLESS_TEXT);
    expect(await probe()).toEqual(ACCEPTED);
    expect(await answerAfterReload).toEqual(TOOK_TOO_LONG);
  });

  it('check the arguments of a good plugin with a pattern while another check takes too long', async () => {
    const bad = load();
    const isSlow = Promise.all([run(bad, ENDLESS, ENDLESS_TEXT), run(bad, ENDLESS, ENDLESS_TEXT)]);
    const first = await Promise.race([isSlow, run(load(), { properties: { a: { pattern: 'x' } } }, { a: 'x' })]);
    expect(first).toEqual(ACCEPTED);
    expect(await isSlow).toEqual([TOOK_TOO_LONG, TOOK_TOO_LONG]);
  });

  it('take the plugins in turn', async () => {
    // A thread that has not started yet begins when all are waiting.
    const starting = new CheckThreads(60_000);
    afterAll(() => starting.close());
    const plugins = { a: load(), b: load(), c: load() };
    const order: string[] = [];
    const checks = (['a1', 'a2', 'a3', 'b1', 'c1', 'b2'] as const).map(async (name) => {
      const plugin = plugins[name[0] as keyof typeof plugins];
      const check: Check = { check: 'arguments', schema: { pattern: 'x' }, value: {} };
      await starting.run(plugin, check, channel);
      order.push(name);
    });
    await Promise.all(checks);
    expect(order).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3']);
  });

  it('fail their checks when the server ends', async () => {
    const closing = new CheckThreads();
    const check: Check = { check: 'arguments', schema: ENDLESS, value: {} };
    const answers = [1, 2].map(() => closing.run(load(), check, channel));
    closing.close();
    const failed = { failed: 'the server is shutting down', in: 'check' };
    expect(await Promise.all(answers)).toEqual([failed, failed]);
  });
});

describe('the limit of the shared thread', () => {
  it('refuses no schema that takes longer to compile', async () => {
    const threads = new CheckThreads();
    afterAll(() => threads.close());
    const names = Array.from({ length: 500 }, (_, i) => `property${i}`);
    const schema = {
      properties: Object.fromEntries(names.map((name) => [name, { type: 'string', minLength: 1 }])),
    } as JsonSchema;
    const plugin = load();
    const run = (value: JsonObject) => threads.run(plugin, { check: 'arguments', schema, value }, channel);
    expect(await run({ property7: 'x' })).toEqual(ACCEPTED);
    expect(await run({ property7: 7 })).toMatchObject(REFUSED);
  });
});
