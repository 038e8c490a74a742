import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import type { RestartBackoff } from '../../../src/processes/restart-backoff.js';
import type { ProcessRunnerOptions } from '../../../src/runners/process/process-runner.js';
import { built } from '../../built.js';
import { createChannel, createPluginHost, createTestPool, EMPTY, loadRequests, pluginOf, quiet } from './plugins.js';

const { ProcessRunner } = built<typeof import('../../../src/runners/process/process-runner.js')>(
  'runners/process/process-runner',
);

const { createReaper } = built<typeof import('../../../src/processes/reaper.js')>('processes/reaper');
const ENVIRONMENT = process.env as Record<string, string>;
const pool = createTestPool();
afterAll(() => pool.close());

const NO_DELAY: RestartBackoff = { crashed: quiet, nextMs: () => 0 };

function createRunner(source: string, more: Partial<ProcessRunnerOptions> = {}) {
  const host = createPluginHost();
  const request = loadRequests({ p: source }).p!;
  const runner = new ProcessRunner({
    request,
    host,
    pool,
    backoff: NO_DELAY,
    definition: EMPTY,
    loadTimeoutMs: 10_000,
    idleMs: 60_000,
    onOutput: quiet,
    ...more,
  });
  const call = async (name: string, channel = createChannel()) => {
    const outcome = await runner.callTool(name, {}, channel);
    if (outcome.kind === 'success') return (outcome.content[0] as { text: string }).text;
    return outcome.kind === 'error' ? outcome.errors[0]!.code : outcome.kind;
  };
  return { runner, host, call };
}

const PID = '() => String(process.pid)';

describe('a plugin process', () => {
  it('is known to the reaper before it hears of its plugin, and no longer than it lives', async () => {
    const reaper = createReaper();
    const pool = createTestPool(reaper);
    const process = pool.take(ENVIRONMENT);
    await process.request({ do: 'ping' });
    expect(reaper.size).toBe(0);
    const loaded = process.request({ do: 'load', request: loadRequests({ p: pluginOf({ pid: PID }) }).p! });
    expect(reaper.size).toBe(1);
    await loaded;
    await pool.close();
    expect(reaper.size).toBe(0);
    reaper.close();
  });
});

