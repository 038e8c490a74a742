import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../test/support/wait-for.js';
import { serveHttp } from '../../../src/mcp/serve-http.js';
import { type HttpWire, withHttp } from '../http-wire.js';
import { recordLog, TestHost } from '../test-host.js';
import { INITIALIZE, META_2026, type Wire } from '../wire.js';

const textOf = (reply: { body: Wire }) => reply.body.result.content[0].text;
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('a 2025-11-25 session over HTTP', () => {
  test('initialize opens it, requests continue in it, DELETE ends it', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      expect(session.headers['mcp-session-id']).toMatch(/^[0-9a-f-]{36}$/);
      expect((await session.request('tools/list')).body.result.tools.length).toBeGreaterThan(5);
      const reply = await session.request('tools/call', { name: 'echo', arguments: { a: 1 } });
      expect(textOf(reply)).toBe('{"a":1}');
      expect((await wire.send({ method: 'DELETE', headers: session.headers })).status).toBe(200);
      const response = await session.request('tools/list');
      expect(response.status).toBe(404);
      expect(response.body).toMatchObject({ id: 2 + 1, error: { code: -32001 } });
    }));

  test('a request without a session is 400, one with an unknown session 404', () =>
    withHttp({}, async (wire) => {
      const without = await wire.post(PING);
      expect([without.status, without.body.error.message]).toEqual([
        400,
        'The header Mcp-Session-Id is missing: initialize answers with one.',
      ]);
      expect((await wire.post(PING, { 'mcp-session-id': 'nope' })).status).toBe(404);
      expect((await wire.send({ method: 'DELETE', headers: { 'mcp-session-id': 'nope' } })).status).toBe(404);
      expect((await wire.send({ method: 'GET', headers: { accept: 'text/event-stream' } })).status).toBe(400);
    }));

  test('initialize without its members is −32602 in a sentence', () =>
    withHttp({}, async (wire) => {
      const { body } = await wire.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params: {} });
      expect(body).toMatchObject({ id: 1, error: { code: -32602 } });
      expect(body.error.message).toMatch(/^Invalid params: initialize needs/);
    }));

  test('initialize that wants no response opens nothing', () =>
    withHttp({}, async (wire) => {
      const reply = await wire.post({ jsonrpc: '2.0', method: 'initialize', params: INITIALIZE });
      expect([reply.status, reply.headers['mcp-session-id']]).toEqual([400, undefined]);
    }));

  test('a version header that is unknown is 400', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const reply = await wire.post(PING, { ...session.headers, 'mcp-protocol-version': '1999-01-01' });
      expect(reply.status).toBe(400);
    }));

  test('progress comes before the response, on the stream of its own request', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const reply = await session.request('tools/call', { name: 'progress', _meta: { progressToken: 'p' } });
      expect(reply.messages.map((one) => one.params?.progress ?? 'response')).toEqual([0, 50, 100, 'response']);
    }));

  test('a cancelled call aborts in the host, has no response, and its stream ends', () =>
    withHttp({}, async (wire, host) => {
      const session = await wire.session();
      const call = session.request('tools/call', { name: 'slow' });
      await waitFor(() => host.events.includes('start slow'));
      await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } });
      expect((await call).messages).toEqual([]);
      expect(host.events).toContain('abort slow');
    }));

  test('questions come on the stream of the call, answers are posted', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const reply = await session.request(
        'tools/call',
        { name: 'ask_one' },
        {
          onMessage: (message) => {
            if (message.method !== 'elicitation/create') return;
            const result = { action: 'accept', content: { name: 'Ada' } };
            void session.post({ jsonrpc: '2.0', id: message.id, result });
          },
        },
      );
      expect(JSON.parse(textOf(reply))).toEqual({ user: { action: 'accept', content: { name: 'Ada' } } });
    }));

  test('changes, updates and logs come on the stream of the session', () =>
    withHttp({}, async (wire, host) => {
      const session = await wire.session();
      const stream = session.listen();
      await session.request('resources/subscribe', { uri: 'test://one' });
      await session.request('logging/setLevel', { level: 'info' });
      const announce = () => {
        host.emit('listChanged', 'tools');
        host.emit('resourceUpdated', 'test://one');
        host.emit('log', { level: 'info', message: 'hello', logger: 'host' });
      };
      await waitFor(() => {
        announce();
        return stream.received.length >= 3;
      });
      expect(stream.received.slice(0, 3).map((one) => one.method)).toEqual([
        'notifications/tools/list_changed',
        'notifications/resources/updated',
        'notifications/message',
      ]);
      stream.stop();
      await stream.reply.catch(() => undefined);
    }));

  test('levels and subscriptions belong to one session', () =>
    withHttp({}, async (wire) => {
      const [loud, quiet] = [await wire.session(), await wire.session()];
      await quiet.request('logging/setLevel', { level: 'emergency' });
      expect((await quiet.request('tools/call', { name: 'log' })).messages).toHaveLength(1);
      expect((await loud.request('tools/call', { name: 'log' })).messages).toHaveLength(4);
    }));

  test('an idle session expires, one with an open request does not', () =>
    withHttp({ Http: { SessionIdleMs: 300 } }, async (wire) => {
      const [idle, busy] = [await wire.session(), await wire.session()];
      const call = busy.request('tools/call', { name: 'later', arguments: { ms: 900 } });
      // Whoever asked meanwhile would keep it open.
      await new Promise((resolve) => setTimeout(resolve, 600));
      expect((await idle.request('ping')).status).toBe(404);
      expect(textOf(await call)).toBe('done');
      expect((await busy.request('ping')).status).toBe(200);
    }));

  test('a full table drops the session that was idle for longest, never one at work', () =>
    withHttp({ Http: { MaxSessions: 2 } }, async (wire) => {
      const [first, second] = [await wire.session(), await wire.session()];
      await first.request('ping');
      const third = await wire.session();
      expect((await second.request('ping')).status).toBe(404);
      expect((await first.request('ping')).status).toBe(200);
      const calls = [first, third].map((one) => one.request('tools/call', { name: 'later', arguments: { ms: 200 } }));
      await waitFor(() => wire.host.events.filter((event) => event === 'start later').length === 2);
      await expect(wire.session()).rejects.toThrow('503');
      expect((await Promise.all(calls)).map(textOf)).toEqual(['done', 'done']);
    }));
});

