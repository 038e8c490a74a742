import type { Handlers } from '@mortise/mcp';
import { describe, expect, it } from 'vitest';
import { withHttp } from './http/http-wire.js';
import { StdioWire, type Wire } from './stdio/stdio-wire.js';

/** About 3 MB of JSON. */
const NUMBERS = Array.from({ length: 400_000 }, (_, index) => 100_000 + index);
const LARGE = { values: NUMBERS };
const PINGS = 3;

const sum = (values: readonly number[]) => String(values.reduce((total, value) => total + value, 0));
const SUM = sum(NUMBERS);

const handlers: Handlers = {
  'tools/call': ({ arguments: args }) => ({
    content: [{ type: 'text', text: sum((args as Wire).values) }],
  }),
};

/** A wire whose call waits for its cancel. */
function waitingWire() {
  const cancelled: (string | number)[] = [];
  const wire = new StdioWire({
    'tools/call': (_params, { id, signal }) =>
      new Promise(() => signal.addEventListener('abort', () => cancelled.push(id))),
  });
  return { wire, cancelled };
}

describe('a large message over stdio', () => {
  it('is read while requests of others are answered', async () => {
    const wire = new StdioWire(handlers);
    await wire.initialize();
    wire.send({ id: 'large', method: 'tools/call', params: { name: 'sum', arguments: LARGE } });
    // Each is sent when the one before is answered: all find the server free.
    for (let ping = 0; ping < PINGS; ping++) await wire.request(ping, 'ping');
    const { result } = await wire.response('large');
    expect(result.content[0].text).toBe(SUM);
    expect(wire.received.map(({ id }) => id)).toEqual(['initialize', 0, 1, 2, 'large']);
  });

  it('is found by a cancellation that comes after it', async () => {
    const { wire, cancelled } = waitingWire();
    await wire.initialize();
    wire.send({ id: 'large', method: 'tools/call', params: { name: 'wait', arguments: LARGE } });
    wire.send({ method: 'notifications/cancelled', params: { requestId: 'large' } });
    await expect.poll(() => cancelled).toEqual(['large']);
  });

  it('is answered if the input ends after it', async () => {
    const wire = new StdioWire(handlers);
    await wire.initialize();
    wire.send({ id: 'large', method: 'tools/call', params: { name: 'sum', arguments: LARGE } });
    wire.end();
    expect((await wire.response('large')).result.content[0].text).toBe(SUM);
  });

  it('is refused if it is not JSON, or nested too deeply', async () => {
    const wire = new StdioWire(handlers);
    await wire.initialize();
    wire.line(`{"values":[${'1,'.repeat(300_000)}]}`);
    wire.line('['.repeat(300_000));
    const refusals = await wire.find(() => wire.received.length === 3).then(() => wire.received.slice(1));
    expect(refusals.map(({ id, error }) => [id, error.code])).toEqual([
      [undefined, -32700],
      [undefined, -32600],
    ]);
  });
});

/** About 12 MB of JSON, of which a server in this process has most when its client has sent it. */
const LARGER = { values: Array.from({ length: 1_500_000 }, (_, index) => 1_000_000 + index) };

describe('a large message over HTTP', () => {
  it('is read while requests of others are answered', () =>
    withHttp({ maxBodyBytes: 32 * 1024 * 1024 }, async (wire) => {
      const [session, other] = [await wire.session(), await wire.session()];
      let isAnswered = false;
      const large = await new Promise<{ answered: Promise<Wire> }>((resolve) => {
        const answered = session.call('echo', LARGER, { onSent: () => resolve({ answered }) });
        answered.then(() => {
          isAnswered = true;
        });
      });
      for (let ping = 0; ping < PINGS; ping++) await other.request('ping');
      expect(isAnswered).toBe(false);
      expect((await large.answered).body.result.content[0].text).toBe('echo');
    }));

  it('is found by a cancellation that comes after it', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const post = (message: object, more = '') => {
        const body = JSON.stringify({ jsonrpc: '2.0', ...message });
        return [
          ...['POST /mcp HTTP/1.1', 'host: localhost', 'content-type: application/json'],
          ...['accept: application/json, text/event-stream', `mcp-session-id: ${session.id}`],
          ...[`content-length: ${body.length}${more}`, '', body],
        ].join('\r\n');
      };
      const params = { name: 'wait', arguments: LARGE };
      // On one connection, so that the server reads the second after the first.
      const answers = await wire.raw(
        post({ id: 'large', method: 'tools/call', params }) +
          post({ method: 'notifications/cancelled', params: { requestId: 'large' } }, '\r\nconnection: close'),
      );
      // The request ends without a response.
      expect(answers.match(/^HTTP\/1.1 .*/gm)).toEqual(['HTTP/1.1 200 OK', 'HTTP/1.1 202 Accepted']);
      expect(answers).not.toContain('"large"');
    }));

  it('is refused if it is not JSON', () =>
    withHttp({}, async (wire) => {
      const session = await wire.session();
      const reply = await session.post(`{"values":[${'1,'.repeat(300_000)}]}`);
      expect([reply.status, reply.body.error.code]).toEqual([400, -32700]);
    }));
});
