import { expect, it } from 'vitest';
import { compareVersions } from '../../src/nuget/version-range.js';

it('orders versions as NuGet does', () => {
  const ordered = [
    '1.0.0-alpha',
    '1.0.0-alpha.1',
    '1.0.0-alpha.2',
    '1.0.0-alpha.10',
    '1.0.0-beta',
    '1.0',
    '1.0.0.1',
    '1.2',
    '10.0.0',
  ];
  for (const [index, version] of ordered.entries()) {
    for (const [other, second] of ordered.entries())
      expect([version, second, Math.sign(compareVersions(version, second)!)]).toEqual([
        version,
        second,
        Math.sign(index - other),
      ]);
  }
});

it.each([
  ['1.0', '1.0.0.0', 0],
  ['1.0.0+build', '1.0.0', 0],
  ['[1.0.0]', '1.0.0', 0],
  ['1.0.0-BETA', '1.0.0-beta', 0],
])('compares %s and %s', (first, second, expected) => {
  expect(compareVersions(first, second)).toBe(expected);
});

it.each(['1.*', '[1.0, 2.0)', '$(Version)', ''])('does not compare %s', (text) => {
  expect(compareVersions(text, '1.0.0')).toBeUndefined();
});
