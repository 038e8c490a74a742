import { secret } from '@mortise/plugin';
import { describe, expect, it } from 'vitest';
import { createRedactor, createUnsafeRedactor } from '../src/redactor.js';

const redactor = createRedactor({ secrets: [] });

describe('what a plugin marked as secret', () => {
  it('is hidden however short and plain it is, wherever it stands', () => {
    expect(redactor.text(`K:A = ${secret('v1')}, K:B = ${secret('')}`)).toBe('K:A = [REDACTED], K:B = [REDACTED]');
    expect(redactor.value({ secrets: [{ key: 'a', value: secret('x') }] })).toEqual({
      secrets: [{ key: 'a', value: '[REDACTED]' }],
    });
  });

  it('stays hidden when its end was cut off', () => {
    expect(redactor.text(`a ${secret('hidden')}`.slice(0, -3))).toBe('a [REDACTED]');
  });

  it('cannot be ended from inside', () => {
    expect(redactor.text(secret('a\uFDD1b'))).toBe('[REDACTED]');
  });

  it('is shown without its marks where redaction is off', () => {
    expect(createUnsafeRedactor().text(`K = ${secret('v1')}`)).toBe('K = v1');
  });
});
