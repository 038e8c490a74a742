import { constants, getPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { openReaper } from '../../open-reaper.js';
import { createChannel, createTestPool, loadRequests, pluginOf } from './plugins.js';
import { ENVIRONMENT, expectCurrentList, NO_DELAY, PID, runnersOf } from './process-runners.js';

const pool = createTestPool();
afterAll(() => pool.close());
const createRunner = runnersOf(pool);

describe('a plugin process', () => {
  it('is known to the reaper before it hears of its plugin, and no longer than it lives', async () => {
    const reaper = openReaper();
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

  it('knows the list of 10 tools that a call changed before its result', () => expectCurrentList(10, createRunner));

  it('says where a plugin ended its own process, and what to do instead', async () => {
    const { runner } = createRunner(pluginOf({ leave: '() => process.exit(3)' }));
    const left = await runner.run({ do: 'call', name: 'leave', args: {} }, createChannel());
    expect(left).toMatchObject({
      errors: [
        {
          code: 'PLUGIN_CRASHED',
          message: "The plugin 'p' crashed during the call: it exited with code 3",
          hint: expect.stringContaining('Return fail(…) in the plugin instead of calling process.exit()'),
          rawOutput: expect.stringMatching(/The plugin called process\.exit\(3\)\n\s+at .*p\.[cm]?js:\d+/),
        },
      ],
    });
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
    const [error] = ((await runner.run({ do: 'call', name: 't', args: {} }, createChannel())) as { errors: object[] })
      .errors;
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
    const nice = `() => niceAtLoad + ' ' + [...new Set(threads().map(niceOf))]`;
    const { runner, call } = createRunner(
      `const { getPriority: niceOf } = require('node:os');
      const threads = () =>
        process.platform === 'linux' ? require('node:fs').readdirSync('/proc/self/task').map(Number) : [0];
      const niceAtLoad = niceOf();
      ${pluginOf({ nice, crash: '() => process.abort()' })}`,
      { backoff: { nextMs: () => 0, crashed: (hasAnswered) => crashes.push(hasAnswered) } },
    );
    expect(await call('nice')).toBe(`${getPriority()} ${constants.priority.PRIORITY_BELOW_NORMAL}`);
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
      /did not load within 1800 ms/,
    ],
  ])('is unavailable when the plugin %s', async (_, source, loadTimeoutMs, words) => {
    const { runner } = createRunner(source, { loadTimeoutMs });
    const [error] = ((await runner.run({ do: 'call', name: 't', args: {} }, createChannel())) as { errors: object[] })
      .errors;
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
});
