import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { call, makePluginWorkplace, open, passOn, record, timed } from './plugin-life.js';
import { shared } from './support/clients.js';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { waitFor } from './support/wait-for.js';

describe('the process of a plugin', () => {
  const opened = shared(async (finished) => {
    const workplace = makePluginWorkplace({ MaxMemoryMb: 1000 }, finished);
    return { workplace, client: await open(workplace, finished) };
  });

  it('is started again after growing pauses when it has answered no call', async () => {
    const client = await open(makePluginWorkplace());
    const log = record((client.transport as StdioClientTransport).stderr!);
    for (let i = 0; i < 4; i++) expect((await call(client, 'crash')).code).toBe('PLUGIN_CRASHED');
    expect((await call(client, 'pid')).code).toBeUndefined();
    const delays = () => Array.from(log().matchAll(/process ended: [^"]*?(\d+ ms)?"/g), ([, delay]) => delay);
    await expect.poll(delays).toEqual([undefined, '100 ms', '200 ms', '400 ms']);
  });

  it('lets the calls of others continue when one that waits for its start is cancelled', async () => {
    const client = await open(makePluginWorkplace());
    for (let i = 0; i < 3; i++) await call(client, 'crash');
    const cancel = new AbortController();
    const cancelled = call(client, 'pid', {}, cancel.signal);
    const other = call(client, 'pid');
    cancel.abort();
    await expect(cancelled).rejects.toThrow();
    expect((await other).code).toBeUndefined();
  });

  it('continues when a call of it is cancelled or too late, and answers a ping', async () => {
    const { client } = opened();
    const { text: pid } = await call(client, 'pid');
    const cancel = new AbortController();
    const cancelled = call(client, 'deaf', {}, cancel.signal).catch((error: Error) => error.name);
    const other = call(client, 'wait', { ms: 3500 });
    const [result, tookMs] = await timed(call(client, 'deaf'));
    cancel.abort();
    await cancelled;
    expect(result.code).toBe('OPERATION_TIMEOUT');
    expect(tookMs).toBeGreaterThan(2200);
    expect(await other).toEqual({ text: pid, code: undefined });
    expect(await call(client, 'pid')).toEqual({ text: pid, code: undefined });
  });

  it('may come to a large result when no one waits for it any more', async () => {
    const { client } = opened();
    const { text: pid } = await call(client, 'pid');
    const other = call(client, 'wait', { ms: 3500 });
    expect((await call(client, 'late', { ms: 2800, bytes: 20 << 20 })).code).toBe('OPERATION_TIMEOUT');
    expect(await other).toEqual({ text: pid, code: undefined });
  });

  it('is ended with its other calls when it does not answer after the grace', async () => {
    const { client } = opened();
    const { text: pid } = await call(client, 'pid');
    const other = call(client, 'wait', { ms: 100_000 });
    const [result, durationMs] = await timed(call(client, 'loop'));
    expect(result.code).toBe('OPERATION_TIMEOUT');
    expect(result.text).toContain("the plugin's thread was blocked");
    expect(result.text).toContain('Ask its author to look for an endless loop');
    expect(result.text).not.toContain('TimeoutMs');
    expect(durationMs).toBeGreaterThan(2200);
    const { code, text } = await other;
    expect(code).toBe('PLUGIN_CRASHED');
    expect(text).toMatch(/it did not answer a ping within 2500 ms after a cancelled call/);
    expect((await call(client, 'pid')).text).not.toBe(pid);
  });

  it('does not take along what is called after a call that never ends was given up', async () => {
    const { workplace, client } = opened();
    const { text: pid } = await call(client, 'pid');
    expect((await call(client, 'loop')).code).toBe('OPERATION_TIMEOUT');
    const next = await call(client, 'pid');
    expect(next).toEqual({ text: expect.stringMatching(/^\d+$/), code: undefined });
    expect(next.text).not.toBe(pid);
    rmSync(join(workplace.folder, 'looping'));
    const cancel = new AbortController();
    const cancelled = call(client, 'loop', {}, cancel.signal).catch((error: Error) => error.name);
    await waitFor(() => existsSync(join(workplace.folder, 'looping')));
    cancel.abort();
    await cancelled;
    const last = await call(client, 'pid');
    expect(last).toEqual({ text: expect.stringMatching(/^\d+$/), code: undefined });
    expect(last.text).not.toBe(next.text);
  });

  it('ends after its idle time, cleaned up, with a lower priority all along', async () => {
    const workplace = makePluginWorkplace({ IdleMs: 1000 });
    const client = await open(workplace);
    const { text: pid } = await call(client, 'pid');
    if (CAN_SEE_PROCESSES) {
      const seen = processesOf(workplace).find((process) => process.pid === Number(pid));
      expect(seen?.nice).toBeGreaterThan(0);
    }
    await call(client, 'wait', { ms: 1500 });
    expect((await call(client, 'pid')).text).toBe(pid);
    const disposed = () => readFileSync(join(workplace.folder, 'disposed'), 'utf8').split('\n');
    await waitFor(() => disposed().includes(pid));
    const pids = () => processesOf(workplace).map((process) => String(process.pid));
    if (CAN_SEE_PROCESSES) await expect.poll(pids).not.toContain(pid);
    const next = await call(client, 'pid');
    expect(next.code).toBeUndefined();
    expect(next.text).not.toBe(pid);
  });

  it('is ended when it uses too much memory while no call is running', async () => {
    const client = await open(makePluginWorkplace({ MaxMemoryMb: 200 }));
    const log = record((client.transport as StdioClientTransport).stderr!);
    const { text: pid } = await call(client, 'pid');
    expect((await call(client, 'grow-later')).text).toBe('growing');
    await expect.poll(log).toMatch(/process ended: it used \d+ MB of memory; Plugins\.MaxMemoryMb allows 200/);
    const next = await call(client, 'pid');
    expect(next.code).toBeUndefined();
    expect(next.text).not.toBe(pid);
  });

  it('is reached by questions, progress and bytes as they are (2026-07-28)', () => passOn('2026-07-28'));
});

it.skipIf(process.platform === 'win32')(
  'with Plugins.Isolation none, is cleaned up after a reload when its running call has ended',
  async () => {
    const workplace = makePluginWorkplace({ Isolation: 'none' });
    const client = await open(workplace);
    const held = call(client, 'hold');
    await waitFor(() => existsSync(join(workplace.folder, 'holding')));
    const newer =
      "module.exports.register = (api) => api.registerTool({ name: 'newer', description: 'n', inputSchema: { type: 'object' }, run: () => 'new' });";
    workplace.write('plugins/life.cjs', newer);
    process.kill((client.transport as StdioClientTransport).pid!, 'SIGHUP');
    await expect.poll(async () => (await call(client, 'newer')).text).toBe('new');
    expect(existsSync(join(workplace.folder, 'disposed'))).toBe(false);
    workplace.write('release', '');
    expect(await held).toEqual({ text: '1', code: undefined });
    await waitFor(() => existsSync(join(workplace.folder, 'disposed')));
  },
);

it('is the server itself with Plugins.Isolation none', async () => {
  const workplace = makePluginWorkplace({ Isolation: 'none' });
  const client = await open(workplace);
  const { pid } = client.transport as unknown as { pid: number };
  expect(await call(client, 'pid')).toEqual({ text: String(pid), code: undefined });
  if (CAN_SEE_PROCESSES) expect(processesOf(workplace).map((process) => process.pid)).toEqual([pid]);
});
