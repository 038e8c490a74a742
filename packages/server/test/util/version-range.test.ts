import { expect, it } from 'vitest';
import { rangePosition, versionNumbers } from '../../src/util/version-range.js';

it.each([
  ['^1.2.3', { before: '1.2.2', inside: '1.2.3 1.9.0', after: '2.0.0' }],
  ['^0.1.0', { before: '0.0.9', inside: '0.1.0 0.1.7', after: '0.2.0 1.0.0' }],
  ['^0.0.3', { before: '0.0.2', inside: '0.0.3', after: '0.0.4' }],
  ['^0.0', { before: '', inside: '0.0.0 0.0.9', after: '0.1.0' }],
  ['^0', { before: '', inside: '0.0.0 0.9.9', after: '1.0.0' }],
  ['^1.x', { before: '0.9.9', inside: '1.0.0 1.9.9', after: '2.0.0' }],
  ['~1.2.3', { before: '1.2.2', inside: '1.2.3 1.2.9', after: '1.3.0' }],
  ['~1', { before: '0.9.0', inside: '1.0.0 1.9.0', after: '2.0.0' }],
  ['~> 1.2', { before: '1.1.9', inside: '1.2.0 1.2.9', after: '1.3.0' }],
  ['1.2', { before: '1.1.9', inside: '1.2.0 1.2.9', after: '1.3.0' }],
  ['=v1.2.3', { before: '1.2.2', inside: '1.2.3', after: '1.2.4' }],
  ['>=1.2.0 <3', { before: '1.1.9', inside: '1.2.0 2.9.9', after: '3.0.0' }],
  ['>= 1.2.0  < 3', { before: '1.1.9', inside: '1.2.0', after: '3.0.0' }],
  ['>1', { before: '1.9.9', inside: '2.0.0', after: '' }],
  ['<=1.2', { before: '', inside: '0.0.1 1.2.9', after: '1.3.0' }],
  ['<1.2.3', { before: '', inside: '1.2.2', after: '1.2.3' }],
  ['1.2 - 2.3', { before: '1.1.9', inside: '1.2.0 2.3.9', after: '2.4.0' }],
  ['1.2.3-beta.1 - 2.0.0', { before: '1.2.2', inside: '1.2.3 2.0.0', after: '2.0.1' }],
  ['^1.2.0-rc.1+build.5', { before: '1.1.0', inside: '1.2.0', after: '2.0.0' }],
  ['^0.1.0 || ^0.3.0', { before: '0.0.9', inside: '0.1.5 0.3.2', after: '0.2.0 0.4.0' }],
  ['*', { before: '', inside: '0.0.0 9.9.9', after: '' }],
  ['', { before: '', inside: '0.0.0 9.9.9', after: '' }],
])('a version is before, inside or after %j', (range, expected) => {
  for (const [position, versions] of Object.entries(expected)) {
    for (const version of versions.split(' ').filter(Boolean)) {
      expect([version, rangePosition(versionNumbers(version)!, range)]).toEqual([version, position]);
    }
  }
});

it.each(['latest', 'workspace:^', 'file:../plugin', 'npm:other@1', '^1.2.3 || next', '1.2.3.4', '^-1', '01.2.3'])(
  '%j is not a range',
  (range) => {
    expect(rangePosition([1, 2, 3], range)).toBeUndefined();
  },
);

it.each([
  ['0.1.0', [0, 1, 0]],
  [' 1.20.3-rc.1+5 ', [1, 20, 3]],
  ['1.2', undefined],
  ['^1.2.3', undefined],
])('the numbers of the version %j are %j', (version, expected) => {
  expect(versionNumbers(version)).toEqual(expected);
});
