import { expect, it } from 'vitest';
import { countsText } from '../../src/view/test-counts.js';

it('names the passed tests of an assembly only if they were counted', () => {
  expect(countsText({ passed: 3, failed: 1, skipped: 0 })).toBe('3 passed, 1 failed, 0 skipped');
  expect(countsText({ passed: undefined, failed: 1, skipped: 2 })).toBe('1 failed, 2 skipped');
});
