import { decodeProtectedHeader } from 'jose';
import { expect, it } from 'vitest';
import { look, openOAuth } from './oauth-login.js';
import { ask } from './three-keys.js';

/** The server fetches the keys of an issuer again for an unknown `kid`, but not within this time. */
const PAUSE_MS = 30_000;

it('the official client goes on when its issuer has rotated its keys', async () => {
  const { corp, connect, logIn, resource } = await openOAuth('2026-07-28');
  const login = await logIn();
  const [client] = await connect(login);
  expect(await look(client)).toContain('look by corp/ann');
  const { access_token: before } = login.saved!;

  await corp.rotateKeys();
  expect(await look(client)).toContain('look by corp/ann');
  // The client refreshes a token that is refused.
  login.saved = { ...login.saved!, access_token: `${before.slice(0, -6)}AAAAAA` };
  const options = { timeout: PAUSE_MS + 60_000, interval: 1000 };
  await expect.poll(() => look(client).catch(String), options).toContain('look by corp/ann');
  const { access_token: after } = login.saved!;
  expect(decodeProtectedHeader(after).kid).not.toBe(decodeProtectedHeader(before).kid);
  expect((await ask(resource, after, 'tools/list')).status).toBe(200);
  const { status, challenge } = await ask(resource, before, 'tools/list');
  expect([status, challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
  expect(login.requestedUrls).toHaveLength(1);
});
