import { expect, test } from 'vitest';
import { createRedactor } from '../../src/redactor.js';

const SECRETS = ['plainValue7', 'p@ss "w"/x+y&z=\\é', 'first line\nsecond <line>', 'ünïcödé-😀'];
const redactor = createRedactor({ secrets: SECRETS });

const json = (value: unknown) => JSON.stringify(value).slice(1, -1);

/** As System.Text.Json writes strings: everything but letters, digits and a few marks as `\uXXXX`. */
const strictJson = (value: string) =>
  value
    .replaceAll('\\', '\\\\')
    .replaceAll('\n', '\\n')
    .replace(/[^ -~]|["'&+<>`]/g, (char) => `\\u${char.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`);

const lowerEscapes = (value: string) => value.replace(/%[\dA-F]{2}|\\u[\dA-F]{4}/g, (escaped) => escaped.toLowerCase());

const WRITINGS: Record<string, (value: string) => string> = {
  'as it is': (value) => value,
  'with CRLF': (value) => value.replaceAll('\n', '\r\n'),
  'in JSON text': json,
  'in JSON text with escaped slashes': (value) => json(value).replaceAll('/', '\\/'),
  'in JSON text as System.Text.Json writes it': strictJson,
  'in JSON text with small hexadecimal digits': (value) => lowerEscapes(strictJson(value)),
  'in JSON text inside JSON text': (value) => json(json(value)),
  'in a URL': encodeURIComponent,
  'in a URL with small hexadecimal digits': (value) => lowerEscapes(encodeURIComponent(value)),
  'in a form': (value) => new URLSearchParams([['q', value]]).toString().slice(2),
  'in XML': (value) =>
    value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;'),
};

test.each(Object.entries(WRITINGS))('A configured value is hidden %s', (_, write) => {
  for (const secret of SECRETS) {
    expect(redactor.text(`a ${write(secret)} b`)).toBe('a [REDACTED] b');
    expect(redactor.text(write(secret))).toBe('[REDACTED]');
    expect(redactor.value({ log: `x${write(secret)}y` })).toEqual({ log: 'x[REDACTED]y' });
  }
});

test('A configured value is hidden inside a word, in keys, and through control characters', () => {
  expect(redactor.text('xplainValue7y')).toBe('x[REDACTED]y');
  expect(redactor.value({ plainValue7: 1 })).toEqual({ '[REDACTED]': 1 });
  expect(redactor.text('plain\x1b[1mValue7')).toBe('[REDACTED]');
});

test('What stands right before or behind a configured value is looked at as if it stood alone', () => {
  const token = `ghp_${'aB3dE5'.repeat(6)}`;
  expect(redactor.text(`xplainValue7${token}`)).toBe('x[REDACTED][REDACTED]');
  expect(redactor.text('tokenplainValue7token=abc')).toBe('token[REDACTED]token=[REDACTED]');
});

test('Case counts, and part of a value is not the value', () => {
  for (const row of ['plainvalue7', 'plainValue', 'ünïcödé-']) expect(redactor.text(row)).toBe(row);
});

test('The longer of two values that begin alike is hidden whole, and so are values that overlap', () => {
  const { text } = createRedactor({ secrets: ['abcdef', 'abcdefghi', 'ghijkl'] });
  expect(text('1 abcdefghi 2 abcdefghijkl 3 abcdef 4')).toBe('1 [REDACTED] 2 [REDACTED] 3 [REDACTED] 4');
});

test('A long value that repeats itself is hidden wherever it stands', () => {
  const secret = 'a'.repeat(600);
  const { text } = createRedactor({ secrets: [secret] });
  for (const row of ['x <> y <> z', '<>']) {
    expect(text(row.replaceAll('<>', secret))).toBe(row.replaceAll('<>', '[REDACTED]'));
  }
  expect(text('a'.repeat(599))).toBe('a'.repeat(599));
  expect(text('a'.repeat(700))).toBe('[REDACTED]');
});

test.each(['short', 'true', 'FALSE', '123456', '-1234.5678', '1e100000', '', '      ', '[REDACTED]', 'REDACTED'])(
  '%j is too common to be hidden everywhere',
  (secret) => {
    const row = `a short true FALSE 123456 -1234.5678 1e100000 b       [REDACTED] REDACTED`;
    expect(createRedactor({ secrets: [secret] }).text(row)).toBe(row);
  },
);

test('White space around a configured value does not count', () => {
  const { text } = createRedactor({ secrets: ['fromFile8\n'] });
  expect(text('x fromFile8 y')).toBe('x [REDACTED] y');
});
