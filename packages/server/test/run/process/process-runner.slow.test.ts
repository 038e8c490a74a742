import { afterAll, describe, expect, it } from 'vitest';
import { createChannel, createTestPool, pluginOf } from './plugins.js';
import { expectCurrentList, handles, openFiles, PID, runnersOf, usedHeapMb } from './process-runners.js';

const pool = createTestPool();
afterAll(() => pool.close());
const createRunner = runnersOf(pool);

describe('a runner of a plugin process', () => {
  it('knows the list of 900 tools that a call changed before its result', () => expectCurrentList(900, createRunner));

  it('rests although a call that had to end never does', async () => {
    const { call, runner } = createRunner(pluginOf({ never: '() => new Promise(() => {})', pid: PID }), { idleMs: 50 });
    const pid = await call('pid');
    const channel = createChannel();
    const never = call('never', channel);
    channel.end();
    expect(await never).toBe('OPERATION_CANCELLED');
    await expect.poll(() => call('pid'), { interval: 200 }).not.toBe(pid);
    await runner.dispose();
  });

  it('gives up a completion that does not end after it was cancelled', async () => {
    const complete = `{ complete: () => new Promise(() => {}) }`;
    const prompt = `api.registerPrompt({ name: 'q', arguments: [{ name: 'a', ...${complete} }], get: () => 'x' });`;
    const { runner, call } = createRunner(pluginOf({ pid: PID }, prompt), { idleMs: 50 });
    await call('pid');
    const channel = createChannel();
    const completing = runner.run(
      { do: 'complete', ref: { type: 'prompt', name: 'q' }, argument: 'a', value: '', knownArguments: {} },
      channel,
    );
    channel.end();
    expect(await completing).toMatchObject({ kind: 'error', errors: [{ code: 'OPERATION_CANCELLED' }] });
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
      await expect.poll(handles).toBeLessThan(40);
      return { handles: handles(), files: openFiles(), heapMb: usedHeapMb() };
    };
    const before = await crash(2);
    const after = await crash(6);
    expect(after.handles).toBeLessThanOrEqual(before.handles + 4);
    expect(after.files).toBeLessThanOrEqual(before.files + 4);
    expect(after.heapMb - before.heapMb).toBeLessThan(2);
  });
});
