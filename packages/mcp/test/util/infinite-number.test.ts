import { describe, expect, it } from 'vitest';
import { hasInfiniteNumber } from '../../src/util/infinite-number.js';

const find = (json: string) => hasInfiniteNumber(json, JSON.parse(json));

describe('hasInfiniteNumber', () => {
  it.each([
    '1e309',
    '-1E+400',
    '1.8e308',
    '1e0000400',
    `1${'0'.repeat(309)}`,
    `${'1'.repeat(220)}e99`,
    '{"a":[1,{"b":1e999}]}',
  ])('finds %s', (json) => {
    expect(find(json)).toBe(true);
  });

  it.each([
    '1e308',
    '1.7976931348623157e308',
    `${'1'.repeat(200)}e99`,
    '1e-400',
    '"1e400"',
    '["2026-07-28",12345,1e99]',
  ])('accepts %s', (json) => {
    expect(find(json)).toBe(false);
  });
});
