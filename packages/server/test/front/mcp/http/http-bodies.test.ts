import { once } from 'node:events';
import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../../../test/support/wait-for.js';
import { type HttpWire, withHttp } from '../http-wire.js';
import type { Wire } from '../wire.js';

const textOf = (reply: { body: Wire }) => reply.body.result.content[0].text;
const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };

describe('what is not a request', () => {
  test.each([
    ['{"jsonrpc":', -32700],
    ['', -32700],
    ['[]', -32600],
    ['[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","result":{}}', -32600],
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
