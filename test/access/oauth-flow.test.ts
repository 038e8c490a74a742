import { IssuerMismatchError, UnauthorizedError } from '@modelcontextprotocol/client';
import { expect, it } from 'vitest';
import { VERSIONS } from '../support/clients.js';
import { Login, look, openOAuth } from './oauth-login.js';
import { ask } from './three-keys.js';

it.each(VERSIONS)(
  'the official client logs in, is refused for a scope, steps up, refreshes and calls (%s)',
  async (version) => {
    const { corp, begin, connect, resource } = await openOAuth(version);
    const login = new Login();
    const first = await begin(login);
    const [request] = login.requestedUrls;
    expect(request?.origin).toBe(corp.url);
    expect(Object.fromEntries(request!.searchParams)).toMatchObject({
      ...{ scope: 'mortise:read', resource, code_challenge_method: 'S256' },
    });
    await first.finishAuth((await login.callback!).searchParams);
    const [client, way] = await connect(login);
    const call = async (name: string) => JSON.stringify((await client.callTool({ name })).content);
    expect(await call('look')).toContain('look by corp/ann');

    await expect(call('change')).rejects.toThrow(UnauthorizedError);
    expect(login.requestedUrls[1]?.searchParams.get('scope')?.split(' ').sort()).toEqual([
      'mortise:read',
      'mortise:write',
    ]);
    await way.finishAuth((await login.callback!).searchParams);
    expect(await call('change')).toContain('change by corp/ann');

    const { access_token: before } = login.saved!;
    login.saved = { ...login.saved!, access_token: `${before.slice(0, -6)}AAAAAA` };
    expect(await call('look')).toContain('look by corp/ann');
    expect(login.saved?.access_token).not.toContain('AAAAAA');
    expect(login.requestedUrls).toHaveLength(2);
  },
);

it.each(VERSIONS)(
  'each of two issuers logs in users of its own, with tokens for its own audience (%s)',
  async (version) => {
    const { corp, guests, connect, logIn, resource } = await openOAuth(version);
    for (const [name, { url }] of Object.entries({ corp, guests })) {
      const login = await logIn(url);
      expect(login.requestedUrls[0]?.origin).toBe(url);
      const [client] = await connect(login);
      expect(await look(client)).toContain(`look by ${name}/ann`);
    }
    [corp.audience, guests.audience] = [guests.audience, corp.audience];
    for (const issuer of [corp, guests]) {
      const { saved } = await logIn(issuer.url);
      const { status, challenge } = await ask(resource, saved!.access_token, 'tools/list');
      expect([status, challenge]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    }
  },
);

it('a token of a revoked key is refused once the server has fetched the keys again', async () => {
  const { corp, connect, logIn, forgetKeys, resource } = await openOAuth('2026-07-28');
  const login = await logIn();
  const [client] = await connect(login);
  expect(await look(client)).toContain('look by corp/ann');

  const { access_token: token } = login.saved!;
  const list = () => ask(resource, token, 'tools/list');
  await corp.rotateKeys();
  expect((await list()).status).toBe(200);
  forgetKeys();
  await expect.poll(async () => (await list()).status).toBe(401);
  expect((await list()).challenge).toContain('error="invalid_token"');
  expect(await look(client)).toContain('look by corp/ann');
  expect(login.saved?.access_token).not.toBe(token);
  expect(login.requestedUrls).toHaveLength(1);
});

it.each(VERSIONS)('a code that comes from another issuer than the one asked is not used (%s)', async (version) => {
  const { corp, guests, begin } = await openOAuth(version);
  const login = new Login();
  const way = await begin(login);
  const { searchParams } = await login.callback!;
  expect(searchParams.get('iss')).toBe(corp.url);
  const withIssuer = (iss?: string) =>
    new URLSearchParams(
      [...searchParams].filter(([name]) => name !== 'iss').concat(iss === undefined ? [] : [['iss', iss]]),
    );
  await expect(way.finishAuth(withIssuer(guests.url))).rejects.toThrow(IssuerMismatchError);
  await expect(way.finishAuth(withIssuer())).rejects.toThrow(IssuerMismatchError);
  expect(login.saved).toBeUndefined();
  await way.finishAuth(searchParams);
  expect(login.saved?.access_token).toBeDefined();
});
