import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { waitFor } from '../../../../test/support/wait-for.js';
import { INITIALIZE } from './stdio-wire.js';

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
