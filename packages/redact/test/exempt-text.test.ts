import { notSecret, secret } from '@mortise/plugin';
import { notSecretKey } from '@mortise/plugin/runtime';
import { describe, expect, it } from 'vitest';
import { createRedactor, createUnsafeRedactor } from '../src/redactor.js';

const secrets = ['configured-value'];
const redactor = createRedactor({ secrets, notSecretKey: notSecretKey() });
const PEM = `-----BEGIN PRIVATE KEY-----\n${'MIIEvQIBADANBgkqhkiG9w0BAQ'.repeat(4)}\n-----END PRIVATE KEY-----`;
const JWT = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.dozjgNryP4J3jVmNHl0w5N_XgL0n3I9PlFUP0THsR8U';

describe('what a plugin marked as not secret', () => {
  it.each([
    ['a text that looks like a secret', notSecret(`token=hunter2xyz ${JWT}`), `token=hunter2xyz ${JWT}`],
    ['a value behind a key', `token: ${notSecret('hunter2xyz')}!`, 'token: hunter2xyz!'],
    ['escaped text', notSecret('{\\"token\\": \\"hunter2xyz\\"}'), '{\\"token\\": \\"hunter2xyz\\"}'],
    ['several parts', `a ${notSecret('pwd=hunter2')} b ${notSecret('pwd=hunter3')}`, 'a pwd=hunter2 b pwd=hunter3'],
    ['an empty text', `a${notSecret('')}b`, 'ab'],
  ])('is shown: %s', (_, text, expected) => {
    expect(redactor.text(text)).toBe(expected);
    expect(redactor.value({ text: [text] })).toEqual({ text: [expected] });
  });

  it('leaves valid JSON valid, even where a secret seems to reach from one string into the next', () => {
    const text = `{"a": "<password>x", "</password>": 1, "b": "${notSecret('hello')}"}`;
    expect(JSON.parse(redactor.text(text))).toEqual({ a: '<password>[REDACTED]', '</password>': 1, b: 'hello' });
  });

  it.each([
    [
      'text before and after it',
      `pwd=hunter2 ${notSecret('pwd=hunter3')} pwd=hunter4`,
      'pwd=[REDACTED] pwd=hunter3 pwd=[REDACTED]',
    ],
    ['the part of a secret before it', `pwd=abc${notSecret('def')}`, 'pwd=[REDACTED]def'],
    ['a configured value in it', notSecret('pwd=hunter2 configured-value x'), 'pwd=hunter2 [REDACTED] x'],
    [
      'a configured value that begins before it',
      `configured-${notSecret('value; pwd=hunter2')}`,
      '[REDACTED]; pwd=hunter2',
    ],
    [
      'a configured value that ends behind it',
      `${notSecret('pwd=hunter2 configured')}-value`,
      'pwd=hunter2 [REDACTED]',
    ],
    ['a secret() in it', notSecret(`pwd=hunter2 ${secret('x')}`), 'pwd=hunter2 [REDACTED]'],
    ['a private key in it', notSecret(`pwd=hunter2\n${PEM}`), 'pwd=hunter2\n[REDACTED]'],
  ])('does not show %s', (_, text, expected) => {
    expect(redactor.text(text)).toBe(expected);
  });

  it('is shown under a secret key if the whole string is marked', () => {
    expect(redactor.value({ token: notSecret('page-2'), list: ['--password', notSecret('none')] })).toEqual({
      token: 'page-2',
      list: ['--password', 'none'],
    });
    expect(redactor.value({ token: `x${notSecret('page-2')}` })).toEqual({ token: '[REDACTED]' });
    expect(redactor.value({ token: notSecret('configured-value') })).toEqual({ token: '[REDACTED]' });
    expect(redactor.value({ name: 'token', value: notSecret('page-2') })).toEqual({ name: 'token', value: 'page-2' });
  });

  it('is shown in a stream', () => {
    const shown: unknown[] = [];
    const lines = redactor.lines((text, _, fields) => shown.push([text, fields]));
    lines.add(`Next token: ${notSecret('page-2xyz')}`, 0, { token: notSecret('page-3') });
    lines.add('"token":', 0);
    lines.add(`"${notSecret('page-4xyz')}"`, 0);
    lines.add('"token":', 0);
    lines.add('"page-5xyz"', 0);
    lines.end();
    expect(shown).toEqual([
      ['Next token: page-2xyz', { token: 'page-3' }],
      ['"token":', undefined],
      ['"page-4xyz"', undefined],
      ['"token":', undefined],
      ['"[REDACTED]"', undefined],
    ]);
  });

  it('is without marks where redaction is off, and where it is cut off', () => {
    expect(createUnsafeRedactor().text(notSecret('pwd=hunter2'))).toBe('pwd=hunter2');
    expect(redactor.text(notSecret('a pwd=hunter2').slice(0, -3))).toBe('a pwd=[REDACTED]');
    expect(redactor.text(notSecret('a pwd=hunter2').slice(5))).toBe('a pwd=[REDACTED]');
  });
});

describe('a text from elsewhere', () => {
  it.each([
    ['without a key', '\uFDD2pwd=hunter2\uFDD3'],
    ['with another key', `\uFDD2${'\uFDE1'.repeat(16)}pwd=hunter2\uFDD3`],
  ])('cannot exempt itself: marks %s', (_, text) => {
    expect(redactor.text(text)).toBe('pwd=[REDACTED]');
    expect(redactor.text(`${notSecret('x')} ${text}`)).toBe('x pwd=[REDACTED]');
  });

  it('cannot exempt itself where no plugin may', () => {
    expect(createRedactor({ secrets }).text(notSecret('pwd=hunter2'))).toBe('pwd=[REDACTED]');
  });

  it('cannot end the mark of a text that it is in', () => {
    expect(redactor.text(notSecret('a\uFDD3 pwd=hunter2 \uFDD2'))).toBe('a pwd=hunter2 ');
  });
});
