import { createRedactor } from '@mortise/redact';
import { expect, it, onTestFinished } from 'vitest';
import { ServerProcess } from '../../../src/run/mounted/stdio-transport.js';
import { DEFAULT_LIMITS } from '../../../src/settings/plugin-limits.js';
import { openReaper } from '../../open-reaper.js';

it('hands over each message of a chunk, also when another one could not be handled', async () => {
  const messages = [1, 2, 3].map((id) => JSON.stringify({ jsonrpc: '2.0', id, result: {} }));
  const script = `process.stdout.write(${JSON.stringify(`${messages.join('\n')}\n`)}); process.stdin.resume();`;
  const server = new ServerProcess({
    command: process.execPath,
    args: ['-e', script],
    environment: {},
    reaper: openReaper(),
    redactor: createRedactor({ secrets: [] }),
    limits: DEFAULT_LIMITS,
    onOutput() {},
  });
  onTestFinished(() => server.close());
  const received: unknown[] = [];
  const errors: string[] = [];
  server.onerror = ({ message }) => errors.push(message);
  server.onmessage = (message) => {
    const { id } = message as { id: number };
    if (id === 2) throw new Error('not this one');
    received.push(id);
  };
  await expect.poll(() => received).toEqual([1, 3]);
  expect(errors).toEqual(['not this one']);
});
