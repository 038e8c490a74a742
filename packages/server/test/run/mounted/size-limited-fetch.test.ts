import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { boundedFetch } from '../../../src/run/mounted/size-limited-fetch.js';

const LIMITS = { MessageBytes: 100_000, MessageValues: 1000 };
const MANY_VALUES = JSON.stringify(Array(1001).fill(0));
const LONG = JSON.stringify('x'.repeat(100_000));

async function fetched(body: string, type = 'application/json'): Promise<Response> {
  const server = createServer((_, res) => res.setHeader('content-type', type).end(body)).listen(0);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return boundedFetch(LIMITS)(`http://localhost:${(server.address() as AddressInfo).port}`);
}

describe('an answer of a mounted server', () => {
  it('is read up to the limits', async () => {
    const values = Array(1000).fill(0);
    expect(await (await fetched(JSON.stringify(values))).json()).toEqual(values);
  });

  it.each(['{"a":1', '[1]]'])('is refused if it is not JSON: %s', async (body) => {
    await expect((await fetched(body)).json()).rejects.toThrow(SyntaxError);
  });

  it('is refused for too many bytes or values, with the name of the limit', async () => {
    await expect((await fetched(LONG)).json()).rejects.toThrow(
      'It sent a message of more than 100000 bytes (Plugins.Limits.MessageBytes)',
    );
    await expect((await fetched(MANY_VALUES)).json()).rejects.toThrow(
      'It sent a message of more than 1000 values (Plugins.Limits.MessageValues)',
    );
  });

  it('is refused in the same way as an event of a stream, before who reads it gets it', async () => {
    const event = (data: string) => `event: message\ndata: ${data}\n\n`;
    const small = event('[1]');
    expect(await (await fetched(small.repeat(10_000), 'text/event-stream')).text()).toBe(small.repeat(10_000));
    await expect((await fetched(small + event(LONG), 'text/event-stream')).text()).rejects.toThrow('MessageBytes');
    await expect((await fetched(small + event(MANY_VALUES), 'text/event-stream')).text()).rejects.toThrow(
      'MessageValues',
    );
  });

  it('is passed on to its end if its last event is not complete', async () => {
    expect(await (await fetched('data: 1\n\ndata: 2', 'text/event-stream')).text()).toBe('data: 1\n\ndata: 2');
  });
});
