import { readFileSync } from 'node:fs';
import { request } from 'node:http';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { nowSeconds } from '../../packages/server/test/access/tokens/test-issuer.js';
import { shared } from '../support/clients.js';
import { ask, KEYS, post, session } from './three-keys.js';
import { startTokenServer } from './token-server.js';

const server = shared((finished) => startTokenServer(finished));
const call = (token: string, name: string, args: object = {}) =>
  ask(server().url, token, 'tools/call', { name, arguments: args });
const unauthenticated = (path = '', headers: Record<string, string> = {}) =>
  fetch(`${server().url}${path}`, { method: 'POST', headers });
const metadataUrl = (path = '/mcp') => `${new URL(server().url).origin}/.well-known/oauth-protected-resource${path}`;

describe('a server with a key and two issuers', () => {
  it('accepts all three, each as a principal of its own', async () => {
    const { corp, guests } = server();
    const scope = 'mortise:write';
    for (const token of [KEYS.open, await corp.sign(), await guests.sign()]) {
      expect((await call(token, 'look')).text).toContain('looked');
    }
    const callerOf = async (token: string) =>
      JSON.parse((await call(token, 'caller')).body.result.content[0].text).caller;
    expect(await callerOf(await corp.sign({ scope }))).toMatchObject({
      ...{ principal: 'corp/ann', issuer: 'corp', subject: 'ann' },
    });
    expect(await callerOf(await guests.sign({ scope, sub: 'a/b' }))).toMatchObject({
      ...{ principal: 'guests/a/b', issuer: 'guests', subject: 'a/b' },
    });
  });

  it('says where to log in: without a credential no error, with a bad one invalid_token', async () => {
    const missing = await unauthenticated();
    expect([missing.status, missing.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer realm="mortise", resource_metadata="${metadataUrl()}", scope="mortise:read"`,
    ]);
    const expired = await server().corp.sign({ exp: nowSeconds() - 61 });
    for (const credential of [expired, 'not-a-token', `${expired.slice(0, -4)}AAAA`]) {
      const { status, challenge } = await call(credential, 'look');
      expect([status, challenge]).toEqual([
        401,
        `Bearer realm="mortise", resource_metadata="${metadataUrl()}", error="invalid_token", scope="mortise:read"`,
      ]);
    }
    const narrow = await unauthenticated('/p/small');
    expect(narrow.headers.get('www-authenticate')).toContain(`"${metadataUrl('/mcp/p/small')}"`);
  });

  it('has metadata for each of its URLs, which need no credential', async () => {
    const { url, corp, guests } = server();
    for (const [path, resource] of [
      ['', url],
      ['/mcp', url],
      ['/mcp/p/small', `${url}/p/small`],
    ] as const) {
      const response = await fetch(metadataUrl(path), { headers: { 'mcp-protocol-version': '2026-07-28' } });
      expect(await response.json()).toEqual({
        resource,
        authorization_servers: [corp.url, guests.url],
        scopes_supported: ['mortise:read'],
        bearer_methods_supported: ['header'],
        resource_name: 'Mortise',
      });
    }
    expect((await fetch(metadataUrl('/MCP'))).status).toBe(404);
    expect((await fetch(metadataUrl('/mcp/p/../x'))).status).toBe(404);
    expect((await fetch(metadataUrl(), { method: 'POST' })).status).toBe(405);
  });

  it('refuses two credentials, and a token in the URL or a cookie', async () => {
    const token = await server().corp.sign();
    const inUrl = await unauthenticated(`?access_token=${token}`);
    const both = await unauthenticated(`?access_token=${token}`, { authorization: `Bearer ${token}` });
    expect([inUrl.status, both.status]).toEqual([400, 400]);
    expect((await unauthenticated('', { cookie: `access_token=${token}` })).status).toBe(401);
    const status = await new Promise((resolve) => {
      const headers = ['host', new URL(server().url).host, 'authorization', `Bearer ${KEYS.open}`];
      const req = request(server().url, { method: 'POST', headers: [...headers, 'authorization', `Bearer ${token}`] });
      req.on('response', ({ statusCode }) => resolve(statusCode)).end();
    });
    expect(status).toBe(400);
  });

  it('answers a missing scope with 403, which names the scope and the metadata; write includes read', async () => {
    const { corp } = server();
    const refused = await call(await corp.sign(), 'change');
    expect([refused.status, refused.challenge]).toEqual([
      403,
      `Bearer realm="mortise", error="insufficient_scope", scope="mortise:write", resource_metadata="${metadataUrl()}"`,
    ]);
    expect(refused.body.result.structuredContent.errors[0].message).toContain('The access token has no scope');
    const writer = await corp.sign({ scope: 'mortise:write' });
    expect((await call(writer, 'change')).text).toContain('changed');
    expect((await call(writer, 'look')).text).toContain('looked');
    const none = await call(await corp.sign({ scope: 'openid' }), 'look');
    expect([none.status, none.challenge]).toEqual([403, expect.stringContaining('scope="mortise:read"')]);
  });

  it('restricts a token by the profile of the URL', async () => {
    const token = await server().corp.sign({ scope: 'mortise:write' });
    const { body } = await ask(`${server().url}/p/small`, token, 'tools/list');
    expect(body.result.tools.map(({ name }: { name: string }) => name)).toEqual(['caller', 'look']);
    expect((await ask(`${server().url}/p/none`, token, 'tools/list')).status).toBe(404);
  });

  it('continues a session with the next token of the same user, with the rights of that token', async () => {
    const { url, corp } = server();
    const reader = await corp.sign();
    const headers = await session(url, reader);
    const change = (token: string) =>
      post(url, token, { id: 2, method: 'tools/call', params: { name: 'change' } }, headers);
    expect((await change(reader)).status).toBe(403);
    expect((await change(await corp.sign({ scope: 'mortise:write' }))).text).toContain('changed');
    expect((await change(reader)).status).toBe(403);
    expect((await change(await corp.sign({ sub: 'bob', scope: 'mortise:write' }))).status).toBe(404);
    expect((await change(KEYS.open)).status).toBe(404);
  });

  it('gives a token to no plugin, and writes it to no log and no audit', async () => {
    const { corp, workplace, stderr } = server();
    const token = await corp.sign({ scope: 'mortise:write' });
    const seen = (await call(token, 'caller')).text;
    await call(`${token}x`, 'look');
    const audit = readFileSync(join(workplace.folder, 'audit.jsonl'), 'utf8');
    expect(audit).toContain('"principal":"corp/ann"');
    expect(audit).toContain('"outcome":"TOKEN_INVALID"');
    expect(stderr()).toContain('An access token was refused');
    for (const part of token.split('.')) for (const text of [seen, audit, stderr()]) expect(text).not.toContain(part);
  });
});

it('the limits of a user are those of no other user', async () => {
  const { url, corp, guests } = await startTokenServer(onTestFinished, { Limits: { CallsPerSecond: 1 } });
  const look = (token: string) => ask(url, token, 'tools/call', { name: 'look' });
  const ann = await corp.sign();
  const replies = await Promise.all(Array.from({ length: 10 }, () => look(ann)));
  expect(replies.map(({ text }) => text).join()).toContain('RATE_LIMITED');
  for (const token of [await corp.sign({ sub: 'bob' }), await guests.sign(), KEYS.open])
    expect((await look(token)).text).toContain('looked');
});

it('a stored output is read with any token of its user, and by nobody else', async () => {
  const { url, corp, guests } = await startTokenServer(onTestFinished, { Output: { MaxTextChars: 100 } });
  const called = await ask(url, await corp.sign({ scope: 'mortise:write' }), 'tools/call', { name: 'caller' });
  const [uri] = called.text.match(/mortise:\/\/outputs\/[\w-]+/)!;
  const read = async (token: string) => (await ask(url, token, 'resources/read', { uri })).body;
  expect((await read(await corp.sign())).result.contents[0].text).toContain('corp/ann');
  for (const token of [await corp.sign({ sub: 'bob' }), await guests.sign(), KEYS.open])
    expect((await read(token)).error).toBeDefined();
});

it('behind a proxy the resource is Http.PublicUrl, whose host is accepted', async () => {
  const PublicUrl = 'https://Tools.example:443/team/mcp';
  const { url } = await startTokenServer(onTestFinished, { Http: { PublicUrl } });
  const ask = (path: string, method = 'GET') =>
    new Promise<{ status: number | undefined; challenge: string | undefined; text: string }>((resolve, reject) => {
      const req = request(new URL(path, url), { method, headers: { host: 'tools.example' } }, async (res) => {
        let text = '';
        for await (const chunk of res) text += chunk;
        resolve({ status: res.statusCode, challenge: res.headers['www-authenticate'], text });
      });
      req.on('error', reject).end();
    });
  const wellKnown = '/.well-known/oauth-protected-resource';
  for (const path of ['', '/mcp', '/team/mcp']) {
    expect(JSON.parse((await ask(wellKnown + path)).text).resource).toBe(PublicUrl);
  }
  expect(JSON.parse((await ask(`${wellKnown}/team/mcp/p/small`)).text).resource).toBe(`${PublicUrl}/p/small`);
  const { status, challenge } = await ask('/mcp/p/small', 'POST');
  expect([status, challenge]).toEqual([
    401,
    expect.stringContaining(
      'resource_metadata="https://tools.example/.well-known/oauth-protected-resource/team/mcp/p/small"',
    ),
  ]);
});
