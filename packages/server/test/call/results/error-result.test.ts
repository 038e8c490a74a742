import { ERROR_CODES } from '@mortise/plugin';
import type { OutcomeError } from '@mortise/plugin/runtime';
import { expect, it } from 'vitest';
import { toErrorResult } from '../../../src/call/results/error-result.js';

const ofServer = Object.entries(ERROR_CODES).filter(([, entry]) => 'isOfServer' in entry);

it.each(ofServer)('a tool that fails with %s of the server has no hint of the server', (code) => {
  const errorOf = (hint?: string): OutcomeError => ({
    code,
    message: 'no',
    category: 'Tool',
    rawOutput: '',
    ...(hint && { hint }),
  });
  expect(toErrorResult(errorOf())).not.toHaveProperty('hint');
  expect(toErrorResult(errorOf('Wait a minute.')).hint).toBe('Wait a minute.');
});

it('an error of another code has the hint of its code', () => {
  expect(toErrorResult({ code: 'INVALID_PARAMS', message: 'no', category: 'Validation', rawOutput: '' }).hint).toBe(
    ERROR_CODES.INVALID_PARAMS.hint,
  );
});
