import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { type HttpWire, type SessionWire, type WireEvent, withHttp } from './http-wire.js';

const progressOf = ({ message }: WireEvent) => message?.params?.progress;
const META = { meta: { progressToken: 'p' } };

/** A call of `wait` whose stream has begun, and ends when its client leaves. */
async function begin(session: SessionWire, key = 'wait') {
  const leaving = new AbortController();
  const events: WireEvent[] = [];
  const more = { ...META, signal: leaving.signal, onEvent: (event: WireEvent) => events.push(event) };
  const reply = session.call('wait', { key }, more);
  reply.catch(() => {});
  const { context, finish } = await session.wire.started(key);
  context.progress({ progress: 1 });
  await waitFor(() => events.some((event) => progressOf(event) === 1));
  return { context, finish, events, reply, leave: () => leaving.abort(), last: () => events.at(-1)!.id! };
}

describe('a stream of a request', () => {
  test('begins with an empty event that says when to come back, in 2025-11-25', () =>
    withHttp({ retryMs: 1_234 }, async (wire) => {
      const session = await wire.session();
      const { events } = await session.call('progress', {}, META);
      expect(events.map(({ retry, message }) => [retry, message?.method ?? typeof message?.result])).toEqual([
        ['1234', 'undefined'],
        [undefined, 'notifications/progress'],
        [undefined, 'object'],
      ]);
      expect(new Set(events.map(({ id }) => id)).size).toBe(3);
    }));

  test('has ids but no empty event in 2025-06-18, whose clients do not know it', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session({}, '2025-06-18');
      const { events } = await session.call('progress', {}, META);
      expect(events.map(({ id, message }) => [typeof id, typeof message])).toEqual([
        ['string', 'object'],
        ['string', 'object'],
      ]);
    }));

  test('is opened for a request that takes longer, so that it can be resumed', () =>
    withHttp({ streamAfterMs: 1 }, async (wire) => {
      const session = await wire.session();
      const events: WireEvent[] = [];
      const call = session.call('wait', {}, { onEvent: (event) => events.push(event) });
      await waitFor(() => events.length === 1);
      (await wire.started()).finish('done');
      expect((await call).body.result.content[0].text).toBe('done');
    }));

  test('is kept alive with comments', () =>
    withHttp({ keepAliveMs: 5, streamAfterMs: 1 }, async (wire) => {
      const session = await wire.session();
      let text = '';
      const onText = (all: string) => {
        text = all;
      };
      const calls = [session.call('wait', { key: 'a' }, { onText }), wire.call('progress-wait', {}, { onText })];
      await waitFor(() => text.includes(': keepalive\n\n'));
      (await wire.started('a')).finish('done');
      await calls[0];
      text = '';
      await waitFor(() => text.includes(': keepalive\n\n'));
      (await wire.started('progress-wait')).finish('done');
      await calls[1];
    }));
});

describe('a client that comes back with Last-Event-ID', () => {
  test('gets what it has missed, in order, then what comes, and the response', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const call = await begin(session);
      const last = call.last();
      call.leave();
      call.context.progress({ progress: 2 });
      call.context.progress({ progress: 3 });
      const stream = session.listen(last);
      await waitFor(() => stream.events.some((event) => progressOf(event) === 3));
      call.context.progress({ progress: 4 });
      call.finish('done');
      const { messages, status } = await stream.reply;
      expect(status).toBe(200);
      expect(messages.map((one) => one.params?.progress ?? one.result.content[0].text)).toEqual([2, 3, 4, 'done']);
    }));

  test('gets the response that was sent while it was away, as often as it asks', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const call = await begin(session);
      const last = call.last();
      call.leave();
      await call.reply.catch(() => {});
      call.finish('done');
      for (const _ of [1, 2]) {
        const { events } = await session.listen(last).reply;
        expect(events.map(({ message }) => message.result.content[0].text)).toEqual(['done']);
      }
      const end = await session.listen(last).reply;
      expect((await session.listen(end.events.at(-1)!.id).reply).status).toBe(400);
    }));

  test('gets an event to come back with, although it has missed none', () =>
    withHttp({ retryMs: 9 }, async (wire) => {
      const session = await wire.session();
      const call = await begin(session);
      const first = session.listen(call.last());
      const [event] = await waitFor(() => first.events.length > 0 && first.events);
      expect([event!.retry, event!.message]).toEqual(['9', undefined]);
      first.stop();
      call.context.progress({ progress: 2 });
      const second = session.listen(event!.id);
      call.finish('done');
      expect((await second.reply).messages.map((one) => one.params?.progress ?? 'done')).toEqual([2, 'done']);
    }));

  test('takes the stream over, although the server has not noticed that it left', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const call = await begin(session);
      const stream = session.listen(call.last());
      await call.reply;
      call.context.progress({ progress: 2 });
      await waitFor(() => stream.events.some((event) => progressOf(event) === 2));
      call.finish('done');
      expect((await stream.reply).messages).toHaveLength(2);
      expect((await call.reply).messages).toHaveLength(1);
    }));

  test('gets only the events of its own stream and its own session', () =>
    withHttp({}, async (wire) => {
      const [session, other] = [await wire.session(), await wire.session()];
      const [first, second] = [await begin(session, 'first'), await begin(session, 'second')];
      second.context.progress({ progress: 2 });
      first.leave();
      first.finish('first');
      const { messages } = await session.listen(first.last()).reply;
      expect(messages.map(({ result }) => result.content[0].text)).toEqual(['first']);
      expect((await other.listen(first.last()).reply).status).toBe(400);
      second.finish('second');
      await second.reply;
    }));

  test.each(['', 'x', '1_', '_1', '1_999', '99_1', '1_1_1', '-1_1', '١_١', '9'.repeat(400)])(
    'with the id %s gets 400',
    (id) =>
      withHttp({}, async (wire) => {
        const session = await wire.session();
        await session.call('progress', {}, META);
        const headers = { ...session.headers, accept: 'text/event-stream', 'last-event-id': encodeURIComponent(id) };
        expect((await wire.send({ method: 'GET', headers })).status).toBe(400);
      }),
  );

  test('answers a question that it has missed', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const call = await begin(session);
      const last = call.last();
      call.leave();
      const answer = call.context.ask('elicitation/create', { message: 'Name?' });
      const stream = session.listen(last);
      const question = await waitFor(() =>
        stream.events.find(({ message }) => message?.method === 'elicitation/create'),
      );
      await session.post({ jsonrpc: '2.0', id: question.message.id, result: { action: 'decline' } });
      expect(await answer).toEqual({ action: 'decline' });
      call.finish('done');
      await stream.reply;
    }));

  test.each([{ maxBufferedEvents: 3 }, { maxBufferedChars: 400 }])(
    'gets the last events within the bound %o',
    (bound) =>
      withHttp(bound, async (wire) => {
        const session = await wire.session();
        const call = await begin(session);
        const last = call.last();
        call.leave();
        await call.reply.catch(() => {});
        for (let progress = 2; progress <= 500; progress += 1) call.context.progress({ progress });
        call.finish('done');
        const { messages } = await session.listen(last).reply;
        expect(messages.at(-1).result.content[0].text).toBe('done');
        expect(messages.length).toBeLessThanOrEqual(5);
        expect(messages.at(-2).params.progress).toBe(500);
      }),
  );
});

