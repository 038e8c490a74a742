import { describe, it } from 'vitest';
import { BAD_AT_LOAD, callBeside } from './bad-plugins.js';
import { BAD_PLUGINS } from './isolation-rows.js';

describe('beside bad plugins', () => {
  it('a good one is called as ever, and their callers hear what happened', () =>
    callBeside(BAD_PLUGINS, BAD_AT_LOAD, { LoadTimeoutMs: 2_000 }));
});
