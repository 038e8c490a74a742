import { describe, expect, test } from 'vitest';
import { KeyRing } from '../../src/access/key-ring.js';
import { PageKey } from '../../src/access/page-key.js';
import type { Settings } from '../../src/settings/settings.js';

const settings = (Keys: object[] = [], Profiles: object = { look: {} }) =>
  ({ Auth: { Keys, Issuers: [] }, Profiles }) as unknown as Pick<Settings, 'Auth' | 'Profiles'>;
const OPTIONS = { baseProfiles: [], onRevoked() {} };
const A = { Name: 'a', Key: 'a'.repeat(32), Scopes: ['mortise:read'] };

describe('the keys', () => {
  test('at the URL of a profile the page and clients without a key are different principals', () => {
    const pageKey = new PageKey([]);
    const keys = new KeyRing(settings(), { ...OPTIONS, pageKey });
    const page = keys.findPage(`${pageKey.token}.tab`);
    if (typeof page !== 'object') throw new Error('the page has no principal');
    const atUrl = keys.narrow(page, 'look')!;
    expect([...atUrl.scopes]).toContain('mortise:operate');
    const loopback = keys.narrow(keys.loopback(), 'look')!;
    expect([...loopback.scopes]).not.toContain('mortise:operate');
    expect(loopback).toMatchObject({ name: 'loopback', profiles: ['look'] });
    for (const principal of [page, atUrl, loopback]) expect(keys.isValid(principal)).toBe(true);
    // They are the same objects each time: sessions compare them.
    expect(keys.narrow(page, 'look')).toBe(atUrl);
    expect(keys.findPage(`${pageKey.token}.tab`)).toBe(page);
  });

  test('the token of the page is for the process that made it, so several replicas use it once', () => {
    const pageKey = new PageKey([]);
    const [own, ofAnotherPage, ofOthers] = [pageKey, new PageKey([]), undefined].map(
      (key) => new KeyRing(settings([A]), { ...OPTIONS, ...(key && { pageKey: key }) }),
    );
    const key = `${pageKey.token}.tab`;
    expect(ofAnotherPage!.findPage(key)).toBe('refused');
    expect([ofOthers!.findPage(key), ofOthers!.find(key)]).toEqual([undefined, undefined]);
    expect(own!.findPage(key)).toMatchObject({ name: 'workbench page' });
    expect(own!.findPage(`${pageKey.token}.tab2`)).toBe('refused');
  });

  test('a reload changes the principal of a key and those of its URLs, and no other object takes their place', () => {
    const keys = new KeyRing(settings([A]), { ...OPTIONS, baseProfiles: ['base'] });
    const principal = keys.find(A.Key)!;
    const atUrl = keys.narrow(principal, 'look')!;
    keys.update(settings([{ ...A, Profile: 'other', Scopes: ['mortise:write'] }]));
    expect(keys.find(A.Key)).toBe(principal);
    expect(principal.profiles).toEqual(['base', 'other']);
    expect(atUrl.profiles).toEqual(['base', 'look', 'other']);
    expect([...atUrl.scopes]).toEqual(['mortise:write']);
    keys.update(settings([A], {}));
    expect([keys.isValid(principal), keys.isValid(atUrl)]).toEqual([true, false]);
    expect(keys.narrow(principal, 'look')).toBeUndefined();
  });

  test('a reload says which keys it has added and removed, and another secret makes another key', () => {
    const keys = new KeyRing(settings([A]), OPTIONS);
    const b = { Name: 'b', Key: 'b'.repeat(32), Scopes: ['mortise:read'] };
    expect(keys.update(settings([A, b]))).toEqual({ added: ['b'], removed: [] });
    expect(keys.update(settings([{ ...A, Profile: 'look' }]))).toEqual({ added: [], removed: ['b'] });
    expect(keys.update(settings([{ ...A, Key: 'c'.repeat(32) }]))).toEqual({ added: ['a'], removed: ['a'] });
  });

  test('once there were keys, clients without one have to wait for the next start', () => {
    const keys = new KeyRing(settings([A]), OPTIONS);
    keys.update(settings([]));
    expect([keys.isOpen, keys.isValid(keys.loopback())]).toEqual([false, false]);
    expect(keys.find(A.Key)).toBeUndefined();
  });
});
