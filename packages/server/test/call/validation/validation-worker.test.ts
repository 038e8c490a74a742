import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import type { JsonObject, JsonSchema } from '@mortise/plugin';
import { afterAll, describe, expect, it } from 'vitest';
import { CHECKS } from '../../../src/call/validation/validate-arguments.js';
import type * as ThreadModule from '../../../src/call/validation/validation-worker.js';
import { isQuickCheck } from '../../../src/json-schema/quick-check.js';
import { built } from '../../built.js';

const { CheckThread } = built<typeof ThreadModule>('call/validation/validation-worker');
const { signal } = new AbortController();
const thread = new CheckThread();
afterAll(() => thread.close());

const check = (value: JsonObject, schema: JsonSchema) => thread.run({ check: 'arguments', value, schema }, signal);

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

const ENDED = { failed: 'it took more than 1 s', in: 'check', endedThread: true };

describe('a check in the thread', () => {
  it.each(PATTERNS)('gives the verdict of the server for the pattern %s', async (pattern) => {
    const schema = {
      properties: { t: { type: 'string', pattern } },
      patternProperties: { [pattern]: { maxLength: 9 } },
    };
    const inThread = await Promise.all(TEXTS.map((t) => check({ t }, schema as JsonSchema)));
    expect(inThread).toEqual(TEXTS.map((t) => ({ found: CHECKS.arguments({ t }, schema as JsonSchema) })));
  });

  it('forgets schemas that no plugin has any more', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    // Together they are more than the thread may hold.
    for (let round = 0; round < 40; round++) {
      const description = `${round}${'x'.repeat(8 * 1024 * 1024)}`;
      const schema = { description, properties: { t: { type: 'string', pattern: '^x+$' } } } as JsonSchema;
      expect(await check({ t: 'x' }, schema)).toEqual({ found: [] });
      collect();
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  it('keeps what was compiled', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `p${i}`);
    const limits = { type: 'string', maxLength: 5 };
    const schema = { properties: Object.fromEntries(names.map((name) => [name, limits])) } as JsonSchema;
    expect(await check({ p1: 'x' }, schema)).toEqual({ found: [] });
    // Were it compiled again, it would allow this.
    limits.maxLength = 100;
    expect(await check({ p1: 'too long' }, schema)).toMatchObject({ found: [{ code: 'INVALID_PARAMS' }] });
  });

  it('ends a check after a second, and compiles again for the next', async () => {
    const schema = { properties: { t: { pattern: '^(a+)+$' } } } as JsonSchema;
    expect(await check({ t: `${'a'.repeat(40)}!` }, schema)).toEqual(ENDED);
    expect(await check({ t: 'aaa' }, schema)).toEqual({ found: [] });
  });

  it('can have a limit for all phases together', async () => {
    const properties = Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`p${i}`, { minLength: 1 }]));
    const answer = await thread.run({ check: 'arguments', value: {}, schema: { properties } }, signal, 1);
    expect(answer).toMatchObject({ endedThread: true });
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
