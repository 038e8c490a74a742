import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type { Handlers } from '@mortise/mcp';
import { expect, it } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { INITIALIZE, StdioWire } from './stdio-wire.js';

it('a client that reads nothing is sent no further notifications, and still gets its responses', async () => {
  const taken: string[] = [];
  let take = () => {};
  const output = new Writable({
    highWaterMark: 1,
    write(chunk, _encoding, done) {
      taken.push(String(chunk));
      if (String(chunk).includes('"id":"initialize"')) done();
      else take = done;
    },
  });
  const handlers: Handlers = {
    'tools/call': async (_, context) => {
      for (let count = 0; count < 1000; count++) {
        context.log({ level: 'error', logger: 'test', data: 'x'.repeat(100_000) }, 'debug');
        await new Promise(setImmediate);
      }
      return { content: [] };
    },
  };
  const wire = new StdioWire(handlers, {}, { output, flushMs: 10 });
  wire.send({ id: 'initialize', method: 'initialize', params: INITIALIZE });
  await waitFor(() => taken.length === 1);
  wire.send({ id: 'call', method: 'tools/call', params: { name: 'any' } });
  await waitFor(() => output.writableLength > 0);
  await wire.server.idle(60_000);
  expect(output.writableLength).toBeLessThan(5 * 1024 * 1024);
  while (!taken.some((text) => text.includes('"id":"call"'))) {
    take();
    await new Promise(setImmediate);
  }
});

const SERVER = fileURLToPath(new URL('fixtures/report-memory.mjs', import.meta.url));
const CALLS = 100_000;
const MAX_BYTES = 64 * 1024 * 1024;

it('100,000 calls of a client that reads nothing cost at most 64 MiB, and are answered once it reads', async () => {
  const child = spawn(process.execPath, ['--expose-gc', SERVER], { stdio: ['pipe', 'pipe', 'pipe'] });
  const reports: { bytes: number; isPaused: boolean }[] = [];
  createInterface({ input: child.stderr }).on('line', (line) => reports.push(JSON.parse(line)));
  const send = (message: object) => child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
  try {
    send({ id: 'first', method: 'initialize', params: INITIALIZE });
    await waitFor(() => reports.length > 0);
    const [first] = reports;
    for (let id = 0; id < CALLS; id += 1) send({ id, method: 'tools/call', params: { name: 'any' } });
    await waitFor(() => reports.at(-1)!.isPaused);
    let lines = 0;
    createInterface({ input: child.stdout }).on('line', () => {
      lines += 1;
    });
    await waitFor(() => lines === CALLS + 1, { timeoutMs: 90_000 });
    expect(Math.max(...reports.map(({ bytes }) => bytes)) - first!.bytes).toBeLessThan(MAX_BYTES);
  } finally {
    child.kill();
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
});
