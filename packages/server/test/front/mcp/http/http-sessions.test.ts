import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../../test/support/wait-for.js';
import { withHttp } from '../http-wire.js';
import { INITIALIZE, type Wire } from '../wire.js';

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
        'The header Mcp-Session-Id is missing: send initialize, and use the id in its response.',
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
