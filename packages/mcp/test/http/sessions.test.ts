import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { initializeOf, type SessionWire, withHttp } from './http-wire.js';

const statusOf = async (session: SessionWire) => (await session.request('ping')).status;

/** A principal is what Authorization says. */
const byHeader = {
  authenticate: ({ headers }: { headers: { authorization?: string } }) => ({ principal: headers.authorization ?? '' }),
};
const as = (name: string) => ({ authorization: name });

describe('a session', () => {
  test.each(['2025-11-25', '2025-06-18'])('of %s begins with initialize and ends with DELETE', (version) =>
    withHttp({}, async (wire) => {
      const session = await wire.session({}, version);
      expect((await session.call('echo', { text: 'hi' })).body.result.content[0].text).toBe('hi');
      expect((await wire.send({ method: 'DELETE', headers: session.headers })).status).toBe(200);
      const gone = await session.request('ping');
      expect([gone.status, gone.body.error.code]).toEqual([404, -32001]);
      expect((await wire.send({ method: 'DELETE', headers: session.headers })).status).toBe(404);
    }),
  );

  test('a version that is not served is answered with 2025-11-25', () =>
    withHttp({}, async (wire) => {
      for (const version of ['2025-03-26', '2024-11-05', '1999-01-01']) {
        expect((await wire.initialize({}, version)).body.result.protocolVersion).toBe('2025-11-25');
      }
    }));

  test('a request that names none is 400, one that names a wrong one 404', () =>
    withHttp({}, async (wire) => {
      const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
      const without = await wire.post(ping);
      expect([without.status, without.body.id, without.body.error.code]).toEqual([400, 1, -32000]);
      const wrong = await wire.post(ping, { 'mcp-session-id': 'nope' });
      expect([wrong.status, wrong.body.id, wrong.body.error.code]).toEqual([404, 1, -32001]);
      for (const method of ['GET', 'DELETE']) {
        const headers = { accept: 'text/event-stream' };
        expect((await wire.send({ method, headers })).status).toBe(400);
        expect((await wire.send({ method, headers: { ...headers, 'mcp-session-id': 'nope' } })).status).toBe(404);
      }
      const note = { jsonrpc: '2.0', method: 'initialize', params: initializeOf() };
      expect((await wire.post(note)).status).toBe(400);
    }));

  test('the headers Accept and MCP-Protocol-Version are checked', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      for (const accept of ['application/json', 'text/event-stream', 'text/html']) {
        expect((await session.request('ping', {}, { headers: { accept } })).status).toBe(406);
      }
      for (const version of ['1999-01-01', '2025-03-26']) {
        const reply = await session.request('ping', {}, { headers: { 'mcp-protocol-version': version } });
        expect(reply.status).toBe(400);
      }
      expect((await wire.send({ method: 'GET', headers: session.headers })).status).toBe(406);
      const { 'mcp-session-id': id } = session.headers;
      const unnamed = { jsonrpc: '2.0', id: 1, method: 'ping' };
      expect((await wire.post(unnamed, { 'mcp-session-id': id! })).status).toBe(200);
    }));

  test('a notification and a response are 202 without a body', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      for (const message of [{ method: 'notifications/x' }, { id: 99, result: {} }]) {
        const reply = await session.post({ jsonrpc: '2.0', ...message });
        expect([reply.status, reply.text]).toEqual([202, '']);
      }
    }));

  test('errors of its requests have status 200, those of the handler without its text', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const unknown = await session.request('nope');
      expect([unknown.status, unknown.body.error.code]).toEqual([200, -32601]);
      const failed = await session.call('throw');
      expect([failed.status, failed.body.error.code]).toEqual([200, -32603]);
      expect(failed.text).not.toContain('secret');
    }));

  test('another principal does not find it', () =>
    withHttp(byHeader, async (wire) => {
      const session = await wire.session(as('a'));
      expect((await session.request('ping', {}, { headers: as('b') })).status).toBe(404);
      expect((await wire.send({ method: 'DELETE', headers: { ...session.headers, ...as('b') } })).status).toBe(404);
      expect(await statusOf(session)).toBe(200);
    }));

  test('ends when nothing happens in it, but not while a request runs or a stream is open', () =>
    withHttp({ sessionIdleMs: 150, streamAfterMs: 10_000 }, async (wire) => {
      const [idle, busy, listening] = [await wire.session(), await wire.session(), await wire.session()];
      const call = busy.call('wait');
      const stream = listening.listen();
      const { finish } = await wire.started();
      // A GET that is refused tells whether the session is there, without keeping it open.
      const isGone = async ({ headers }: SessionWire) => (await wire.send({ method: 'GET', headers })).status === 404;
      await waitFor(() => isGone(idle));
      expect(await statusOf(listening)).toBe(200);
      finish('done');
      expect((await call).body.result.content[0].text).toBe('done');
      expect(await statusOf(busy)).toBe(200);
      stream.stop();
      await waitFor(() => isGone(busy));
      await waitFor(() => isGone(listening));
    }));
});

