import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { McpServer } from '@mortise/mcp';
import { createHttpEndpoint, serveHttp } from '@mortise/mcp/http';
import { describe, expect, test } from 'vitest';
import { type HttpWire, type Message, withHttp } from './http-wire.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const server = () => new McpServer({ info: { name: 'test', version: '1' }, capabilities: {}, handlers: {} });

describe('the headers Host and Origin', () => {
  test.each(['/mcp', '/', '/nowhere', '//', '/mcp?x'])('are checked on %s before all else', (path) =>
    withHttp({ authenticate: () => ({ status: 401, message: 'No.' }) }, async (wire) => {
      const refused: Record<string, string>[] = [
        { host: 'evil.example' },
        { host: 'evil.example:80' },
        { host: 'localhost.evil.example' },
        { host: '@' },
        { origin: 'http://evil.example' },
        { origin: 'null' },
        { origin: 'garbage' },
      ];
      for (const headers of refused) {
        for (const method of ['GET', 'POST', 'OPTIONS']) {
          const reply = await wire.send({ method, path, headers });
          expect([reply.status, reply.body.error.code]).toEqual([403, -32000]);
        }
      }
    }),
  );

  test('more than one Host header is 400, whatever the letters', () =>
    withHttp({}, async (wire) => {
      const head = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nhOsT: localhost\r\nConnection: close\r\n\r\n';
      expect(await wire.raw(head)).toMatch(/^HTTP\/1\.1 400 [\s\S]*more than one Host header/);
    }));

  test('may name this machine, and what the options allow', () =>
    withHttp({ allowedHosts: ['tools.corp'], allowedOrigins: ['https://App.example:8443'] }, async (wire) => {
      const statusOf = async (headers: Record<string, string>) => (await wire.post(PING, headers)).status;
      // 400: there is no session.
      for (const host of ['localhost:1', '127.0.0.1', '[::1]:9', 'Tools.corp:99']) {
        expect(await statusOf({ host })).toBe(400);
      }
      expect(await statusOf({ origin: 'http://localhost:3000' })).toBe(400);
      expect(await statusOf({ origin: 'https://app.example:8443' })).toBe(400);
      expect(await statusOf({ origin: 'https://app.example' })).toBe(403);
    }));

  test('a preflight of an allowed origin is answered, and its responses may be read', () =>
    withHttp({ allowedOrigins: ['https://app.example'] }, async (wire) => {
      const preflight = (origin: string) =>
        wire.send({ method: 'OPTIONS', headers: { origin, 'access-control-request-headers': 'mcp-method' } });
      const allowed = await preflight('https://app.example');
      expect([allowed.status, allowed.headers]).toMatchObject([
        204,
        {
          'access-control-allow-origin': 'https://app.example',
          'access-control-allow-methods': 'GET, POST, DELETE',
          'access-control-allow-headers': 'mcp-method',
          vary: 'Origin',
        },
      ]);
      const local = await preflight('http://localhost:3000');
      expect([local.status, local.headers['access-control-allow-origin']]).toEqual([405, undefined]);
      const headers = { origin: 'https://app.example' };
      const replies = [
        await wire.initialize(headers),
        await wire.stateless('tools/call', { name: 'progress', _meta: undefined }, headers),
        await wire.post('[', headers),
      ];
      for (const reply of replies) {
        expect(reply.headers['access-control-allow-origin']).toBe('https://app.example');
        expect(reply.headers['access-control-expose-headers']).toBe(
          'Mcp-Session-Id, MCP-Protocol-Version, WWW-Authenticate, Retry-After',
        );
      }
    }));
});

describe('authenticate', () => {
  const challenge = { status: 401, message: 'A key is needed.', headers: { 'www-authenticate': 'Bearer' } } as const;
  const check = ({ headers }: { headers: Message }) =>
    headers.authorization === 'key' ? { principal: 'me' } : challenge;
  const later = async (request: { headers: Message }) => check(request);

  test.each([
    ['at once', check],
    ['later', later],
  ])('refuses before anything of the body is read (%s)', (_, authenticate) =>
    withHttp({ authenticate, maxBodyBytes: 10 }, async (wire) => {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT']) {
        const reply = await wire.send({ method, ...(method[0] === 'P' && { body: 'x'.repeat(1_000) }) });
        expect([reply.status, reply.headers['www-authenticate'], reply.body.error.message]).toEqual([
          401,
          'Bearer',
          'A key is needed.',
        ]);
      }
      expect((await wire.post('x'.repeat(1_000), { authorization: 'key' })).status).toBe(413);
    }),
  );

  test.each([
    ['at once', check],
    ['later', later],
  ])('names the principal of every request (%s)', (_, authenticate) =>
    withHttp({ authenticate }, async (wire) => {
      const call = wire.stateless('tools/call', { name: 'wait' }, { authorization: 'key' });
      const { context, finish } = await wire.started();
      expect(context.principal).toBe('me');
      finish('done');
      await call;
      const session = await wire.session({ authorization: 'key' });
      const second = session.call('wait', { key: 'second' });
      const started = await wire.started('second');
      expect([started.context.principal, started.context.sessionId]).toEqual(['me', session.id]);
      started.finish('done');
      await second;
    }),
  );

  test.each([
    () => {
      throw new Error('secret');
    },
    () => Promise.reject(new Error('secret')),
  ])('that fails is 500, and the reason is only in the log', (authenticate) =>
    withHttp({ authenticate }, async (wire) => {
      const reply = await wire.stateless('tools/list');
      expect([reply.status, reply.body.error.code]).toEqual([500, -32603]);
      expect(reply.text).not.toContain('secret');
      expect(String(wire.errors[0])).toContain('secret');
    }),
  );
});

describe('the address', () => {
  test.each(['0.0.0.0', '::', '192.168.1.7', 'example.org'])('%s is refused without authenticate', async (host) => {
    await expect(serveHttp(server(), { host })).rejects.toThrow(/authenticate/);
  });

  test('0.0.0.0 with authenticate is served, and shown as localhost', async () => {
    const served = await serveHttp(server(), { host: '0.0.0.0', authenticate: () => ({ principal: '' }) });
    expect(served.url).toMatch(/^http:\/\/localhost:\d+\/mcp$/);
    await served.close();
  });

  test('a port that is taken is said in a sentence', async () => {
    const first = await serveHttp(server());
    const port = Number(new URL(first.url).port);
    await expect(serveHttp(server(), { port })).rejects.toThrow(`Port ${port} of 127.0.0.1 is in use`);
    await first.close();
  });

  test('the path is an option, and any other is 404', () =>
    withHttp({ path: '/tools' }, async (wire: HttpWire) => {
      expect(wire.served.url).toMatch(/\/tools$/);
      const other = await wire.send({ path: '/mcp' });
      expect([other.status, other.body.error.message]).toEqual([404, 'Not found. The MCP endpoint is /tools.']);
      expect((await wire.send({ path: '/tools?x=1', method: 'PUT' })).headers.allow).toBe('GET, POST, DELETE');
    }));

  test('an endpoint serves a path of a server that is not its own', async () => {
    const endpoint = createHttpEndpoint(server());
    const http: Server = createServer((req, res) => {
      if (req.url === '/tools') endpoint.handle(req, res);
      else res.end('mine');
    });
    await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
    const base = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    expect(await (await fetch(base)).text()).toBe('mine');
    const reply = await fetch(`${base}/tools`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: '[]',
    });
    expect([reply.status, ((await reply.json()) as Message).error.code]).toEqual([400, -32600]);
    await endpoint.close();
    await new Promise((resolve) => http.close(resolve));
  });
});
