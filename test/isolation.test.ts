import { describe, expect, it } from 'vitest';
import { BAD_AT_LOAD, callBeside } from './bad-plugins.js';
import { BAD_PLUGINS } from './isolation-rows.js';

/** One of each kind, but for those that throw or exit: other tests call such ones. */
const NAMES = [
  'loops',
  'fills-buffers',
  'leaves-a-child-that-left',
  'throws-in-a-timer',
  'floods-the-log',
  'writes-garbage-to-the-channel',
];

describe('beside bad plugins', () => {
  it('a good one is called as ever, and their callers hear what happened', async () => {
    const rows = BAD_PLUGINS.filter(({ name }) => NAMES.includes(name));
    expect(rows).toHaveLength(NAMES.length);
    await callBeside(rows, { 'exits-at-load': BAD_AT_LOAD['exits-at-load']! });
  });
});
