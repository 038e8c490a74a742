import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { boundedFetch } from '../../../src/runners/mcp-client/size-limited-fetch.js';

const LARGE = Array.from({ length: 300_000 }, (_, index) => ({ a: index % 10, b: 'word' }));

async function serve(body: string): Promise<string> {
  const server = createServer((_, res) => res.setHeader('content-type', 'application/json').end(body)).listen(0);
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

it('parses a large body in many turns of the event loop', async () => {
  const response = await boundedFetch(10_000_000)(await serve(JSON.stringify(LARGE)));
  const text = await response.clone().text();
  // To read it takes turns too.
  Object.defineProperty(response, 'text', { value: async () => text });
  let parsed: unknown;
  void response.json().then((value) => {
    parsed = value;
  });
  let turns = 0;
  for (; parsed === undefined; turns++) await new Promise(setImmediate);
  expect(turns).toBeGreaterThan(10);
  expect(parsed).toEqual(LARGE);
});

it.each(['{"a":1', `${JSON.stringify(LARGE)}]`])('rejects a body that is not JSON', async (body) => {
  const response = await boundedFetch(10_000_000)(await serve(body));
  await expect(response.json()).rejects.toThrow(SyntaxError);
});