describe('the places for sessions', () => {
  test('the one that is idle for longest makes room, never one at work', () =>
    withHttp({ maxSessions: 2 }, async (wire) => {
      const [first, second] = [await wire.session(), await wire.session()];
      await first.request('ping');
      const third = await wire.session();
      expect([await statusOf(second), await statusOf(first), await statusOf(third)]).toEqual([404, 200, 200]);
      const calls = [first.call('wait', { key: 'a' }), third.call('wait', { key: 'b' })];
      const running = [await wire.started('a'), await wire.started('b')];
      const refused = await wire.initialize();
      expect([refused.status, refused.headers['retry-after'], refused.body.id]).toEqual([503, '5', 0]);
      for (const { finish } of running) finish('done');
      expect((await Promise.all(calls)).map(({ body }) => body.result.content[0].text)).toEqual(['done', 'done']);
      await wire.session();
    }));

  test('initialize that fails takes none, and ends no session', () =>
    withHttp({ maxSessions: 1 }, async (wire) => {
      const session = await wire.session();
      for (const params of [{}, { ...initializeOf(), clientInfo: {} }, { ...initializeOf(), protocolVersion: 1 }]) {
        const reply = await wire.post({ jsonrpc: '2.0', id: 1, method: 'initialize', params });
        expect([reply.body.error.code, reply.headers['mcp-session-id']]).toEqual([-32602, undefined]);
      }
      expect(await statusOf(session)).toBe(200);
    }));

  test('initialize that is refused for lack of room leaves nothing behind', () =>
    withHttp({ maxSessions: 1 }, async (wire) => {
      const session = await wire.session();
      const call = session.call('wait');
      const { finish } = await wire.started();
      expect((await wire.initialize()).status).toBe(503);
      const stream = session.listen();
      await waitFor(() => stream.events.length > 0);
      wire.mcp.announce({ kind: 'list', list: 'tools' });
      await waitFor(() => stream.events.some(({ message }) => message?.method === 'notifications/tools/list_changed'));
      finish('done');
      await call;
    }));

  test('a principal loses its own session, never another principal’s', () =>
    withHttp({ ...byHeader, maxSessions: 4, maxSessionsPerPrincipal: 2 }, async (wire) => {
      const other = await wire.session(as('b'));
      const own = [await wire.session(as('a')), await wire.session(as('a')), await wire.session(as('a'))];
      expect(await Promise.all(own.map(statusOf))).toEqual([404, 200, 200]);
      expect(await statusOf(other)).toBe(200);
      await wire.session(as('c'));
      // The table is full: who has no session that could make room waits.
      expect((await wire.initialize(as('d'))).status).toBe(503);
      await wire.session(as('b'));
      expect(await Promise.all([own[1]!, own[2]!].map(statusOf))).toEqual([200, 200]);
      expect(await statusOf(other)).toBe(404);
    }));
});

describe('a call in a session', () => {
  test('is JSON while nothing was sent before its response, and a stream otherwise', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      for (const name of ['echo', 'later']) {
        expect((await session.call(name)).headers['content-type']).toBe('application/json');
      }
      const reply = await session.call('progress', {}, { meta: { progressToken: 7 } });
      expect(reply.headers['content-type']).toBe('text/event-stream');
      expect(reply.messages.map((one) => one.params?.progressToken ?? one.result.content[0].text)).toEqual([7, 'done']);
    }));

  test('asks the client on its stream, and the answer comes in a POST of its own', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const answers: number[] = [];
      const reply = await session.call(
        'ask',
        {},
        {
          onEvent: ({ message }) => {
            if (message?.method !== 'elicitation/create') return;
            const result = { action: 'accept', content: { name: 'Ada' } };
            void session.post({ jsonrpc: '2.0', id: message.id, result }).then(({ status }) => answers.push(status));
          },
        },
      );
      expect(JSON.parse(reply.body.result.content[0].text).content).toEqual({ name: 'Ada' });
      await waitFor(() => answers.length === 1);
      expect(answers).toEqual([202]);
    }));

  test('is not cancelled when its client goes away', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const leaving = new AbortController();
      const call = session.call('wait', {}, { signal: leaving.signal });
      const { context, finish } = await wire.started();
      leaving.abort();
      await expect(call).rejects.toThrow();
      const other = session.call('wait', { key: 'other' });
      (await wire.started('other')).finish('done');
      await other;
      expect(context.signal.aborted).toBe(false);
      finish('done');
      expect(await statusOf(session)).toBe(200);
      expect(wire.errors).toEqual([]);
    }));

  test.each([0, 10_000])('that is cancelled ends its stream without a response (stream after %i ms)', (streamAfterMs) =>
    withHttp({ streamAfterMs }, async (wire) => {
      const session = await wire.session();
      const call = session.call('wait');
      const { context } = await wire.started();
      await session.post({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: context.id } });
      const reply = await call;
      expect([reply.status, reply.headers['content-type'], reply.messages]).toEqual([200, 'text/event-stream', []]);
      expect(context.signal.aborted).toBe(true);
    }),
  );

  test('with the id of one that runs is −32600, and the first is still answered', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const call = session.call('wait');
      const { context, finish } = await wire.started();
      const second = await session.post({ jsonrpc: '2.0', id: context.id, method: 'ping' });
      expect(second.body.error.code).toBe(-32600);
      finish('first');
      expect((await call).body.result.content[0].text).toBe('first');
    }));
});
