import { once } from 'node:events';
import { createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { assertSafeBinding, serveHttp } from '../../../../src/front/mcp/serve-http.js';
import { withHttp } from '../http-wire.js';
import { recordLog, TestHost } from '../test-host.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('who may speak', () => {
  test.each(['/mcp', '/', '/nowhere', '//', '/mcp?x'])('Host and Origin are checked on %s', (path) =>
    withHttp({}, async (wire) => {
      for (const headers of [
        { host: 'evil.example' },
        { host: 'evil.example:80' },
        { host: 'localhost.evil.example' },
        { origin: 'http://evil.example' },
        { origin: 'null' },
        { origin: 'garbage' },
      ] as Record<string, string>[]) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          expect((await wire.send({ method, path, headers })).status).toBe(403);
        }
      }
    }),
  );

  test('this machine may, and so may what the settings name', () =>
    withHttp({ Http: { AllowedHosts: ['tools.corp'], AllowedOrigins: ['https://App.example:8443'] } }, async (wire) => {
      const statusOf = async (headers: Record<string, string>) => (await wire.post(PING, headers)).status;
      expect(await statusOf({ host: 'localhost:1' })).toBe(400);
      expect(await statusOf({ host: '[::1]' })).toBe(400);
      expect(await statusOf({ host: 'Tools.corp:99' })).toBe(400);
      expect(await statusOf({ origin: 'http://localhost:3000' })).toBe(400);
      expect(await statusOf({ origin: 'https://app.example:8443' })).toBe(400);
      expect(await statusOf({ origin: 'https://app.example' })).toBe(403);
    }));

  test('web pages of the origins in the settings get CORS headers, others do not', () =>
    withHttp({ Http: { AllowedOrigins: ['https://app.example'] } }, async (wire) => {
      const preflight = (origin: string) => wire.send({ method: 'OPTIONS', headers: { origin } });
      const allowed = await preflight('https://app.example');
      expect([allowed.status, allowed.headers['access-control-allow-origin']]).toEqual([204, 'https://app.example']);
      const local = await preflight('http://localhost:3000');
      expect([local.status, local.headers['access-control-allow-origin']]).toEqual([405, undefined]);
    }));

  const Auth = {
    Keys: [
      { Name: 'ci', Key: 'key-of-ci', Scopes: [] },
      { Name: 'dev', Key: 'key-of-dev', Scopes: [] },
    ],
  };
  const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

  test('with keys no one else gets in, not even to have a body read', () =>
    withHttp({ Auth, Http: { MaxBodyBytes: 10 } }, async (wire) => {
      for (const headers of [{}, bearer('wrong'), bearer(''), { authorization: 'Basic key-of-ci' }]) {
        const reply = await wire.post('x'.repeat(1_000), headers as Record<string, string>);
        expect(reply.status).toBe(401);
        expect(reply.headers['www-authenticate']).toMatch(/^Bearer/);
      }
      expect((await wire.post('x'.repeat(1_000), bearer('key-of-dev'))).status).toBe(413);
    }));

  test('a session is found only with the key that opened it', () =>
    withHttp({ Auth }, async (wire) => {
      const session = await wire.session(bearer('key-of-ci'));
      expect((await session.request('ping')).status).toBe(200);
      expect((await wire.post(PING, { ...session.headers, ...bearer('key-of-dev') })).status).toBe(404);
      expect((await wire.modern('tools/list', {}, bearer('key-of-dev'))).status).toBe(200);
    }));

  test('with an issuer of tokens a server may listen on other addresses', () => {
    const Issuers = [{ Name: 'corp', Issuer: 'https://login.example', Audience: ['x'] }];
    const { settings } = new TestHost({ Http: { Host: '0.0.0.0' }, Auth: { Issuers } as never });
    expect(() => assertSafeBinding(settings)).not.toThrow();
    expect(() => assertSafeBinding({ ...settings, Auth: { ...settings.Auth, Issuers: [] } })).toThrow(/Auth\.Issuers/);
  });

  test.each(['0.0.0.0', '::', '192.168.1.7', 'example.org'])(
    '%s without keys is refused at the start',
    async (address) => {
      const start = serveHttp(new TestHost({ Http: { Host: address } }), { log: recordLog() });
      await expect(start).rejects.toThrow(/Auth\.Keys is empty\. Add a key/);
    },
  );

  test('0.0.0.0 with keys is served, and its own address is a name for it', async () => {
    const served = await serveHttp(new TestHost({ Auth, Http: { Host: '0.0.0.0' } }), { log: recordLog() });
    expect(served.url).toMatch(/^http:\/\/localhost:\d+\/mcp$/);
    await served.close();
  });

  test('a port that is taken is said in a sentence', async () => {
    const other = createServer().listen(0, '127.0.0.1');
    await once(other, 'listening');
    const { port } = other.address() as { port: number };
    const host = new TestHost({ Http: { Port: port } });
    await expect(serveHttp(host, { log: recordLog() })).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
    expect(host.listeners()).toBe(0);
    other.close();
  });
});
