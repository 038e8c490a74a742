import { afterEach, describe, expect, test, vi } from 'vitest';
import { PageKey } from '../../src/access/page-key.js';

const MINUTE = 60_000;

/** docs/spec/access.md#page-key */
describe('the key of the workbench page', () => {
  afterEach(() => void vi.useRealTimers());

  test('waits 15 minutes for its first use', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const key = new PageKey([]);
    vi.setSystemTime(Date.now() + 16 * MINUTE);
    expect(key.find(`${key.token}.tab`)).toBe('refused');
  });

  test('stays valid for the tab that used it first, and for no other', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const key = new PageKey(['readOnly']);
    const principal = key.find(`${key.token}.tab`);
    expect(principal).toMatchObject({ profiles: ['readOnly'] });
    vi.setSystemTime(Date.now() + 60 * MINUTE);
    expect(key.find(`${key.token}.tab`)).toBe(principal);
    expect(key.find(`${key.token}.other`)).toBe('refused');
    expect(key.find(key.token)).toBe('refused');
  });

  test('leaves other keys to others', () => {
    expect(new PageKey([]).find('a-key-of-the-settings')).toBeUndefined();
  });
});
