import { unchanging } from '@mortise/plugin';
import { expect, test } from 'vitest';
import { createRedactor, createUnsafeRedactor } from '../../src/redact/redactor.js';

const { value } = createRedactor({ secrets: ['configured7'] });

test('Strings under secret keys are replaced whole, at any depth', () => {
  expect(value({ a: [{ apiKey: 'x y', user: 'bob', 'Set-Cookie': 'a=b; Path=/' }] })).toEqual({
    a: [{ apiKey: '[REDACTED]', user: 'bob', 'Set-Cookie': '[REDACTED]' }],
  });
});

test('Only strings are replaced: numbers, booleans, null, objects and empty strings stay', () => {
  const given = {
    tokens: 12,
    token: 7,
    password: null,
    secret: true,
    pwd: '',
    properties: { password: { type: 'string' } },
  };
  expect(value(given)).toEqual(given);
});

test('Of a list under a secret key each string is replaced, in lists inside it too', () => {
  expect(value({ token: ['a', 1, ['b'], { name: 'c' }] })).toEqual({
    token: ['[REDACTED]', 1, ['[REDACTED]'], { name: 'c' }],
  });
});

test('The scheme of an Authorization value stays', () => {
  expect(value({ Authorization: 'Bearer abc', authorization: ['Basic eA=='], 'Proxy-Authorization': 'abc' })).toEqual({
    Authorization: 'Bearer [REDACTED]',
    authorization: ['Basic [REDACTED]'],
    'Proxy-Authorization': '[REDACTED]',
  });
});

test('Every other string is redacted as text, and keys are too', () => {
  expect(value({ log: 'password=abc', 'https://u:pw@host/': 1, configured7: 2 })).toEqual({
    log: 'password=[REDACTED]',
    'https://u:[REDACTED]@host/': 1,
    '[REDACTED]': 2,
  });
  expect(value('token=abc')).toBe('token=[REDACTED]');
});

test('Keys that become equal are numbered', () => {
  expect(value({ configured7: 1, 'configured7\x07': 2, '[REDACTED] (2)': 3 })).toEqual({
    '[REDACTED]': 1,
    '[REDACTED] (2)': 2,
    '[REDACTED] (2) (2)': 3,
  });
});

test('A number that is taken is passed over', () => {
  expect(value({ '[REDACTED] (2)': 1, configured7: 2, 'configured7\x07': 3 })).toEqual({
    '[REDACTED] (2)': 1,
    '[REDACTED]': 2,
    '[REDACTED] (3)': 3,
  });
});

test('Names beside their values, arguments after their options, and headers in pairs count as keys', () => {
  expect(
    value([
      { name: 'API_KEY', value: 'abc' },
      { Key: 'Color', Value: 'red' },
    ]),
  ).toEqual([
    { name: 'API_KEY', value: '[REDACTED]' },
    { Key: 'Color', Value: 'red' },
  ]);
  expect(value(['--password', 'abc', '--force', '--token', '--x'])).toEqual([
    '--password',
    '[REDACTED]',
    '--force',
    '--token',
    '--x',
  ]);
  expect(value([['Authorization', 'Bearer abc']])).toEqual([['Authorization', 'Bearer [REDACTED]']]);
  const lists = { required: ['password', 'email'], allowedHeaders: ['Authorization', 'Content-Type'] };
  expect(value(lists)).toEqual(lists);
});

test('The value given is not changed, and the copy shares nothing with it', () => {
  const given = { a: { password: 'abc' }, b: [1] };
  const copy = value(given);
  expect(given).toEqual({ a: { password: 'abc' }, b: [1] });
  expect(copy.b).not.toBe(given.b);
});

test('__proto__ is a key like others', () => {
  const copy = value(JSON.parse('{"__proto__": {"password": "abc"}}'));
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"password":"[REDACTED]"}}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('Depth is no limit', () => {
  let given: unknown = { password: 'abc' };
  for (let depth = 0; depth < 10_000; depth++) given = depth % 2 ? { a: given } : [given];
  let copy = value(given) as Record<string, unknown>;
  while (!('password' in copy)) copy = (copy.a ?? copy[0]) as typeof copy;
  expect(copy).toEqual({ password: '[REDACTED]' });
});

test('Cycles and shared parts stay what they are', () => {
  const shared = { password: 'abc' };
  const given: Record<string, unknown> = { shared, again: shared };
  given.self = given;
  const copy = value(given);
  expect(copy.self).toBe(copy);
  expect(copy.again).toBe(copy.shared);
  expect(copy.shared).toEqual({ password: '[REDACTED]' });
});

test('Errors keep their message and stack, redacted; dates become their text', () => {
  const copy = value({ error: Object.assign(new TypeError('password=abc'), { code: 'E' }), at: new Date(0) });
  expect(copy.error).toMatchObject({ name: 'TypeError', message: 'password=[REDACTED]', code: 'E' });
  expect(copy.error.stack).toContain('password=[REDACTED]');
  expect(copy.at).toBe('1970-01-01T00:00:00.000Z');
});

test('More keys than are remembered are each what they are', () => {
  const keys = Array.from({ length: 5000 }, (_, index) => `key ${index} ${'x'.repeat(index % 100)}`);
  const given = Object.fromEntries(
    keys.flatMap((key) => [
      [key, 'a'],
      [`${key} apiKey`, 'b'],
    ]),
  );
  const shown = value(value(given));
  expect(Object.keys(shown)).toEqual(Object.keys(given));
  expect(new Set(Object.entries(shown).map(([key, text]) => `${key.endsWith('apiKey')} ${text}`))).toEqual(
    new Set(['false a', 'true [REDACTED]']),
  );
});

test('What never changes is redacted once, as anything else is', () => {
  const rows = unchanging([{ apiKey: 'x y', log: 'password=abc', list: ['--password', 'x'] }]);
  const expected = [{ apiKey: '[REDACTED]', log: 'password=[REDACTED]', list: ['--password', '[REDACTED]'] }];
  const [first, second] = [value({ rows, a: 'token=1' }), value({ rows, b: rows })];
  expect(first).toEqual({ rows: expected, a: 'token=[REDACTED]' });
  expect(second).toEqual({ rows: expected, b: expected });
  expect(second.rows).toBe(first.rows);
  expect(value({ token: rows })).toEqual({ token: expected });
  expect(value(rows)).toEqual(expected);
  expect(value({ token: unchanging(['abc']), other: unchanging(['abc']) })).toEqual({
    token: ['[REDACTED]'],
    other: ['abc'],
  });
});

test('What others redact of it is not mixed up', () => {
  const rows = unchanging([{ log: 'password=abc' }]);
  expect(value({ rows })).toEqual({ rows: [{ log: 'password=[REDACTED]' }] });
  expect(createUnsafeRedactor().value({ rows })).toEqual({ rows: [{ log: 'password=abc' }] });
  expect(createRedactor({ secrets: [] }).value({ rows })).toEqual({ rows: [{ log: 'password=[REDACTED]' }] });
});
