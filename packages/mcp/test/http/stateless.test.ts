import type { IncomingMessage } from 'node:http';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { type HttpWire, META, type Message, withHttp } from './http-wire.js';

const outcomeOf = ({ status, body }: { status: number; body: Message }) => [status, body.error?.code];

/** A server whose call of a tool fails with the code that its argument names. */
function withFailures(
  run: (wire: HttpWire, fail: (code: number, isLater?: boolean) => Promise<unknown[]>) => Promise<void>,
) {
  return withHttp({}, async (wire) => {
    const fail = async (code: number, isLater = false) => {
      const args = { code, isLater };
      const { status, body } = await wire.stateless('tools/call', { name: 'fail', arguments: args });
      return [status, body.error.code];
    };
    await run(wire, fail);
  });
}

describe('a request of 2026-07-28', () => {
  test('is answered with JSON, without a session', () =>
    withHttp({}, async (wire) => {
      for (const name of ['echo', 'later']) {
        const reply = await wire.call(name);
        expect([reply.status, reply.headers['content-type']]).toEqual([200, 'application/json']);
        expect(reply.headers['mcp-session-id']).toBeUndefined();
        expect(reply.headers['content-length']).toBe(String(Buffer.byteLength(reply.text)));
      }
      expect((await wire.call('echo', { text: 'Zürich 🦀' })).body.result.content[0].text).toBe('Zürich 🦀');
    }));

  test('is answered with a stream when something comes first; its events have no ids', () =>
    withHttp({}, async (wire) => {
      const params = { name: 'progress', _meta: { ...META, progressToken: 'p' } };
      const { headers, events } = await wire.stateless('tools/call', params);
      expect(headers).toMatchObject({
        'content-type': 'text/event-stream',
        'cache-control': 'no-cache, no-transform',
        'x-accel-buffering': 'no',
      });
      expect(events.map(({ id, message }) => [id, message.method ?? 'response'])).toEqual([
        [undefined, 'notifications/progress'],
        [undefined, 'response'],
      ]);
    }));

  test('asks for no particular Accept', () =>
    withHttp({}, async (wire) => {
      expect((await wire.stateless('tools/list', {}, { accept: '*/*' })).status).toBe(200);
    }));

  test('has the status of an error that is found before the handler runs', () =>
    withHttp({}, async (wire) => {
      for (const method of ['nope', 'ping', 'logging/setLevel', 'initialize', 'toString', 'prompts/list']) {
        expect([method, ...outcomeOf(await wire.stateless(method))]).toEqual([method, 404, -32601]);
      }
      expect(outcomeOf(await wire.stateless('tools/call', { name: 'echo', arguments: 'x' }))).toEqual([200, -32602]);
    }));

  test.each([
    [-32601, 200],
    [-32600, 200],
    [-32602, 200],
    [-32603, 200],
    [-32022, 200],
    [-32021, 400],
    [7, 200],
  ])('has status 200 for errors of the handler, but for −32021: %i is %i', (code, status) =>
    withFailures(async (_, fail) => {
      expect(await fail(code)).toEqual([status, code]);
      expect(await fail(code, true)).toEqual([status, code]);
    }),
  );

  test('keeps the text of an unexpected error back', () =>
    withHttp({}, async (wire) => {
      const reply = await wire.call('throw');
      expect(outcomeOf(reply)).toEqual([200, -32603]);
      expect(reply.text).not.toContain('secret');
      expect(String(wire.errors[0])).toContain('secret');
    }));

  test('is cancelled when its client goes away', () =>
    withHttp({}, async (wire) => {
      for (const name of ['wait', 'progress-wait']) {
        const leaving = new AbortController();
        const call = wire.call(name, {}, { signal: leaving.signal });
        const { context } = await wire.started(name);
        leaving.abort();
        await expect(call).rejects.toThrow();
        await waitFor(() => context.signal.aborted);
      }
      expect(wire.errors).toEqual([]);
    }));

  test('is cancelled when its client does not read its stream', () =>
    withHttp({ maxUnreadBytes: 100_000 }, async (wire) => {
      const leaving = new AbortController();
      const params = { name: 'wait', _meta: { ...META, progressToken: 'p' } };
      let isPaused = false;
      const onResponse = (res: IncomingMessage) => {
        isPaused = true;
        res.pause();
      };
      const call = wire.stateless('tools/call', params, {}, { signal: leaving.signal, onResponse });
      call.catch(() => {});
      const { context } = await wire.started();
      context.progress({ progress: 0 });
      await waitFor(() => isPaused);
      await waitFor(() => {
        context.progress({ progress: 1, message: 'x'.repeat(1_000_000) });
        return context.signal.aborted;
      });
      leaving.abort();
      expect(wire.errors).toEqual([]);
    }));

  test('is answered in its stream also by a result that is larger than what a client may leave unread', () =>
    withHttp({ maxUnreadBytes: 100_000 }, async (wire) => {
      const reply = wire.stateless('tools/call', { name: 'wait', _meta: { ...META, progressToken: 'p' } });
      const { context, finish } = await wire.started();
      context.progress({ progress: 0 });
      finish('x'.repeat(5_000_000));
      const { body } = await reply;
      expect(body.result.content[0].text).toHaveLength(5_000_000);
    }));

  test('is not cancelled by a notification: there is no session that could carry it', () =>
    withHttp({}, async (wire) => {
      const call = wire.call('wait');
      const { context, finish } = await wire.started();
      const params = { requestId: context.id, _meta: META };
      const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params };
      const reply = await wire.post(message, { 'mcp-protocol-version': '2026-07-28' });
      expect([reply.status, reply.text]).toEqual([202, '']);
      finish('done');
      expect((await call).body.result.content[0].text).toBe('done');
    }));

  test('may have the id of another that runs', () =>
    withHttp({}, async (wire) => {
      const post = (name: string) => {
        const params = { name, arguments: {}, _meta: META };
        const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': name };
        return wire.post({ jsonrpc: '2.0', id: 'same', method: 'tools/call', params }, headers);
      };
      const first = post('wait');
      const { finish } = await wire.started();
      expect((await post('echo')).body.id).toBe('same');
      finish('done');
      expect((await first).body.id).toBe('same');
    }));
});

