import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createHttpEndpoint } from '@mortise/mcp/http';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { HttpWire, withHttp } from './http-wire.js';

const textOf = (body: { result: { content: { text: string }[] } }) => body.result.content[0]!.text;

describe('close()', () => {
  test('answers what runs, refuses what comes, and ends every stream', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const stream = session.listen();
      await waitFor(() => stream.events.length === 1);
      const calls = [session.call('wait', { key: 'a' }), wire.call('wait', { key: 'b' })];
      const running = [await wire.started('a'), await wire.started('b')];
      const closing = wire.served.close(20_000);
      for (const { finish } of running) finish('done');
      expect((await Promise.all(calls)).map(({ body }) => textOf(body))).toEqual(['done', 'done']);
      await closing;
      expect((await stream.reply).status).toBe(200);
      await expect(session.request('ping')).rejects.toThrow('ECONNREFUSED');
    }));

  test.each([
    ['JSON', 10_000],
    ['a stream', 1],
  ])('cancels what does not end, and its clients get the response (%s)', (_, streamAfterMs) =>
    withHttp({ streamAfterMs }, async (wire) => {
      const session = await wire.session();
      const calls = [session.call('wait', { key: 'a' }), wire.call('wait', { key: 'b' }), wire.call('progress-wait')];
      for (const key of ['a', 'b', 'progress-wait']) await wire.started(key);
      await wire.served.close(0);
      expect((await Promise.all(calls)).map(({ body }) => textOf(body))).toEqual([
        'cancelled',
        'cancelled',
        'cancelled',
      ]);
      expect(wire.errors).toEqual([]);
    }),
  );

  test('does not wait for a call that ignores its cancel', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const calls = [wire.call('ignore', { key: 'a' }), session.call('ignore', { key: 'b' })];
      const ends = calls.map((call) => call.then(({ messages }) => messages.length).catch(() => 'gone'));
      for (const key of ['a', 'b']) await wire.started(key);
      await wire.served.close(0);
      expect(await Promise.all(ends)).toEqual(['gone', 0]);
      expect(wire.errors).toEqual([]);
    }));

  test('can be called twice', () =>
    withHttp({}, async (wire) => {
      await Promise.all([wire.served.close(0), wire.served.close(0)]);
    }));
});

test('an endpoint drains, then closes, while the server that it is part of continues', async () => {
  const wire = new HttpWire();
  const endpoint = createHttpEndpoint(wire.mcp);
  const http = createServer((req, res) => endpoint.handle(req, res));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(http.address() as AddressInfo).port}/mcp`;
  wire.served = {
    url,
    drain: (timeoutMs) => endpoint.drain(timeoutMs),
    close: () => endpoint.close(0),
    revoke: (isRevoked) => endpoint.revoke(isRevoked),
    expire: (isExpired) => endpoint.expire(isExpired),
  };
  const session = await wire.session();
  const stream = session.listen();
  await waitFor(() => stream.events.length === 1);
  const listened: unknown[] = [];
  const filter = { notifications: { toolsListChanged: true } };
  const listen = wire.stateless(
    'subscriptions/listen',
    filter,
    {},
    { onEvent: ({ message }) => listened.push(message) },
  );
  await waitFor(() => listened.length === 1);
  const call = session.call('wait');
  const { finish } = await wire.started();
  const ignored = wire.call('ignore').catch(() => 'gone');
  await wire.started('ignore');
  const draining = endpoint.drain(200);
  const refusals = [await wire.call('echo'), await session.call('echo'), await wire.initialize()];
  expect(refusals.map(({ status, body }) => [status, body.error.code])).toEqual(Array(3).fill([503, -32000]));
  for (const { headers } of refusals) expect(headers).toMatchObject({ 'retry-after': '5', connection: 'close' });
  // The streams end while a call still runs, and say when to come again.
  expect((await stream.reply).text).toMatch(/retry: 500\n\n$/);
  expect((await session.listen().reply).status).toBe(503);
  expect((await listen).text).toMatch(/retry: 500\n\nevent: message\ndata: .*"resultType":"complete".*\n\n$/);
  finish('done');
  expect(textOf((await call).body)).toBe('done');
  await draining;
  await endpoint.close(0);
  expect(await ignored).toBe('gone');
  expect((await session.post({ jsonrpc: '2.0', method: 'notifications/x' })).status).toBe(404);
  await new Promise((resolve) => http.close(resolve));
  expect(wire.errors).toEqual([]);
});
