import { describe, expect, it, onTestFinished } from 'vitest';
import { makeCallWorkplace, testPipeline } from './call-pipeline.js';
import { connect, createClient, stdioTransport, WAYS } from './support/clients.js';
import { textOf } from './support/observe.js';
import type { Workplace } from './support/workplace.js';

const [first, ...others] = WAYS;

describe(`a call over ${first!.way}`, () => testPipeline(first!));

it.each(others)('a call over $way has its result and its error', async (way) => {
  const client = await connect(makeCallWorkplace(onTestFinished), way);
  expect(await client.callTool({ name: 'echo', arguments: { a: 1 } })).toMatchObject({
    structuredContent: { metadata: { a: 1 } },
  });
  const wrong = await client.callTool({ name: 'act', arguments: { action: 'stop' } });
  expect(wrong).toMatchObject({ isError: true, structuredContent: { errors: [{ code: 'INVALID_PARAMS' }] } });
  expect(textOf(await client.callTool({ name: 'code', arguments: {} }))).toContain('[REDACTED]');
});

describe('a call that its client cancels', () => {
  /** What the log says of the call, and what can be read of it. */
  async function cancelled(args: object) {
    const { client, log } = await connectLogged(makeCallWorkplace(onTestFinished));
    const cancel = new AbortController();
    const call = client
      .callTool({ name: 'endless', arguments: { ...args } }, { signal: cancel.signal })
      .catch((error: Error) => error.message);
    await expect.poll(() => lineOf(log(), 'endless runs')).toBeDefined();
    cancel.abort('enough');
    expect(await call).toContain('enough');
    await expect.poll(() => lineOf(log(), 'call cancelled')).toBeDefined();
    const line = lineOf(log(), 'call cancelled')!;
    const { contents } = await client.readResource({ uri: line.outcome as string });
    return { line, outcome: (contents[0] as { text: string }).text };
  }

  const expected = {
    success: false,
    errors: [
      { code: 'OPERATION_CANCELLED', rawOutput: 'half of it, [REDACTED]', data: { command: 'do it', exitCode: -1 } },
    ],
    exitCode: -1,
    lockInfo: { lockScope: 'project', lockKey: '/p' },
  };

  it('has what it did in the log, and whole at the address that the log names', async () => {
    const { line, outcome } = await cancelled({});
    expect(line).toMatchObject({
      ...{ tool: 'endless', code: 'OPERATION_CANCELLED', command: 'do it', rawOutput: 'half of it, [REDACTED]' },
      lockInfo: expected.lockInfo,
    });
    const [text, data] = outcome.split('\n\n');
    expect(text).toMatch(/^Error: .*\nCode: OPERATION_CANCELLED\n[\s\S]*half of it, \[REDACTED\]\nExit Code: -1$/);
    expect(JSON.parse(data!)).toMatchObject({ ...expected, done: 3 });
  });

  it('is one ErrorResponse there with machineReadable', async () => {
    const { outcome } = await cancelled({ machineReadable: true });
    const { lockInfo: _, ...published } = expected;
    expect(JSON.parse(outcome)).toMatchObject(published);
    expect(JSON.parse(outcome)).not.toHaveProperty('lockInfo');
  });
});

/** A client over stdio, and the log of its server. */
async function connectLogged(workplace: Workplace) {
  const transport = stdioTransport(workplace);
  let log = '';
  transport.stderr?.on('data', (chunk) => {
    log += String(chunk);
  });
  const client = createClient('2025-11-25');
  onTestFinished(() => client.close());
  await client.connect(transport);
  return { client, log: () => log };
}

function lineOf(log: string, msg: string): Record<string, unknown> | undefined {
  const lines = log.split('\n').filter((line) => line.startsWith('{'));
  return lines.map((line) => JSON.parse(line) as Record<string, unknown>).find((line) => line.msg === msg);
}