describe('a runner of a plugin process', () => {
  it('starts one process for calls that come at once', async () => {
    const { call, runner } = createRunner(pluginOf({ pid: PID }));
    const pids = new Set(await Promise.all([call('pid'), call('pid'), call('pid')]));
    expect(pids.size).toBe(1);
    await runner.dispose();
  });

  it('tells what the plugin really offers, when that is something else than it knew', async () => {
    const { call, runner, host } = createRunner(pluginOf({ pid: PID }));
    await call('pid');
    expect(host.definitions.map(({ tools }) => tools.map(({ name }) => name))).toEqual([['pid']]);
    await runner.dispose();
    await call('pid');
    expect(host.definitions).toHaveLength(1);
  });

  it.each([10, 900])('knows the list of %i tools that a call changed before its result', async (count) => {
    const tool = (name: string) =>
      `api.registerTool({ name: ${name}, description: 'description '.repeat(9), inputSchema: {}, run: () => 'x' })`;
    const more = `for (let i = 0; i < ${count}; i++) ${tool("'t_' + i")};`;
    const { runner, host, call } = createRunner(
      pluginOf(
        { change: `() => { ${tool("'new_' + (globalThis.changes = (globalThis.changes ?? 0) + 1)")}; return 'x'; }` },
        more,
      ),
    );
    await call('change');
    for (let changes = 0; changes < 3; changes++) {
      await Promise.all([call('change'), call('change')]);
      const names = host.definitions.at(-1)!.tools.map(({ name }) => name);
      expect(names).toContain(`new_${3 + 2 * changes}`);
    }
    await runner.dispose();
  });

  it('does not begin a call that ended while the process was started', async () => {
    const { call, runner } = createRunner(
      pluginOf({ count: '() => String(++globalThis.calls)' }, 'globalThis.calls = 0;'),
    );
    const channel = createChannel();
    const ended = call('count', channel);
    channel.end();
    expect(await ended).toBe('OPERATION_CANCELLED');
    expect(await call('count')).toBe('1');
    await runner.dispose();
  });

  it('says why the plugin does not load, and does not try again before the pause is over', async () => {
    let crashes = 0;
    const backoff = { ...NO_DELAY, crashed: () => void crashes++, nextMs: () => (crashes === 1 ? 60_000 : 0) };
    const { runner, call } = createRunner(`console.log('words'); throw new Error('boom');`, { backoff });
    const [error] = ((await runner.callTool('t', {}, createChannel())) as { errors: object[] }).errors;
    expect(error).toMatchObject({
      code: 'PLUGIN_UNAVAILABLE',
      message: expect.stringContaining('boom'),
      data: { additionalData: { plugin: 'p', code: 'PLUGIN_THREW', file: expect.stringContaining('p.cjs') } },
    });
    expect(await call('t')).toBe('PLUGIN_UNAVAILABLE');
    expect(crashes).toBe(1);
  });

  it('makes way for the server, and tells its crashes apart by whether it had answered a call', async () => {
    const crashes: boolean[] = [];
    const { runner, call } = createRunner(
      pluginOf({ nice: `() => String(require('node:os').getPriority())`, crash: '() => process.abort()' }),
      { backoff: { nextMs: () => 0, crashed: (hasAnswered) => crashes.push(hasAnswered) } },
    );
    expect(await call('nice')).toBe(`${constants.priority.PRIORITY_BELOW_NORMAL}`);
    expect(await call('crash')).toBe('PLUGIN_CRASHED');
    expect(await call('crash')).toBe('PLUGIN_CRASHED');
    expect(crashes).toEqual([true, false]);
    await runner.dispose();
  });

  it('waits out the pause after crashes, for as long as someone waits with it', async () => {
    let takeCount = 0;
    const counted = {
      ...pool,
      take: () => {
        takeCount += 1;
        return pool.take(ENVIRONMENT);
      },
    };
    const { call } = createRunner(pluginOf({ pid: PID }), {
      backoff: { ...NO_DELAY, nextMs: () => 60_000 },
      pool: counted,
    });
    const ports = [createChannel(), createChannel()];
    const [first, second] = ports.map((channel) => call('pid', channel));
    ports[0]!.end();
    expect(await first).toBe('OPERATION_CANCELLED');
    // It does not end with the other call.
    const stillWaits = delay(100, 'still waits');
    expect(await Promise.race([second, stillWaits])).toBe('still waits');
    expect(takeCount).toBe(0);
    ports[1]!.end();
    expect(await second).toBe('OPERATION_CANCELLED');
  });

  it.each([
    ['exits while it is loaded', 'process.exit(4);', 10_000, /it exited with code 4/],
    [
      'does not load in time',
      'for (;;) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);',
      300,
      /did not load within 300 ms/,
    ],
  ])('is unavailable when the plugin %s', async (_, source, loadTimeoutMs, words) => {
    const { runner } = createRunner(source, { loadTimeoutMs });
    const [error] = ((await runner.callTool('t', {}, createChannel())) as { errors: object[] }).errors;
    expect(error).toMatchObject({ code: 'PLUGIN_UNAVAILABLE', message: expect.stringMatching(words) });
  });

  it('lets running calls end before it disposes of the plugin', async () => {
    const { call, runner } = createRunner(
      pluginOf({ wait: `() => new Promise((resolve) => setTimeout(resolve, 300, 'done'))`, pid: PID }),
    );
    await call('pid');
    const running = call('wait');
    await runner.dispose();
    expect(await running).toBe('done');
  });

  it('rests although a call that had to end never does', async () => {
    const { call, runner } = createRunner(pluginOf({ never: '() => new Promise(() => {})', pid: PID }), { idleMs: 50 });
    const pid = await call('pid');
    const channel = createChannel();
    const never = call('never', channel);
    channel.end();
    expect(await never).toBe('OPERATION_CANCELLED');
    await expect.poll(() => call('pid'), { timeout: 5000, interval: 200 }).not.toBe(pid);
    await runner.dispose();
  });

  it('gives up a completion that does not end after it was cancelled', async () => {
    const complete = `{ complete: () => new Promise(() => {}) }`;
    const prompt = `api.registerPrompt({ name: 'q', arguments: [{ name: 'a', ...${complete} }], get: () => 'x' });`;
    const { runner, call } = createRunner(pluginOf({ pid: PID }, prompt), { idleMs: 50 });
    await call('pid');
    const channel = createChannel();
    const completing = runner.complete(
      { ref: { type: 'prompt', name: 'q' }, argument: 'a', value: '', knownArguments: {} },
      channel,
    );
    channel.end();
    expect(await completing).toEqual({ values: [] });
    await runner.dispose();
  });

  it('leaves nothing behind in the server after many crashes and restarts', async () => {
    const runners = Array.from({ length: 2 }, () =>
      createRunner(pluginOf({ crash: `() => { console.log('x'.repeat(1000)); process.exit(1); }` })),
    );
    const crash = async (times: number) => {
      await Promise.all(
        runners.map(async ({ call }) => {
          for (let i = 0; i < times; i++) expect(await call('crash')).toBe('PLUGIN_CRASHED');
        }),
      );
      await expect.poll(handles, { timeout: 2000 }).toBeLessThan(40);
      return { handles: handles(), files: openFiles(), heapMb: usedHeapMb() };
    };
    const before = await crash(2);
    const after = await crash(6);
    expect(after.handles).toBeLessThanOrEqual(before.handles + 4);
    expect(after.files).toBeLessThanOrEqual(before.files + 4);
    expect(after.heapMb - before.heapMb).toBeLessThan(2);
  });
});

const handles = () => process.getActiveResourcesInfo().length;

const openFiles = () => (process.platform === 'linux' ? readdirSync('/proc/self/fd').length : 0);

function usedHeapMb(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed / 1024 / 1024;
}
