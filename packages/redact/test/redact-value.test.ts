import { immutable } from '@mortise/plugin';
import { expect, test } from 'vitest';
import { createRedactor, createUnsafeRedactor } from '../src/redactor.js';

const { value } = createRedactor({ secrets: ['configured7'] });

test('Strings under secret keys are replaced whole, at any depth', () => {
  expect(value({ a: [{ apiKey: 'x y', user: 'bob', 'Set-Cookie': 'a=b; Path=/' }] })).toEqual({
    a: [{ apiKey: '[REDACTED]', user: 'bob', 'Set-Cookie': '[REDACTED]' }],
  });
});

test('Only strings are replaced: numbers, booleans, null, objects and empty strings stay', () => {
  const values = {
    tokens: 12,
    token: 7,
    password: null,
    secret: true,
    pwd: '',
    properties: { password: { type: 'string' } },
  };
  expect(value(values)).toEqual(values);
});

test('Below a secret key each string is replaced, at any depth', () => {
  expect(value({ token: ['a', 1, ['b'], { name: 'c', of: { x: 'd' } }], user: 'bob' })).toEqual({
    token: ['[REDACTED]', 1, ['[REDACTED]'], { name: '[REDACTED]', of: { x: '[REDACTED]' } }],
    user: 'bob',
  });
});

test.each([
  { type: 'string', description: 'The password', default: 'a' },
  { type: ['string', 'null'], title: 'a' },
  { $ref: '#/$defs/a' },
  { enum: ['a', 'b'] },
  { const: 'a' },
])('Below a secret key %o is a JSON Schema and stays', (schema) => {
  expect(value({ password: schema })).toEqual({ password: schema });
  expect(value({ secrets: { password: schema, other: 'a' } })).toEqual({
    secrets: { password: schema, other: '[REDACTED]' },
  });
  const text = JSON.stringify({ password: schema, user: 'bob' });
  expect(value(text)).toBe(text);
});

test('Below a secret key the name of a value stays', () => {
  const secrets = [{ key: 'Greeting', value: 'a' }, { name: 'b' }];
  const redacted = { secrets: [{ key: 'Greeting', value: '[REDACTED]' }, { name: '[REDACTED]' }] };
  expect(value({ secrets })).toEqual(redacted);
  expect(value(JSON.stringify({ secrets }))).toBe(JSON.stringify(redacted));
});

test('A string of JSON text ends at its quote, also after a backslash', () => {
  const text = JSON.stringify({ password: 'a\\', user: 'b' });
  expect(value(text)).toBe(JSON.stringify({ password: '[REDACTED]', user: 'b' }));
  expect(() => JSON.parse(value(JSON.stringify({ log: 'password=a\\', n: 1 })))).not.toThrow();
});

test('In a JSON Schema the names of properties are not keys', () => {
  const schema = { type: 'object', properties: { password: { description: 'a', anyOf: [{ type: 'string' }] } } };
  expect(value({ inputSchema: schema })).toEqual({ inputSchema: schema });
  expect(value({ properties: { password: { description: 'a' } } })).toEqual({
    properties: { password: { description: '[REDACTED]' } },
  });
});

test('Raw headers are names and values by turns', () => {
  expect(value({ rawHeaders: ['Host', 'a', 'X-Api-Key', 'b', 'Authorization', 'Basic c'] })).toEqual({
    rawHeaders: ['Host', 'a', 'X-Api-Key', '[REDACTED]', 'Authorization', 'Basic [REDACTED]'],
  });
});

test('auth is a secret where it is a user and password in Base64', () => {
  const auth = Buffer.from('bob:hunter2').toString('base64');
  expect(value({ 'ghcr.io': { auth }, auth: 'required', mode: { auth: 'oauth2' } })).toEqual({
    'ghcr.io': { auth: '[REDACTED]' },
    auth: 'required',
    mode: { auth: 'oauth2' },
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

test('A number that is taken is ignored', () => {
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
  const values = { a: { password: 'abc' }, b: [1] };
  const copy = value(values);
  expect(values).toEqual({ a: { password: 'abc' }, b: [1] });
  expect(copy.b).not.toBe(values.b);
});

test('__proto__ is a key like others', () => {
  const copy = value(JSON.parse('{"__proto__": {"password": "abc"}}'));
  expect(JSON.stringify(copy)).toBe('{"__proto__":{"password":"[REDACTED]"}}');
  expect(Object.getPrototypeOf(copy)).toBe(Object.prototype);
});

test('Depth is not a limit', () => {
  let values: unknown = { password: 'abc' };
  for (let depth = 0; depth < 10_000; depth++) values = depth % 2 ? { a: values } : [values];
  let copy = value(values) as Record<string, unknown>;
  while (!('password' in copy)) copy = (copy.a ?? copy[0]) as typeof copy;
  expect(copy).toEqual({ password: '[REDACTED]' });
});

test('Cycles and shared parts stay what they are', () => {
  const shared = { password: 'abc' };
  const values: Record<string, unknown> = { shared, again: shared };
  values.self = values;
  const copy = value(values);
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
  const values = Object.fromEntries(
    keys.flatMap((key) => [
      [key, 'a'],
      [`${key} apiKey`, 'b'],
    ]),
  );
  const redacted = value(value(values));
  expect(Object.keys(redacted)).toEqual(Object.keys(values));
  expect(new Set(Object.entries(redacted).map(([key, text]) => `${key.endsWith('apiKey')} ${text}`))).toEqual(
    new Set(['false a', 'true [REDACTED]']),
  );
});

test('What never changes is redacted once, as anything else is', () => {
  const rows = immutable([{ apiKey: 'x y', log: 'password=abc', list: ['--password', 'x'] }]);
  const expected = [{ apiKey: '[REDACTED]', log: 'password=[REDACTED]', list: ['--password', '[REDACTED]'] }];
  const [first, second] = [value({ rows, a: 'token=1' }), value({ rows, b: rows })];
  expect(first).toEqual({ rows: expected, a: 'token=[REDACTED]' });
  expect(second).toEqual({ rows: expected, b: expected });
  expect(second.rows).toBe(first.rows);
  const hidden = { apiKey: '[REDACTED]', log: '[REDACTED]', list: ['[REDACTED]', '[REDACTED]'] };
  expect(value({ token: rows })).toEqual({ token: [hidden] });
  expect(value(rows)).toEqual(expected);
  expect(value({ token: immutable(['abc']), other: immutable(['abc']) })).toEqual({
    token: ['[REDACTED]'],
    other: ['abc'],
  });
});

test('What others redact of it is not mixed up', () => {
  const rows = immutable([{ log: 'password=abc' }]);
  expect(value({ rows })).toEqual({ rows: [{ log: 'password=[REDACTED]' }] });
  expect(createUnsafeRedactor().value({ rows })).toEqual({ rows: [{ log: 'password=abc' }] });
  expect(createRedactor({ secrets: [] }).value({ rows })).toEqual({ rows: [{ log: 'password=[REDACTED]' }] });
});
