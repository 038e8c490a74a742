import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { type HttpWire, type Message, withHttp } from './http-wire.js';

const GRANTS: Record<string, object> = { wide: {}, narrow: {} };

/** The principal is that of the header, its authorization that of the path. */
function authenticate({ url = '', headers }: { url?: string; headers: Message }) {
  const authorization = GRANTS[url === '/mcp' ? 'wide' : url.slice('/mcp/'.length)];
  if (authorization === undefined) return { status: 404, message: 'Not found.' };
  return { principal: String(headers['x-user'] ?? 'ada'), authorization };
}

const withGrants = (run: (wire: HttpWire) => Promise<void>) =>
  withHttp({ authenticate, hasSubpaths: true, publicRoutes: { '/healthz': () => [200, 'ok'] } }, run);

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('authorization', () => {
  test('a session belongs to the principal and the authorization that opened it', () =>
    withGrants(async (wire) => {
      const session = await wire.session();
      const statusAt = async (path: string, headers = {}) =>
        (await session.post(PING, { path, headers: { ...session.headers, ...headers } })).status;
      expect(await statusAt('/mcp')).toBe(200);
      expect(await statusAt('/mcp/narrow')).toBe(404);
      expect(await statusAt('/mcp', { 'x-user': 'bob' })).toBe(404);
      expect((await wire.send({ method: 'DELETE', path: '/mcp/narrow', headers: session.headers })).status).toBe(404);
    }));

  test('handlers see it', () =>
    withGrants(async (wire) => {
      const call = wire.call('wait', {}, { path: '/mcp/narrow' });
      const { context, finish } = await wire.started();
      expect(context.authorization).toBe(GRANTS.narrow);
      finish('done');
      await call;
    }));

  test.each([
    ['/mcp/', 404],
    ['/mcp/other', 404],
    ['/mcp/../mcp', 404],
    ['/mcpx', 404],
    ['//mcp', 404],
    ['/MCP', 404],
    ['/%6dcp', 404],
    ['/mcp/%6earrow', 404],
  ])('%s is %i', (path, status) =>
    withGrants(async (wire) => {
      expect((await wire.post(PING, {}, { path })).status).toBe(status);
    }),
  );

  test('announcements go to those who may hear of them', () =>
    withGrants(async (wire) => {
      const wide: Message[] = [];
      const narrow: Message[] = [];
      const listenAt = (path: string, heard: Message[]) => {
        const stop = new AbortController();
        const params = { notifications: { toolsListChanged: true } };
        const more = { path, signal: stop.signal, onEvent: ({ message }: Message) => heard.push(message.method) };
        void wire.stateless('subscriptions/listen', params, {}, more).catch(() => {});
        return stop;
      };
      const stops = [listenAt('/mcp', wide), listenAt('/mcp/narrow', narrow)];
      await waitFor(() => wide.length === 1 && narrow.length === 1);
      wire.mcp.announce({ kind: 'list', list: 'tools' }, (authorization) => authorization === GRANTS.wide);
      wire.mcp.announce({ kind: 'list', list: 'tools' }, (authorization) => authorization === GRANTS.narrow);
      await waitFor(() => wide.length === 2 && narrow.length === 2);
      for (const stop of stops) stop.abort();
    }));

  test('what is revoked ends: sessions, streams, calls; others continue', () =>
    withGrants(async (wire) => {
      const session = await wire.session();
      const stream = session.listen();
      const calls = [wire.call('wait', { key: 'a' }), wire.call('wait', { key: 'b' }, { path: '/mcp/narrow' })];
      const heard: unknown[] = [];
      const listens = wire.stateless(
        'subscriptions/listen',
        { notifications: { toolsListChanged: true } },
        {},
        { onEvent: (event) => heard.push(event) },
      );
      const [a, b] = [await wire.started('a'), await wire.started('b')];
      await waitFor(() => stream.events.length > 0 && heard.length > 0);
      wire.served.revoke((authorization) => authorization === GRANTS.wide);
      await stream.reply;
      expect(a.context.signal.aborted).toBe(true);
      expect(b.context.signal.aborted).toBe(false);
      await expect(calls[0]).rejects.toThrow();
      await listens.catch(() => {});
      expect((await session.post(PING)).status).toBe(404);
      b.finish('done');
      expect((await calls[1]!).status).toBe(200);
    }));
});

test('public routes answer one word to everyone, whatever the Host', () =>
  withGrants(async (wire) => {
    const headers = { host: 'evil.example', origin: 'http://evil.example' };
    expect(await wire.raw('GET /healthz HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')).toMatch(
      /^HTTP\/1\.1 200 [\s\S]*\r\n\r\nok\n$/,
    );
    expect((await wire.send({ method: 'HEAD', path: '/healthz', headers })).status).toBe(200);
    expect((await wire.send({ method: 'DELETE', path: '/healthz', headers })).status).toBe(405);
    expect((await wire.send({ method: 'GET', path: '/healthz/x', headers })).status).toBe(403);
  }));
