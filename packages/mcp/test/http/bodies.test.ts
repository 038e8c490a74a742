import { once } from 'node:events';
import { connect } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, test } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { type HttpWire, META, withHttp } from './http-wire.js';

const PING = { jsonrpc: '2.0', id: 1, method: 'ping' };
const HEAD = 'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n';

describe('a body that is not one message', () => {
  test.each([
    ['{"jsonrpc":', -32700],
    ['', -32700],
    ['[]', -32600],
    [`[${JSON.stringify(PING)}]`, -32600],
    ['7', -32600],
    ['{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600],
    ['{"jsonrpc":"1.0","id":1,"method":"ping"}', -32600],
    ['{"jsonrpc":"2.0","result":{}}', -32600],
  ])('%s is 400 without an id', (body, code) =>
    withHttp({}, async (wire) => {
      for (const headers of [{}, (await wire.session()).headers]) {
        const reply = await wire.post(body, headers);
        expect([reply.status, reply.body.error.code, 'id' in reply.body]).toEqual([400, code, false]);
      }
    }),
  );

  test.each([
    'text/plain',
    'application/jsonp',
    'application/json5; x',
    'application/json; charset=utf-16',
    'application/json; x=y; Charset="iso-8859-1"',
    '',
  ])('of type %s is 415', (type) =>
    withHttp({}, async (wire) => {
      expect((await wire.post(PING, { 'content-type': type })).status).toBe(415);
    }),
  );

  test.each(['application/json', 'application/json; charset=utf-8', 'Application/JSON ;x'])(
    'of type %s is read',
    (type) =>
      withHttp({}, async (wire) => {
        expect((await wire.stateless('tools/list', {}, { 'content-type': type })).status).toBe(200);
      }),
  );
});

describe('the bytes of a body', () => {
  const request = (bytes: Buffer, headers = '') =>
    Buffer.concat([
      Buffer.from(`${HEAD}${headers}Content-Length: ${bytes.length}\r\nConnection: close\r\n\r\n`),
      bytes,
    ]);
  /** Sends the bytes in these pieces, and resolves with the whole response. */
  const send = async (wire: HttpWire, ...pieces: Buffer[]) => {
    const socket = connect(wire.port, '127.0.0.1').setEncoding('utf8');
    let received = '';
    socket.on('data', (text) => {
      received += text;
    });
    for (const piece of pieces) await new Promise((resolve) => socket.write(piece, resolve));
    await once(socket, 'close');
    return received;
  };
  const json = (...middle: Buffer[]) =>
    Buffer.concat([Buffer.from('{"jsonrpc":"2.0","id":1,"method":"'), ...middle, Buffer.from('"}')]);

  test.each([
    ['that are not UTF-8', json(Buffer.from([0x70, 0xff])), '', 'HTTP/1.1 400', 'The body is not valid UTF-8.'],
    ['that end within a character', Buffer.from([0x22, 0xe2, 0x82]), '', 'HTTP/1.1 400', 'not valid UTF-8'],
    ['after a byte order mark', Buffer.from('\uFEFF[]'), '', 'HTTP/1.1 400', '-32600'],
    ['compressed', json(), 'Content-Encoding: gzip\r\n', 'HTTP/1.1 415', 'Content-Encoding must be identity'],
  ])('%s, in one piece or two', (_, bytes, headers, status, text) =>
    withHttp({}, async (wire) => {
      const whole = request(bytes, headers);
      const cut = whole.length - Math.ceil(bytes.length / 2);
      for (const pieces of [[whole], [whole.subarray(0, cut), whole.subarray(cut)]]) {
        const received = await send(wire, ...pieces);
        expect(received).toContain(status);
        expect(received).toContain(text);
      }
    }),
  );

  test('come to the path with a slash at its end as well', () =>
    withHttp({}, async (wire) => {
      const received = await send(wire, Buffer.from(request(Buffer.from('[]')).toString().replace('/mcp ', '/mcp/ ')));
      expect(received).toContain('-32600');
    }));
});

describe('the size of a body', () => {
  test.each(['content-length', 'transfer-encoding'])('over the limit is 413 that the client can read (%s)', (name) =>
    withHttp({ maxBodyBytes: 1_000, optionNames: { maxBodyBytes: 'Limits.Body' } }, async (wire) => {
      const value = name === 'content-length' ? '3000000' : 'chunked';
      const reply = await wire.post('x'.repeat(3_000_000), { [name]: value });
      expect([reply.status, reply.headers.connection, reply.body.error.message]).toEqual([
        413,
        'close',
        'The body exceeds 1000 bytes (Limits.Body).',
      ]);
      expect((await wire.stateless('tools/list')).status).toBe(200);
      expect(wire.errors).toEqual([]);
    }),
  );

  test('that is said to be too long is refused at once', () =>
    withHttp({ maxBodyBytes: 1_000 }, async (wire) => {
      expect(await wire.raw(`${HEAD}Content-Length: 1001\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /);
    }));

  test('at the limit is read, in however many pieces it comes', () =>
    withHttp({ maxBodyBytes: 500 }, async (wire) => {
      const message = JSON.stringify({ jsonrpc: '2.0', id: 'ä🦀', method: 'tools/list', params: { _meta: META } });
      const body = Buffer.from(message.padEnd(500 - Buffer.byteLength(message) + message.length));
      expect(body.length).toBe(500);
      const socket = connect(wire.port, '127.0.0.1').setNoDelay();
      socket.write(`${HEAD}MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/list\r\nContent-Length: 500\r\n\r\n`);
      const answer = once(socket, 'data');
      for (const byte of body) {
        socket.write(Buffer.of(byte));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(String(await answer)).toMatch(/^HTTP\/1\.1 200 [\s\S]*ä🦀/);
      socket.destroy();
    }));
});

describe('a client that goes away', () => {
  const gone = async (wire: HttpWire, sent: string, until?: () => unknown) => {
    const socket = connect(wire.port, '127.0.0.1');
    socket.on('error', () => {});
    socket.write(sent);
    if (until) await waitFor(() => until() !== undefined);
    socket.resetAndDestroy();
    await once(socket, 'close');
  };
  const request = (headers: string, message: object) => {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, ...message });
    return `${HEAD}Accept: application/json, text/event-stream\r\n${headers}Content-Length: ${body.length}\r\n\r\n${body}`;
  };
  const call = (name: string, _meta?: object) => ({
    method: 'tools/call',
    params: { name, arguments: {}, _meta },
  });
  const stateless = (name: string) =>
    request(`MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: ${name}\r\n`, call(name, META));

  test('does no harm, at whatever point', () =>
    withHttp({ streamAfterMs: 1, keepAliveMs: 1 }, async (wire) => {
      const session = await wire.session();
      const inSession = (name: string) => request(`Mcp-Session-Id: ${session.id}\r\n`, call(name));
      const startedOnce = (key: string) => () => {
        const call = wire.waiting.get(key);
        wire.waiting.delete(key);
        return call;
      };
      for (let round = 0; round < 5; round += 1) {
        await gone(wire, HEAD);
        await gone(wire, `${HEAD}Content-Length: 50\r\n\r\n{"json`);
        await gone(wire, `${HEAD}Transfer-Encoding: chunked\r\n\r\n5\r\n{"jso`);
        await gone(wire, `${HEAD}Transfer-Encoding: chunked\r\n\r\nnonsense\r\n`);
        for (const sent of [stateless('echo'), stateless('later'), inSession('echo'), inSession('progress')]) {
          await gone(wire, sent);
        }
        await gone(wire, stateless('wait'), startedOnce('wait'));
        await gone(wire, stateless('progress-wait'), startedOnce('progress-wait'));
        await gone(
          wire,
          `GET /mcp HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\nMcp-Session-Id: ${session.id}\r\n\r\n`,
        );
      }
      await gone(wire, inSession('wait'), () => wire.waiting.get('wait'));
      const { context, finish } = await wire.started();
      context.progress({ progress: 1 });
      finish('done');
      expect((await session.request('ping')).status).toBe(200);
      expect(wire.errors).toEqual([]);
    }));
});

test('100,000 calls from a client that reads nothing cost at most 64 MB', () =>
  withHttp({}, async (wire) => {
    const body = JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'later', _meta: META },
    });
    const headers = 'MCP-Protocol-Version: 2026-07-28\r\nMcp-Method: tools/call\r\nMcp-Name: later\r\n';
    const one = Buffer.from(`${HEAD}${headers}Content-Length: ${body.length}\r\n\r\n${body}`);
    const batch = Buffer.concat(Array.from({ length: 1_000 }, () => one));
    const socket = connect(wire.port, '127.0.0.1').pause();
    socket.on('error', () => {});
    let isTaken = true;
    const before = usedBytes();
    for (let sent = 0; sent < 100 && isTaken; sent += 1) {
      isTaken = socket.write(batch) || (await Promise.race([once(socket, 'drain').then(() => true), idle(wire)]));
    }
    // The server has stopped reading.
    expect(isTaken).toBe(false);
    expect(usedBytes() - before).toBeLessThan(64 * 1024 * 1024 + batch.length);
    expect((await wire.stateless('tools/list')).status).toBe(200);
    socket.destroy();
  }));

/** What is in use in this process, without what the collector can take. */
function usedBytes(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** Resolves with false when the server has had the time for 1,000 requests of others and the client still could not write. */
async function idle(wire: HttpWire): Promise<boolean> {
  for (let round = 0; round < 1_000; round += 1) await wire.stateless('tools/list');
  return false;
}
