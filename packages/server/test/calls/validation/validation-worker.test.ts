import type { JsonObject, JsonSchema } from '@mortise/plugin';
import type { CallChannel } from '@mortise/plugin/runtime';
import { afterAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/calls/validation/validate-arguments.js';
import type * as ThreadModule from '../../../src/calls/validation/validation-worker.js';
import { isQuickCheck } from '../../../src/json-schema/quick-check.js';
import { built } from '../../built.js';

const { CheckThread } = built<typeof ThreadModule>('calls/validation/validation-worker');
const channel = { signal: new AbortController().signal } as CallChannel;
const thread = new CheckThread();
afterAll(() => thread.close());

const plugin = { path: 'plugin.mjs', runner: {} as ThreadModule.Check['plugin']['runner'] };
const check = (value: JsonObject, schema: JsonSchema) =>
  thread.run({ plugin, check: 'arguments', value, schema }, channel);

/** Patterns that mean different things with the Unicode flag and without it, or are valid in one way only. */
const PATTERNS = [
  '^\\p{L}+$',
  '\\p{9}',
  '^[\\w-.]+$',
  '^.$',
  '^(?:.{2})+$',
  '\\u{1F600}',
  '^\\u{3}$',
  '\\-',
  '(?<n>a)\\k<n>',
  '\\k<a>',
  '^[😀-😃]$',
  '^(.)\\1$',
  '^\\P{Lu}*$',
  '{',
  'a{,3}',
  '(?<=a)b',
  '^\\ud83d',
  '^\\ud83d$',
  '[^]',
  '\\1',
  '\\c',
  '[a-\\d]',
  '^(?:a|ab)*$',
  '\\bé',
  '^\\S+$',
];
const TEXTS = [
  '',
  'a',
  'abab',
  'é',
  'ſ',
  'İ',
  '😀',
  '\ud83d',
  'uuu',
  'a.b-c',
  '\n',
  '\u2028',
  'ppppppppp',
  '{',
  'a{,3}',
  'bé b',
];

describe('a check in the thread', () => {
  it.each(PATTERNS)('gives the verdict of the server for the pattern %s', async (pattern) => {
    const schema = {
      properties: { t: { type: 'string', pattern } },
      patternProperties: { [pattern]: { maxLength: 9 } },
    };
    const inThread = await Promise.all(TEXTS.map((t) => check({ t }, schema as JsonSchema)));
    expect(inThread).toEqual(TEXTS.map((t) => ({ found: CHECKS.arguments({ t }, schema as JsonSchema) })));
  });

  it('does not count compiling as checking, and keeps what was compiled', async () => {
    const names = Array.from({ length: 1_500 }, (_, i) => `p${i}`);
    const limits = { type: 'string', maxLength: 5 };
    const schema = { properties: Object.fromEntries(names.map((name) => [name, limits])) } as JsonSchema;
    expect(await check({ p1: 'x' }, schema)).toEqual({ found: [] });
    // Were it compiled again, it would allow this.
    limits.maxLength = 100;
    expect(await check({ p1: 'too long' }, schema)).toMatchObject({ found: [{ code: 'INVALID_PARAMS' }] });
  });

  it('ends a check after a second, and compiles again for the next', async () => {
    const schema = { properties: { t: { pattern: '^(a+)+$' } } } as JsonSchema;
    expect(await check({ t: `${'a'.repeat(40)}!` }, schema)).toEqual({ failed: 'it took more than 1 s', in: 'check' });
    expect(await check({ t: 'aaa' }, schema)).toEqual({ found: [] });
  });
});

describe('a shared thread', () => {
  it('hands over all jobs of a plugin whose check took too long, except those that no one waits for', async () => {
    const schema = { properties: { t: { pattern: '^(a+)+$' } } } as JsonSchema;
    const quick: ThreadModule.Check = { plugin, check: 'arguments', value: {}, schema };
    const slow: ThreadModule.Check = { ...quick, value: { t: `${'a'.repeat(40)}!` } };
    let handOver: (jobs: readonly ThreadModule.Job[]) => void;
    const handedOver = new Promise<readonly ThreadModule.Job[]>((resolve) => {
      handOver = resolve;
    });
    const shared = new CheckThread(Number.POSITIVE_INFINITY, (_, jobs) => handOver(jobs));
    afterAll(() => shared.close());
    await shared.run(quick, channel);

    const caller = new AbortController();
    const abandoned = shared.run(slow, { signal: caller.signal } as CallChannel);
    void shared.run(slow, channel);
    const other = shared.run({ ...quick, plugin: { ...plugin, runner: { ...plugin.runner } } }, channel);
    caller.abort();
    expect(await abandoned).toEqual({ failed: 'the call was ended', in: 'check' });
    expect(await handedOver).toMatchObject([{ channel, value: slow.value }]);
    expect(await other).toEqual({ found: [] });
  });

  it('counts reading and compiling as the check', async () => {
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, { minLength: 1 }]));
    const handedOver = await new Promise((resolve) => {
      const shared = new CheckThread(1, (_, jobs) => resolve(jobs));
      afterAll(() => shared.close());
      void shared.run({ plugin, check: 'arguments', value: {}, schema: { properties } }, channel);
    });
    expect(handedOver).toMatchObject([{ channel }]);
  });
});

describe('a schema of 750 properties', () => {
  const names = Array.from({ length: 750 }, (_, i) => `property${i}`);
  const properties = Object.fromEntries(
    names.map((name) => [name, { type: 'string', minLength: 1, description: name }]),
  );

  it('can be called, and says what is wrong', async () => {
    const schema = { type: 'object', properties, required: names, additionalProperties: false } as JsonSchema;
    const all = Object.fromEntries(names.map((name) => [name, 'x']));
    expect(isQuickCheck(schema, all)).toBe(false);
    expect(await check(all, schema)).toEqual({ found: [] });
    const { found } = (await check({ ...all, property7: 7 }, schema)) as { found: { message: string }[] };
    expect(found.map(({ message }) => message)).toEqual(["Parameter 'property7' must be a string"]);
  });
});
