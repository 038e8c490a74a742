import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { type HttpWire, type Message, withHttp } from './http-wire.js';

const byHeader = {
  authenticate: ({ headers }: { headers: Message }) => ({
    principal: String(headers['x-user'] ?? 'ada'),
    authorization: headers['x-user'] ?? 'ada',
  }),
};
const as = (user: string) => ({ 'x-user': user });

const LISTEN = { notifications: { toolsListChanged: true } };

/** A `subscriptions/listen` request, and how it ends. */
function listen(wire: HttpWire, user: string) {
  const stop = new AbortController();
  const events: Message[] = [];
  const more = { signal: stop.signal, onEvent: (event: Message) => events.push(event) };
  const reply = wire.stateless('subscriptions/listen', LISTEN, as(user), more);
  reply.catch(() => {});
  return { events, reply, stop: () => stop.abort() };
}

describe('the open streams of a principal', () => {
  test('are limited, GET and subscriptions/listen together', () =>
    withHttp({ ...byHeader, maxStreamsPerPrincipal: 2 }, async (wire) => {
      const session = await wire.session(as('ada'));
      const other = await wire.session(as('ada'));
      const first = session.listen();
      const second = listen(wire, 'ada');
      await waitFor(() => first.events.length > 0 && second.events.length > 0);
      const refused = await listen(wire, 'ada').reply;
      expect(refused).toMatchObject({ status: 429, headers: { 'retry-after': '5' }, body: { id: expect.any(Number) } });
      expect((await other.listen().reply).status).toBe(429);
      const otherPrincipal = listen(wire, 'bob');
      await waitFor(() => otherPrincipal.events.length > 0);
      second.stop();
      await waitFor(async () => {
        const again = listen(wire, 'ada');
        return Promise.race([again.reply.then(() => false), waitFor(() => again.events.length > 0).then(() => true)]);
      });
      first.stop();
      otherPrincipal.stop();
    }));

  test('are not more for a client that comes back for its stream, again and again', () =>
    withHttp({ ...byHeader, maxStreamsPerPrincipal: 1 }, async (wire) => {
      const session = await wire.session(as('ada'));
      let stream = session.listen();
      for (let round = 0; round < 5; round++) {
        const { events } = stream;
        await waitFor(() => events.length > 0);
        expect((await session.listen().reply).status).toBe(409);
        stream = session.listen(events[0]!.id);
      }
      await waitFor(() => stream.events.length > 0);
      expect((await listen(wire, 'ada').reply).status).toBe(429);
      stream.stop();
    }));

  test('are not the streams of requests', () =>
    withHttp({ ...byHeader, maxStreamsPerPrincipal: 1, streamAfterMs: 1 }, async (wire) => {
      const session = await wire.session(as('ada'));
      const stream = session.listen();
      await waitFor(() => stream.events.length > 0);
      const call = session.call('wait');
      (await wire.started()).finish('done');
      expect((await call).body.result.content[0].text).toBe('done');
      stream.stop();
    }));
});

describe('a request that a handler refuses as a whole', () => {
  test.each(['stateless', 'session'])('has the status and the headers that it says: %s', (kind) =>
    withHttp({}, async (wire) => {
      const caller = kind === 'session' ? await wire.session() : wire;
      for (const isError of [false, true]) {
        const reply = await caller.call('refuse', { isError, code: -32603 });
        expect(reply).toMatchObject({ status: 403, headers: { 'www-authenticate': 'Bearer' } });
        expect(Object.keys(reply.body)).toContain(isError ? 'error' : 'result');
      }
      const streamed = await caller.call('refuse', { hasStream: true });
      expect(streamed.status).toBe(200);
      expect(streamed.body.result.content[0].text).toBe('refused');
      expect((await caller.call('echo')).status).toBe(200);
    }),
  );
});

test('each refusal is told to the operator, with whose it is', async () => {
  const refusals: [string, number, unknown][] = [];
  const onRefused = (reason: string, status: number, _request: unknown, authorization: unknown) =>
    refusals.push([reason, status, authorization]);
  await withHttp({ ...byHeader, onRefused, maxSessions: 1, maxStreamsPerPrincipal: 0 }, async (wire) => {
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    const session = await wire.session(as('ada'));
    await wire.post(ping, { host: 'evil.example' });
    await wire.post(ping, { origin: 'https://evil.example' });
    await wire.post(ping, { ...session.headers, ...as('bob') });
    await wire.post(ping, { ...session.headers, 'mcp-session-id': 'none' });
    await session.listen().reply;
    const call = session.call('wait');
    const { finish } = await wire.started();
    await wire.initialize(as('bob'));
    finish('done');
    await call;
  });
  expect(refusals).toEqual([
    ['HOST_NOT_ALLOWED', 403, undefined],
    ['ORIGIN_NOT_ALLOWED', 403, undefined],
    ['SESSION_OF_ANOTHER', 404, 'bob'],
    ['SESSION_NOT_FOUND', 404, 'ada'],
    ['TOO_MANY_STREAMS', 429, 'ada'],
    ['TOO_MANY_SESSIONS', 503, 'bob'],
  ]);
});