describe('2026-07-28 over HTTP', () => {
  test('discover, list and call, without a session', () =>
    withHttp({}, async (wire) => {
      const discovered = await wire.modern('server/discover');
      expect(discovered.status).toBe(200);
      expect(discovered.headers['mcp-session-id']).toBeUndefined();
      expect(discovered.body.result.supportedVersions).toEqual(['2026-07-28']);
      expect((await wire.modern('tools/list')).body.result).toMatchObject({ resultType: 'complete', ttlMs: 5_000 });
      expect(textOf(await wire.modern('tools/call', { name: 'echo', arguments: { b: 2 } }))).toBe('{"b":2}');
    }));

  test('methods that are not there are 404 with −32601', () =>
    withHttp({}, async (wire) => {
      for (const method of ['tools/explode', 'logging/setLevel', 'ping']) {
        const reply = await wire.modern(method);
        expect([reply.status, reply.body.error.code]).toEqual([404, -32601]);
      }
    }));

  test('an unknown version is 400 with −32022, headers that disagree are −32020', () =>
    withHttp({}, async (wire) => {
      const version = '2099-01-01';
      const _meta = { 'io.modelcontextprotocol/protocolVersion': version };
      const unknown = await wire.modern('tools/list', { _meta }, { 'mcp-protocol-version': version });
      expect([unknown.status, unknown.body.error.code]).toEqual([400, -32022]);
      const disagreeing = await wire.modern('tools/list', {}, { 'mcp-method': 'tools/call' });
      expect([disagreeing.status, disagreeing.body.error.code]).toEqual([400, -32020]);
    }));

  test('arguments that are not an object and unknown tools are −32602 in sentences', () =>
    withHttp({}, async (wire) => {
      const none = await wire.modern('tools/call', { name: 'echo', arguments: null });
      expect(none.body.error).toEqual({ code: -32602, message: 'params.arguments must be an object, but is null.' });
      const unknown = await wire.modern('tools/call', { name: 'ecko' });
      expect(unknown.body.error).toMatchObject({ message: 'Unknown tool: ecko', data: { suggestions: ['echo'] } });
    }));

  test('arguments nested 100,000 deep reach the host', () =>
    withHttp({}, async (wire, host) => {
      host.add({ name: 'deep', inputSchema: { type: 'object' } }, async () => ({
        kind: 'result',
        result: { content: [] },
      }));
      const deep = '['.repeat(100_000) + ']'.repeat(100_000);
      const head = `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"deep","_meta":${JSON.stringify(META_2026)}`;
      const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': 'deep' };
      const reply = await wire.post(`${head},"arguments":{"x":${deep}}}}`, headers);
      expect(reply.body.result.content).toEqual([]);
      const answer = await wire.modern('tools/call', { name: 'ask_one' });
      const state = JSON.stringify(answer.body.result.requestState);
      const retry = await wire.post(
        `${head},"requestState":${state},"arguments":{"x":${deep}}}}`.replaceAll('"deep"', '"ask_one"'),
        {
          ...headers,
          'mcp-name': 'ask_one',
        },
      );
      expect(retry.body.error.code).toBe(-32602);
    }));

  test('progress and logs turn the answer into a stream, the response comes last', () =>
    withHttp({}, async (wire) => {
      const response = await wire.modern('tools/call', { name: 'progress', _meta: { progressToken: 3 } });
      expect(response.messages.map((one) => one.params?.progress ?? 'response')).toEqual([0, 50, 100, 'response']);
      const _meta = { 'io.modelcontextprotocol/logLevel': 'error' };
      const logged = await wire.modern('tools/call', { name: 'log', _meta });
      expect(logged.messages.map((one) => one.params?.data ?? 'response')).toEqual(['a error', 'response']);
    }));

  test('a client that hangs up cancels its call', () =>
    withHttp({}, async (wire, host) => {
      const hangUp = new AbortController();
      const call = wire.modern('tools/call', { name: 'slow' }, {}, { signal: hangUp.signal });
      await waitFor(() => host.events.includes('start slow'));
      hangUp.abort();
      await expect(call).rejects.toThrow();
      await waitFor(() => host.events.includes('abort slow'));
    }));

  test('a capability that is missing is 400 with −32021', () =>
    withHttp({}, async (wire) => {
      const reply = await wire.modern('tools/call', { name: 'needs_sampling' });
      expect(reply.status).toBe(400);
      expect(reply.body.error).toMatchObject({ code: -32021, data: { requiredCapabilities: { sampling: {} } } });
    }));

  test('subscriptions/listen gets what it asked for, and a result when the server closes', () =>
    withHttp({}, async (wire, host) => {
      const received: Wire[] = [];
      const notifications = { toolsListChanged: true, resourceSubscriptions: ['test://one'] };
      const more = { onMessage: (message: Wire) => received.push(message) };
      const listening = wire.modern('subscriptions/listen', { notifications }, {}, more);
      await waitFor(() => received.length === 1);
      expect(host.watched).toEqual(['test://one']);
      host.emit('listChanged', 'prompts');
      host.emit('listChanged', 'tools');
      host.emit('resourceUpdated', 'test://one');
      await waitFor(() => received.length === 3);
      const start = Date.now();
      await wire.served.close();
      expect(Date.now() - start).toBeLessThan(900);
      expect((await listening).messages.map((one) => one.method ?? 'result')).toEqual([
        'notifications/subscriptions/acknowledged',
        'notifications/tools/list_changed',
        'notifications/resources/updated',
        'result',
      ]);
    }));

  test('Mcp-Param headers must agree with the arguments of a tool that asks for them', () =>
    withHttp({}, async (wire) => {
      const call = (args: object, headers = {}) =>
        wire.modern('tools/call', { name: 'route', arguments: args }, headers);
      expect(textOf(await call({}))).toBe('routed');
      expect(textOf(await call({ region: null }))).toBe('routed');
      expect(textOf(await call({ region: 'eu' }, { 'mcp-param-region': 'eu' }))).toBe('routed');
      const encoded = `=?base64?${Buffer.from('zürich').toString('base64')}?=`;
      expect(textOf(await call({ region: 'zürich' }, { 'mcp-param-region': encoded }))).toBe('routed');
      expect(textOf(await call({ options: { count: 42 } }, { 'mcp-param-count': '42.0' }))).toBe('routed');
      for (const [args, headers] of [
        [{ region: 'eu' }, {}],
        [{ region: 'eu' }, { 'mcp-param-region': 'us' }],
        [{ region: 'eu' }, { 'mcp-param-region': '=?base64?*?=' }],
        [{ options: { count: 42 } }, { 'mcp-param-count': '43' }],
      ] as const) {
        const reply = await call(args, headers);
        expect([reply.status, reply.body.error.code]).toEqual([400, -32020]);
        expect(reply.body.id).toBeGreaterThan(0);
      }
    }));
});

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
      { Name: 'ci', Key: 'key-of-ci' },
      { Name: 'dev', Key: 'key-of-dev' },
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