describe('a stream that the server closes for polling (SEP-1699)', () => {
  test('continues when its client comes back', () =>
    withHttp({ pollAfterMs: 20, streamAfterMs: 1 }, async (wire) => {
      const session = await wire.session();
      const { events, messages } = await session.call('wait');
      expect([events.length, messages]).toEqual([1, []]);
      const stream = session.listen(events[0]!.id);
      (await wire.started()).finish('done');
      const { body } = await stream.reply;
      expect([body.id, body.result.content[0].text]).toEqual([2 - 1, 'done']);
    }));

  test('is closed again as often as it takes, and the response is kept', () =>
    withHttp({ pollAfterMs: 10, streamAfterMs: 1 }, async (wire) => {
      const session = await wire.session();
      const { events } = await session.call('wait');
      for (const _ of [1, 2]) expect((await session.listen(events[0]!.id).reply).messages).toEqual([]);
      (await wire.started()).finish('done');
      expect((await session.listen(events[0]!.id).reply).body.result.content[0].text).toBe('done');
    }));
});

describe('the stream of the session', () => {
  test('is one, and gets what belongs to no request', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const stream = session.listen();
      await waitFor(() => stream.events.length === 1);
      expect((await session.listen().reply).status).toBe(409);
      wire.mcp.announce({ kind: 'list', list: 'tools' });
      await waitFor(() => stream.events.length === 2);
      stream.stop();
      await stream.reply.catch(() => {});
      wire.mcp.announce({ kind: 'list', list: 'prompts' });
      const resumed = session.listen(stream.events.at(-1)!.id);
      const [missed] = await waitFor(() => resumed.events.length > 0 && resumed.events);
      expect(missed!.message.method).toBe('notifications/prompts/list_changed');
      await wire.send({ method: 'DELETE', headers: session.headers });
      expect((await resumed.reply).status).toBe(200);
    }));

  test('of 2025-06-18 has its head at once', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session({}, '2025-06-18');
      const stream = session.listen();
      await waitFor(async () => {
        const probe = session.listen();
        const status = await Promise.race([probe.reply.then((reply) => reply.status), stream.reply.then(() => 0)]);
        return status === 409;
      });
      stream.stop();
    }));
});

/** A call whose client does not read its stream. */
async function callWithoutReading(wire: HttpWire, session: SessionWire) {
  const body = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'wait', arguments: {}, _meta: { progressToken: 'p' } },
  });
  const socket = connect(wire.port, '127.0.0.1').pause();
  socket.on('error', () => {});
  const head = [
    'POST /mcp HTTP/1.1',
    'Host: localhost',
    'Content-Type: application/json',
    'Accept: application/json, text/event-stream',
    `Mcp-Session-Id: ${session.id}`,
    `Content-Length: ${body.length}`,
  ];
  socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  return { socket, ...(await wire.started()) };
}

test('a stream that its client does not read is ended at the bound, and the call continues', () =>
  withHttp({ maxUnreadBytes: 100_000, maxBufferedChars: 50_000 }, async (wire) => {
    const session = await wire.session();
    const { socket, context, finish } = await callWithoutReading(wire, session);
    const message = 'x'.repeat(10_000);
    for (let progress = 1; progress <= 2_000; progress += 1) {
      context.progress({ progress, message });
      if (progress % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
    }
    expect(context.signal.aborted).toBe(false);
    finish('done');
    const { body } = await session.listen('1_1').reply;
    expect(body.result.content[0].text).toBe('done');
    let bytes = 0;
    socket.on('data', (chunk) => {
      bytes += chunk.length;
    });
    socket.resume();
    await once(socket, 'close');
    // What the kernel had taken, and the bound: of 20 MB.
    expect(bytes).toBeLessThan(10_000_000);
    expect(wire.errors).toEqual([]);
  }));
