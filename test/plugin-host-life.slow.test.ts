import { cpSync, mkdtempSync, readdirSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { beforeAll, expect, it, onTestFinished } from 'vitest';
import { describeWithSdk } from '../packages/dotnet/test/sdk.js';
import { VERSIONS } from './support/clients.js';
import { buildPluginHost, fixture, fixtureFolder, openHost } from './support/plugin-host.js';
import { waitFor } from './support/wait-for.js';

const PROGRESS = 'notifications/progress';
const MESSAGE = 'notifications/message';
const withProgress = { onprogress: () => {} };

describeWithSdk('the host of C# plugins at work', () => {
  beforeAll(buildPluginHost, 600_000);

  it.each(VERSIONS)('reports percentages and units before the result (%s)', async (version) => {
    const { client, notified } = await openHost(fixture('Running'), { version });
    await client.callTool({ name: 'percent' }, withProgress);
    const [token] = notified(PROGRESS).map(({ progressToken }) => progressToken);
    expect(notified(PROGRESS)).toEqual([
      { progressToken: token, progress: 0, total: 100, message: 'Starting' },
      { progressToken: token, progress: 50, total: 100 },
      { progressToken: token, progress: 100, total: 100, message: 'Done' },
    ]);
    await client.callTool({ name: 'units' }, withProgress);
    const units = notified(PROGRESS).slice(3);
    expect(units.map(({ progress, total }) => [progress, total])).toEqual([
      [1, 4],
      [2.5, undefined],
      [12_345_678_901, 20_000_000_000],
      [12_345_678_902, undefined],
    ]);
    expect(new Set(units.map(({ progressToken }) => progressToken)).size).toBe(1);
  });

  it('gives a reporter to a call whose client wants none, and sends nothing', async () => {
    const { call, notified } = await openHost(fixture('Running'));
    expect(await call('percent')).toBe('NullProgressReporter');
    expect(notified(PROGRESS)).toEqual([]);
  });

  it('sends no progress once a call has ended', async () => {
    const { client, notified, output } = await openHost(fixture('Running'));
    await client.callTool({ name: 'late_progress' }, withProgress);
    await output('reported late');
    await client.ping();
    expect(notified(PROGRESS).map(({ progress }) => progress)).toEqual([1]);
  });

  it.each(VERSIONS)('thins out a flood of progress to the newest, the last before the result (%s)', async (version) => {
    const { client, notified } = await openHost(fixture('Running'), { version });
    await client.callTool({ name: 'flood' }, withProgress);
    const sent = notified(PROGRESS).map(({ progress }) => progress as number);
    expect(sent.slice(0, 20)).toEqual(Array.from({ length: 20 }, (_, index) => index + 1));
    expect(sent.at(-1)).toBe(20_000);
    expect(sent.length).toBeLessThan(1000);
    expect(sent).toEqual([...sent].sort((a, b) => a - b));
  });

  it('sends the newest report of a flood while the call continues', async () => {
    const { client, notified } = await openHost(fixture('Running'));
    const abort = new AbortController();
    const options = { ...withProgress, signal: abort.signal };
    const running = client.callTool({ name: 'flood', arguments: {} }, options).catch(() => {});
    await waitFor(() => notified(PROGRESS).at(-1)?.progress === 20_000);
    abort.abort();
    await running;
  });

  it.each(VERSIONS)('logs so many lines a second, and how many it left out (%s)', async (version) => {
    const { client, notified, stderr } = await openHost(fixture('Running'), { version });
    const _meta = { 'io.modelcontextprotocol/logLevel': 'info' };
    for (const _ of [1, 2]) await client.callTool({ name: 'flood_log', ...(version === '2026-07-28' && { _meta }) });
    const messages = () => notified(MESSAGE).map(({ data }) => String(data));
    const logged = () => messages().filter((text) => text.startsWith('line ')).length;
    // On stderr where no client listens between two calls.
    const leftOut = () =>
      [
        ...`${messages().join('\n')}\n${stderr()}`.matchAll(
          /(\d+) log lines were dropped because the plugin logs too fast"?\}?$/gm,
        ),
      ]
        .map(([, lines]) => Number(lines))
        .reduce((sum, lines) => sum + lines, 0);
    await expect.poll(() => logged() + leftOut()).toBe(40_000);
    expect(messages().slice(0, 2)).toEqual(['line 1', 'line 2']);
    expect(messages().length).toBeLessThan(3000);
    await client.callTool({ name: 'logs', ...(version === '2026-07-28' && { _meta }) });
    expect(messages()).toContain('an informative message');
  });

  it('lets reporters of a plugin have one of the two methods, or none', async () => {
    const { call } = await openHost(fixture('Running'));
    expect(await call('own_reporters')).toBe('10%ten 25% 30% 10/100 1/4');
  });

  it.each(VERSIONS)('cancels the call that the client cancels, and no other (%s)', async (version) => {
    const { client, call, output, stderr } = await openHost(fixture('Running'), { version });
    const abort = new AbortController();
    const waiting = client.callTool({ name: 'wait' }, { signal: abort.signal });
    const blocked = call('block', { seconds: 1 });
    await output('waiting');
    await output('blocking');
    abort.abort();
    await expect(waiting).rejects.toThrow();
    await output('cancelled');
    expect(await blocked).toBe('blocked');
    // It was cancelled, it did not fail.
    expect(stderr()).not.toContain('CanceledException');
  });

  it('runs calls at the same time, also when they block their threads', async () => {
    const { call } = await openHost(fixture('Running'));
    await call('quick');
    const startedAt = performance.now();
    const blocked = Array.from({ length: 16 }, () => call('block', { seconds: 1 }));
    expect(await call('quick')).toBe('quick');
    expect(performance.now() - startedAt).toBeLessThan(900);
    await Promise.all(blocked);
    // One after the other they would take 16 s.
    expect(performance.now() - startedAt).toBeLessThan(4000);
  });

  it('answers other calls while a tool never ends', async () => {
    const { client, call, output } = await openHost(fixture('Running'));
    client.callTool({ name: 'spin' }).catch(() => {});
    await output('spinning');
    expect(await call('quick')).toBe('quick');
  });

  it('logs to a client with a session, from info or the level that it set', async () => {
    const { client, call, notified, stderr } = await openHost(fixture('Running'), { config: { api_key: 'four' } });
    expect(await call('logs')).toBe('False');
    const logger = 'Running.Logs';
    const [first, second, ...rest] = notified(MESSAGE);
    expect([first, rest]).toEqual([{ level: 'info', logger, data: 'an informative message' }, []]);
    expect(second).toMatchObject({ level: 'error', logger });
    expect(second!.data).toMatch(/^an error\r?\nSystem\.InvalidOperationException: It broke/);
    // Before there was a session.
    expect(stderr()).toContain('mortise/log {"level":"info","logger":"Running.Logs","data":"made with a key of 4"}');

    await client.setLoggingLevel('debug');
    expect(await call('logs')).toBe('True');
    await client.setLoggingLevel('error');
    expect(await call('logs')).toBe('False');
    expect(notified(MESSAGE).map(({ level }) => level)).toEqual(['info', 'error', 'debug', 'info', 'error', 'error']);
  });

  it('logs to a client without a session when its request asks for it, and else to stderr', async () => {
    const { client, call, notified, stderr } = await openHost(fixture('Running'), { version: '2026-07-28' });
    expect(await call('logs')).toBe('False');
    expect(notified(MESSAGE)).toEqual([]);
    expect(stderr()).toContain('"logger":"Running.Logs","data":"an informative message"');
    await client.callTool({ name: 'logs', _meta: { 'io.modelcontextprotocol/logLevel': 'debug' } });
    expect(notified(MESSAGE).map(({ level }) => level)).toEqual(['debug', 'info', 'error']);
  });

  it('has U+FFFD for half a surrogate pair in progress, a log line and a result', async () => {
    const { client, notified } = await openHost(fixture('Running'));
    const { content } = await client.callTool({ name: 'halves' }, withProgress);
    expect(content).toEqual([{ type: 'text', text: '\ufffd' }]);
    expect(notified(PROGRESS)).toHaveLength(21);
    expect(notified(PROGRESS).at(-1)).toMatchObject({ progress: 29, message: '\ufffd' });
    expect(notified(MESSAGE)).toMatchObject([{ data: '\ufffd' }]);
  });

  it.each(VERSIONS)('keeps what a plugin prints away from the protocol (%s)', async (version) => {
    const { call, stderr } = await openHost(fixture('Output'), { version });
    expect(await call('output')).toBe("read ''");
    const ways = ['by a constructor', 'by Console', 'by a stream', 'by a child'];
    if (process.platform !== 'win32') ways.push('by write');
    for (const way of ways) expect(stderr()).toContain(`printed ${way}`);
  });

  it.skipIf(process.platform !== 'linux')('lets no child of a plugin inherit the protocol', async () => {
    const { call } = await openHost(fixture('Output'));
    const inherited = new Set(['/dev/null', ...readdirSync('/proc/self/fd').map(linkOf)]);
    const own = (await call('descriptors')).split('\n').filter((item) => !inherited.has(item));
    // Its stdout and stderr, which the tool reads; stdin is /dev/null, and the protocol's are sockets.
    expect(own).toEqual([expect.stringMatching(/^pipe:/), expect.stringMatching(/^pipe:/)]);
  });

  it('continues with a plugin that is overwritten meanwhile', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'mortise-plugin-'));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    cpSync(fixtureFolder('Toolbox'), folder, { recursive: true });
    const { call } = await openHost(join(folder, 'Toolbox.dll'));
    expect(await call('sum', { numbers: [1, 2] })).toBe('3');
    for (const name of ['Toolbox.dll', 'Toolbox.pdb', 'Newtonsoft.Json.dll']) writeFileSync(join(folder, name), '');
    expect(await call('setting', { key: 'none' })).toBe('null');
    expect(await call('parsing')).toBe('parsed');
  });
});