describe('what is not a request', () => {
  test.each([
    ['{"jsonrpc":', -32700],
    ['', -32700],
    ['[]', -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","result":{}}', -32000],
  ])('%s is 400 without an id', (body, code) =>
    withHttp({}, async (wire) => {
      const reply = await wire.post(body);
      expect([reply.status, reply.body.error.code, 'id' in reply.body]).toEqual([400, code, false]);
    }),
  );

  test('other paths are 404, other methods 405, other types of content 415', () =>
    withHttp({}, async (wire) => {
      expect((await wire.post(PING, {}, { path: '/other' })).status).toBe(404);
      const put = await wire.send({ method: 'PUT' });
      expect([put.status, put.headers.allow]).toEqual([405, 'GET, POST, DELETE']);
      expect((await wire.post(PING, { 'content-type': 'text/plain' })).status).toBe(415);
    }));

  const oversize = (wire: HttpWire, headers: Record<string, string>) => wire.post('x'.repeat(200_000), headers);

  test('a body over the limit is 413, whether its length is told or not', () =>
    withHttp({ Http: { MaxBodyBytes: 1_000 } }, async (wire) => {
      for (const [name, value] of [
        ['content-length', '200000'],
        ['transfer-encoding', 'chunked'],
      ] as const) {
        const reply = await oversize(wire, { [name]: value });
        expect([reply.status, reply.body.error.message]).toEqual([
          413,
          'The body exceeds 1000 bytes (Http.MaxBodyBytes).',
        ]);
      }
      expect((await wire.modern('tools/list', {})).status).toBe(200);
    }));

  test('a body that says that it will be too long is not waited for', () =>
    withHttp({ Http: { MaxBodyBytes: 1_000 } }, async (wire) => {
      const socket = connect(Number(new URL(wire.served.url).port), '127.0.0.1');
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n',
      );
      const [answer] = await once(socket, 'data');
      expect(String(answer)).toMatch(/^HTTP\/1\.1 413 /);
      socket.destroy();
    }));

  test('a client that gives up in the middle of a body does no harm', () =>
    withHttp({}, async (wire) => {
      const { port } = new URL(wire.served.url);
      const socket = connect(Number(port), '127.0.0.1');
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 50\r\nExpect: 100-continue\r\n\r\n{"json',
      );
      expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 100 /);
      socket.destroy();
      expect((await wire.modern('tools/list')).status).toBe(200);
      expect(wire.log.lines.filter((line) => line.level === 'error')).toEqual([]);
    }));
});

test('close() answers what runs, refuses what comes, and ends every stream', async () =>
  withHttp({}, async (wire, host) => {
    const session = await wire.session();
    const stream = session.listen();
    const running = session.request('tools/call', { name: 'later', arguments: { ms: 100 } });
    await waitFor(() => host.events.includes('start later'));
    const closing = wire.served.close();
    expect(textOf(await running)).toBe('done');
    await closing;
    expect((await stream.reply).status).toBe(200);
    await expect(session.request('ping')).rejects.toThrow('ECONNREFUSED');
    expect(host.listeners()).toBe(0);
  }));

test('close() does not wait forever for a call that does not end', () =>
  withHttp({}, async (wire, host) => {
    const call = wire.modern('tools/call', { name: 'slow' }).catch(() => 'gone');
    await waitFor(() => host.events.includes('start slow'));
    await wire.served.close();
    expect(host.events).toContain('abort slow');
    await call;
  }));
