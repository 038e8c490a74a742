import { expect, it } from 'vitest';
import { limitsOf } from '../../src/settings/effective-limits.js';
import type { Settings } from '../../src/settings/settings.js';

const SETTINGS = {
  Limits: { CallsPerSecond: 10, Burst: 20, ConcurrentCalls: 8 },
  Profiles: {
    few: { Limits: { ConcurrentCalls: 2 } },
    slow: { Limits: { CallsPerSecond: 1, ConcurrentCalls: 4 } },
  },
  Auth: {
    Keys: [
      { Name: 'plain' },
      { Name: 'few', Profile: 'few' },
      { Name: 'own', Profile: 'few', Limits: { ConcurrentCalls: 16, Streams: 3 } },
      { Name: 'slow', Profile: 'slow' },
      { Name: 'spaced', Limits: { Burst: 1 } },
    ],
  },
} as unknown as Settings;

it.each([
  ['the defaults', { keyName: 'plain', profiles: ['few'] }, { CallsPerSecond: 10, Burst: 20, ConcurrentCalls: 8 }],
  ['those of its profile', { keyName: 'few', profiles: [] }, { CallsPerSecond: 10, Burst: 20, ConcurrentCalls: 2 }],
  [
    'its own before those of its profile',
    { keyName: 'own', profiles: [] },
    { CallsPerSecond: 10, Burst: 20, ConcurrentCalls: 16, Streams: 3 },
  ],
  ['no Burst of another rate', { keyName: 'slow', profiles: [] }, { CallsPerSecond: 1, ConcurrentCalls: 4 }],
  ['a Burst of its own', { keyName: 'spaced', profiles: [] }, { CallsPerSecond: 10, Burst: 1, ConcurrentCalls: 8 }],
  ['without a key the least of all profiles', { profiles: ['few', 'slow'] }, { CallsPerSecond: 1, ConcurrentCalls: 2 }],
])('a principal has %s', (_, principal, limits) => {
  expect(limitsOf(SETTINGS, principal)).toEqual(limits);
});