/** Ways to end a host, and what it is doing then. */
const EXIT_WAYS = ['the end of its input', 'SIGTERM'] as const;
const BUSY = {
  nothing: { tool: 'quick', output: '' },
  'a call that can be cancelled': { tool: 'wait', output: 'waiting' },
  'a call that blocks its thread': { tool: 'block', output: 'blocking' },
  'a call that blocks whoever cancels it': { tool: 'cancel_blocks', output: 'registered' },
  'a call in an endless loop': { tool: 'spin', output: 'spinning' },
  'a thread that a call left behind': { tool: 'leaves_thread', output: '' },
};

describeWithSdk('a host of C# plugins that ends', () => {
  beforeAll(buildPluginHost, 600_000);

  it.each(EXIT_WAYS.flatMap((exitWay) => Object.keys(BUSY).map((busy) => [exitWay, busy] as const)))(
    'by %s during %s disposes the tools and exits with 0',
    async (exitWay, busy) => {
      const { tool, output: expectedOutput } = BUSY[busy as keyof typeof BUSY];
      const host = await openHost(fixture('Running'));
      const running = host.client.callTool({ name: tool, arguments: { seconds: 1000 } }).catch(() => {});
      await (expectedOutput === '' ? running : host.output(expectedOutput));
      const exited = host.exited();
      if (exitWay === 'SIGTERM') process.kill(host.pid, 'SIGTERM');
      else host.endInput();
      expect(await within(3000, exited)).toBe(0);
      expect(host.stderr()).toMatch(/^disposed$/m);
      expect(host.stderr()).toMatch(/^disposed asynchronously$/m);
      expect(host.stderr()).toContain('Running.DisposeThrows threw while it was disposed');
      // The symbols of the plugin were loaded too.
      expect(host.stderr()).toMatch(/Exits\.cs:line \d+/);
    },
  );

  it('does not wait for a tool that hangs in Dispose', async () => {
    const host = await openHost(fixture('Running'), { config: { dispose_hangs: 'True' } });
    await host.call('quick');
    const exited = host.exited();
    host.endInput();
    expect(await within(5000, exited)).toBe(0);
    expect(host.stderr()).toMatch(/^disposed$/m);
  });

  it.each([
    ['fail_fast', 'failed fast'],
    ['thread_throws', 'thrown in a thread'],
  ])('by %s says why on stderr', async (tool, message) => {
    const host = await openHost(fixture('Running'));
    const exited = host.exited();
    const running = host.client.callTool({ name: tool });
    await expect(running).rejects.toThrow();
    expect(await exited).not.toBe(0);
    await host.output(message);
  });
});

function within<T>(limitMs: number, promise: Promise<T>): Promise<T | 'too late'> {
  return Promise.race([promise, delay(limitMs, 'too late' as const)]);
}

function linkOf(descriptor: string): string {
  try {
    return readlinkSync(`/proc/self/fd/${descriptor}`);
  } catch {
    return '';
  }
}