describe('subscriptions/listen', () => {
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['test://a'] };
  const listen = (wire: HttpWire) => {
    const received: Message[] = [];
    const leaving = new AbortController();
    const more = { signal: leaving.signal, onEvent: ({ message }: Message) => received.push(message) };
    const reply = wire.stateless('subscriptions/listen', { notifications }, {}, more);
    reply.catch(() => {});
    return { received, reply, leave: () => leaving.abort() };
  };

  test('is a stream of what was asked for, and ends with a result', () =>
    withHttp({}, async (wire) => {
      const { received, reply } = listen(wire);
      await waitFor(() => received.length === 1);
      wire.mcp.announce({ kind: 'list', list: 'prompts' });
      wire.mcp.announce({ kind: 'list', list: 'tools' });
      wire.mcp.announce({ kind: 'resource', uri: 'test://a' });
      wire.mcp.announce({ kind: 'resource', uri: 'test://b' });
      await waitFor(() => received.length === 3);
      await wire.served.close();
      expect((await reply).messages.map((one) => one.method ?? 'result')).toEqual([
        'notifications/subscriptions/acknowledged',
        'notifications/tools/list_changed',
        'notifications/resources/updated',
        'result',
      ]);
    }));

  test('gives its place back when its client goes away', () =>
    withHttp({}, async (wire) => {
      for (let round = 0; round < 3; round += 1) {
        const all = Array.from({ length: 256 }, () => listen(wire));
        await waitFor(() => all.every(({ received }) => received.length === 1));
        expect(outcomeOf(await listen(wire).reply)).toEqual([200, -32603]);
        for (const { leave } of all) leave();
        await waitFor(async () => {
          const probe = listen(wire);
          const isOpen = await Promise.race([
            waitFor(() => probe.received.length > 0 && !probe.received[0].error),
            probe.reply.then(
              () => false,
              () => false,
            ),
          ]);
          probe.leave();
          return isOpen;
        });
      }
      expect(wire.errors).toEqual([]);
    }));
});

test('GET and DELETE are of sessions only', () =>
  withHttp({}, async (wire) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', accept: 'text/event-stream' };
    for (const method of ['GET', 'DELETE']) expect((await wire.send({ method, headers })).status).toBe(400);
  }));
