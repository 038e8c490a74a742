import { describe, expect, test } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { noRedis } from '../../../../test/support/redis.js';
import { textResult } from '../../../mcp/test/tasks/task-wire.js';
import { MemoryStateStore } from '../../src/state/memory-state-store.js';
import type { StateStore } from '../../src/state/state-store.js';
import { startSharedRedis } from './state-stores.js';
import { announced, holding, openReplica, openStore, type ReplicaOptions, SHORT_LEASE_MS } from './task-replicas.js';

/** A store that hears no more of the replica, as if that was killed. */
const killed = (store: StateStore) => holding(store, () => new Promise(() => {}));

/** docs/spec/shared.md#lease */
function testShortLives(openAt: () => string | StateStore): void {
  test('is lost although no replica lives as long as a lease', async () => {
    const at = openAt();
    const first = await openReplica(at, { leaseMs: SHORT_LEASE_MS, through: killed });
    const { taskId } = await first.task();
    const status = async () => {
      const { store, wire } = await openStore(at, { leaseMs: SHORT_LEASE_MS });
      const task = await wire.get(taskId);
      await store.close(0);
      return task.status;
    };
    await expect.poll(status).toBe('failed');
  });
}

describe('a task in memory', () => testShortLives(() => new MemoryStateStore()));

describe.skipIf(noRedis)('a task', () => {
  const redis = shared(startSharedRedis);
  const open = (options?: ReplicaOptions) => openReplica(redis().url, options);

  testShortLives(() => redis().url);

  test('whose lease is over is kept, and goes on when its replica renews the lease', async () => {
    const [first, second, third] = [await open(), await open(), await open()];
    const { taskId, run } = await first.task();
    const key = `test:{task:${taskId}}:task`;
    const lease = () => Number(redis().command('HGET', key, 'lease'));
    // So it is after the store was away for longer than the lease.
    redis().command('HSET', key, 'lease', '1');
    redis().command('PEXPIRE', key, '60000');
    for (const replica of [second, third, second]) expect((await replica.get(taskId)).status).toBe('working');
    expect(lease()).toBeLessThan(0);
    expect(Number(redis().command('PTTL', key))).toBeGreaterThan(600_000);
    run.context.progress({ progress: 1, total: 2 });
    await expect.poll(lease).toBeGreaterThan(0);
    run.end(textResult('done'));
    await second.reaches(taskId, 'completed');
  });

  test('that is lost is announced to those who listen, although nobody asks for it', async () => {
    const first = await open({ leaseMs: SHORT_LEASE_MS, through: killed });
    const second = await open({ leaseMs: SHORT_LEASE_MS });
    const { taskId } = await first.task();
    second.start('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    await expect
      .poll(() => announced(second, 'notifications/tasks').at(-1)?.params)
      .toMatchObject({ taskId, status: 'failed', error: { data: { code: 'TASK_LOST' } } });
  });

  test.each([true, false])(
    'fails when its replica is stopped, and says whether it can be repeated: %s',
    async (isRepeatable) => {
      const { store, wire: first } = await openStore(redis().url, { isRepeatable });
      const second = await open();
      const [heeds, waits, ends] = [await first.task('heeds'), await first.task(), await first.task()];
      first.server.tasks!.stop();
      ends.run.end(textResult('done'));
      const lost = {
        status: 'failed',
        error: { code: -32603, data: { code: 'TASK_LOST', safeToRepeat: isRepeatable } },
      };
      expect(await second.reaches(heeds.taskId, 'failed')).toMatchObject(lost);
      await second.reaches(ends.taskId, 'completed');
      // Its tool goes on, so it is given up.
      expect(await second.get(waits.taskId)).toMatchObject({ status: 'working' });
      await store.close(60_000);
      expect(await second.get(waits.taskId)).toMatchObject(lost);
      expect(redis().command('HGET', `test:{task:${waits.taskId}}:task`, 'lease')).toBe('0');
      waits.run.end(textResult('too late'));
      expect(await second.get(waits.taskId)).toMatchObject(lost);
    },
  );

  test.each([true, false])(
    'is lost when its replica is silent, and says whether it can be repeated: %s',
    async (isRepeatable) => {
      let isHeld = false;
      const hold = (store: StateStore): StateStore =>
        holding(store, async () => {
          if (isHeld) await released;
        });
      let release!: () => void;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      const first = await open({ leaseMs: SHORT_LEASE_MS, isRepeatable, through: hold });
      const second = await open({ leaseMs: SHORT_LEASE_MS });
      const { taskId, run } = await first.task();
      isHeld = true;
      const task = await second.reaches(taskId, 'failed');
      expect(task.error).toMatchObject({ code: -32603, data: { code: 'TASK_LOST', safeToRepeat: isRepeatable } });
      expect(task.error.data.hint).toMatch(isRepeatable ? /Call the tool again:/ : /Find out/);
      expect(task.ttlMs).toBeGreaterThan(0);

      // The replica was only slow: now it learns that the task is no longer its own.
      run.end(textResult('too late'));
      release();
      isHeld = false;
      await expect.poll(() => first.get(taskId)).toEqual(task);
      expect(await second.get(taskId)).toEqual(task);
    },
  );

  test('ends its work when another replica has declared it lost', async () => {
    let isHeld = true;
    let release!: () => void;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    const first = await open({
      leaseMs: SHORT_LEASE_MS,
      through: (store) => holding(store, async () => void (isHeld && (await released))),
    });
    const second = await open({ leaseMs: SHORT_LEASE_MS });
    const { taskId, run } = await first.task();
    await second.reaches(taskId, 'failed');
    expect(run.context.signal.aborted).toBe(false);
    isHeld = false;
    release();
    await expect.poll(() => run.context.signal.aborted).toBe(true);
  });
});
