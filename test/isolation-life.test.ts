import { existsSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Stream } from 'node:stream';
import type { Client } from '@modelcontextprotocol/client';
import type { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { describe, expect, it } from 'vitest';
import { connect, shared, VERSIONS } from './support/clients.js';
import { progressOf } from './support/observe.js';
import { CAN_SEE_PROCESSES, processesOf } from './support/processes.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace, type Finished, type Workplace } from './support/workplace.js';

const PLUGIN = `const fs = require('node:fs');
const { join } = require('node:path');
let running = 0, most = 0;
module.exports.register = (api) => {
  const note = (name, text) => fs.appendFileSync(join(api.getPluginsDir(), '..', name), text + '\\n');
  const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));
  api.onDispose(() => note('disposed', String(process.pid)));
  const tool = (name, run, more = {}) =>
    api.registerTool({ name, description: name, inputSchema: { type: 'object' }, run, ...more });
  tool('pid', () => String(process.pid));
  tool('grow-later', () => {
    const held = [];
    setInterval(() => held.push(Buffer.alloc(8 << 20, 1)), 20);
    return 'growing';
  });
  tool('wait', async ({ ms }) => { await wait(ms); return String(process.pid); });
  tool('crash', () => { console.error('last words'); process.exit(7); });
  tool('deaf', () => new Promise(() => {}), { timeoutMs: 300 });
  tool('loop', () => { note('looping', 'yes'); for (;;); }, { timeoutMs: 300 });
  tool('hold', async () => {
    most = Math.max(most, ++running);
    await wait(400);
    running -= 1;
    return String(most);
  });
  tool('shout', async (_, { progress, logger }) => {
    const words = 'x'.repeat(34e6);
    Promise.reject(new Error(words));
    logger.info(words);
    progress.report(10, words);
    await wait(100);
    return String(process.pid);
  });
  tool('late', async ({ ms, bytes }) => { await wait(ms); return 'x'.repeat(bytes); }, { timeoutMs: 300 });
  tool('listen', async (_, { signal }) => {
    note('listening', 'yes');
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
    note('heard', signal.reason.name);
  });
  tool('report', async (_, { progress }) => {
    for (const percent of [NaN, -5, 10, 'x', 50, Infinity]) progress.report(percent, 'at ' + percent);
    // The official client ignores reports that come in one piece with the response.
    await wait(100);
    return {
      content: [
        { type: 'image', data: Buffer.from([0, 255, 10, 13]), mimeType: 'image/png' },
        { type: 'text', text: '\\ud83d\\ude00 \\u2028 \\ud800' },
      ],
      metadata: { __proto__: null, negative: -0, big: 2 ** 53, nothing: null, ['__proto__']: { own: true } },
    };
  });
  tool('ask', async (_, { input }) => {
    const schema = { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] };
    const { action, content } = await input.elicit('who', { message: 'Who? password=Hunter2Hunter2', schema });
    return action + ' ' + content.name;
  });
};`;

const makePluginWorkplace = (plugins: object = {}, finished?: Finished) =>
  createWorkplace({ 'plugins/life.cjs': PLUGIN }, { Plugins: { Directory: 'plugins', ...plugins } }, finished);
const open = (workplace: Workplace, finished?: Finished) =>
  connect(workplace, { transport: 'stdio', version: '2025-11-25' }, {}, undefined, [], finished);

interface Called {
  text: string;
  code: string | undefined;
}

async function call(client: Client, name: string, args: object = {}, signal?: AbortSignal): Promise<Called> {
  const result = await client.callTool({ name, arguments: { ...args } }, signal && { signal });
  const text = (result.content as { text?: string }[]).map((block) => block.text ?? '').join('\n');
  const { errors } = (result.structuredContent ?? {}) as { errors?: { code: string }[] };
  return { text, code: errors?.[0]?.code };
}

function record(stream: Stream): () => string {
  let text = '';
  stream.on('data', (chunk) => {
    text += chunk;
  });
  return () => text;
}

async function timed<T>(work: Promise<T>): Promise<[T, number]> {
  const startedAt = performance.now();
  return [await work, performance.now() - startedAt];
}

describe('the process of a plugin', () => {
  const opened = shared(async (finished) => {
    const workplace = makePluginWorkplace({ MaxMemoryMb: 1000 }, finished);
    return { workplace, client: await open(workplace, finished) };
  });

  it('takes its running calls along when it crashes, and is started again after growing pauses unless it has answered', async () => {
    const client = await open(makePluginWorkplace());
    const log = record((client.transport as StdioClientTransport).stderr!);
    const { text: first } = await call(client, 'pid');
    const running = [call(client, 'wait', { ms: 10_000 }), call(client, 'wait', { ms: 10_000 })];
    const crashed = await Promise.all([...running, call(client, 'crash')]);
    for (const { code, text } of crashed) {
      expect(code).toBe('PLUGIN_CRASHED');
      expect(text).toMatch(/The plugin 'life' crashed during the call: it exited with code 7[\s\S]*last words/);
    }
    const { text: second } = await call(client, 'pid');
    expect(second).not.toBe(first);

    for (let i = 0; i < 3; i++) await call(client, 'crash');
    expect((await call(client, 'pid')).code).toBeUndefined();
    const delays = () => Array.from(log().matchAll(/process ended: [^"]*?(\d+ ms)?"/g), ([, delay]) => delay);
    await expect.poll(delays).toEqual([undefined, undefined, '100 ms', '200 ms']);
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
    expect(tookMs).toBeLessThan(5000);
    expect(await other).toEqual({ text: pid, code: undefined });
    expect(await call(client, 'pid')).toEqual({ text: pid, code: undefined });
  });

  it('continues when it says more than can be sent', async () => {
    const { client } = opened();
    const log = record((client.transport as StdioClientTransport).stderr!);
    const { text: pid } = await call(client, 'pid');
    expect(await call(client, 'shout')).toEqual({ text: pid, code: undefined });
    expect(await call(client, 'pid')).toEqual({ text: pid, code: undefined });
    await expect.poll(log).toMatch(/a log line was omitted: The message has more than [\d,]+ bytes/);
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
    const other = timed(call(client, 'wait', { ms: 20_000 }));
    const [result, durationMs] = await timed(call(client, 'loop'));
    expect(result.code).toBe('OPERATION_TIMEOUT');
    expect(result.text).toContain("the plugin's thread was blocked");
    expect(result.text).toContain('Its author should look for an endless loop');
    expect(result.text).not.toContain('TimeoutMs');
    expect(durationMs).toBeGreaterThan(2200);
    const [{ code, text }, otherMs] = await other;
    expect(code).toBe('PLUGIN_CRASHED');
    expect(text).toMatch(/it did not respond within 500 ms after a call was ended/);
    expect(otherMs).toBeLessThan(6000);
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

  it('hears that its call is cancelled', async () => {
    const { workplace, client } = opened();
    const cancel = new AbortController();
    const cancelled = call(client, 'listen', {}, cancel.signal);
    await waitFor(() => existsSync(join(workplace.folder, 'listening')));
    cancel.abort();
    await expect(cancelled).rejects.toThrow();
    await waitFor(() => existsSync(join(workplace.folder, 'heard')));
    expect(readFileSync(join(workplace.folder, 'heard'), 'utf8')).toBe('AbortError\n');
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

  it('runs so many calls at once, lets so many wait, and is busy for more', async () => {
    const client = await open(makePluginWorkplace({ MaxConcurrentCalls: 2, MaxQueuedCalls: 2 }));
    await call(client, 'pid');
    const results = await Promise.all(Array.from({ length: 5 }, () => call(client, 'hold')));
    expect(results.map(({ code }) => code)).toEqual([undefined, undefined, undefined, undefined, 'TOOL_BUSY']);
    expect(results.slice(0, 4).map(({ text }) => text)).toEqual(['2', '2', '2', '2']);
    expect(results[4]!.text).toMatch(/Try again in about \d+ ms/);
  });

  it.each(VERSIONS)('is reached by questions, progress and bytes as they are (%s)', async (version) => {
    const capabilities = { elicitation: { form: {} } };
    const questions: string[] = [];
    const client = await connect(makePluginWorkplace(), { transport: 'stdio', version }, { capabilities }, (item) => {
      item.setRequestHandler('elicitation/create', async ({ params }) => {
        questions.push(params.message);
        return { action: 'accept', content: { name: 'Ada' } };
      });
    });
    expect((await call(client, 'ask')).text).toBe('accept Ada');
    expect(questions).toEqual(['Who? password=[REDACTED]']);

    const progress = progressOf(client);
    const result = await client.callTool({ name: 'report', arguments: {} }, { onprogress() {} });
    expect(progress).toMatchObject([
      { progress: 0, total: 100, message: 'at -5' },
      { progress: 10, message: 'at 10' },
      { progress: 50, message: 'at 50' },
      { progress: 100, message: 'at Infinity' },
    ]);
    expect(result.content).toEqual([
      { type: 'image', data: 'AP8KDQ==', mimeType: 'image/png' },
      { type: 'text', text: '\ud83d\ude00 \u2028 \ud800' },
    ]);
    expect(JSON.stringify(result.structuredContent)).toContain(
      '"metadata":{"negative":0,"big":9007199254740992,"nothing":null,"__proto__":{"own":true}}',
    );
  });
});

it('is the server itself with Plugins.Isolation none', async () => {
  const workplace = makePluginWorkplace({ Isolation: 'none' });
  const client = await open(workplace);
  const { pid } = client.transport as unknown as { pid: number };
  expect(await call(client, 'pid')).toEqual({ text: String(pid), code: undefined });
  if (CAN_SEE_PROCESSES) expect(processesOf(workplace).map((process) => process.pid)).toEqual([pid]);
});
