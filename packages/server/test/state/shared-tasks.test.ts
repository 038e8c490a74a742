import { describe, expect, onTestFinished, test } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { noRedis, type RedisServer, startRedis } from '../../../../test/support/redis.js';
import { TaskWire, textResult } from '../../../mcp/test/tasks/task-wire.js';
import { SharedTaskStore } from '../../src/state/shared-task-store.js';
import type { StateStore } from '../../src/state/state-store.js';
import { openRedisStore, SILENT, startSharedRedis } from './state-stores.js';

/** No test lasts so long. */
const LONG_LEASE_MS = 600_000;
const SHORT_LEASE_MS = 400;

interface ReplicaOptions {
  readonly leaseMs?: number;
  readonly isRepeatable?: boolean;
  /** Changes what the replica sees of the store. */
  readonly through?: (store: StateStore) => StateStore;
}

let lastReplica = 0;

/** A replica with tasks in the store. */
const openReplica = async (url: string, options: ReplicaOptions = {}) => (await openStore(url, options)).wire;

async function openStore(url: string, { leaseMs = LONG_LEASE_MS, isRepeatable = false, through }: ReplicaOptions = {}) {
  lastReplica += 1;
  const connected = await openRedisStore(url);
  const name = `r${lastReplica}`;
  const store = await SharedTaskStore.open({
    ...{ store: through?.(connected) ?? connected, replica: name, runner: `runner-${name}`, leaseMs, log: SILENT },
    keepMs: 600_000,
  });
  onTestFinished(() => store.close(0));
  return { store, wire: new TaskWire({ store, isRepeatable: () => isRepeatable }) };
}

/** The notifications of this method that a client has received. */
const announced = ({ received }: TaskWire, method: string) => received.filter((message) => message.method === method);

describe.skipIf(noRedis)('a task', () => {
  const redis = shared(startSharedRedis);
  const open = (options?: ReplicaOptions) => openReplica(redis().url, options);

  test('has its progress and its result on each replica', async () => {
    const [first, second] = [await open(), await open()];
    const { taskId, run } = await first.task();
    expect(await second.get(taskId)).toMatchObject({ taskId, status: 'working', ttlMs: null });
    run.context.progress({ progress: 1, total: 4, message: 'begun' });
    await expect.poll(async () => (await second.get(taskId)).statusMessage).toBe('25 %: begun');
    run.end(textResult('done'));
    const task = await second.reaches(taskId, 'completed');
    expect(task.result.content).toEqual([{ type: 'text', text: 'done' }]);
    expect(task).toEqual(await first.get(taskId));
  });

  test('has its questions on each replica, and takes answers from each', async () => {
    const [first, second] = [await open(), await open()];
    const { taskId, run } = await first.task();
    const asked = run.context.taskCall!.ask({
      a: { method: 'elicitation/create', params: { message: 'A?' } },
      b: { method: 'elicitation/create', params: { message: 'B?' } },
    } as never);
    const { inputRequests } = await second.reaches(taskId, 'input_required');
    expect(Object.keys(inputRequests)).toEqual(['a', 'b']);
    const answer = { action: 'accept', content: { n: 1 } };
    expect((await second.ask('tasks/update', { taskId, inputResponses: { a: answer } })).result).toMatchObject({});
    await expect.poll(async () => Object.keys((await first.get(taskId)).inputRequests)).toEqual(['b']);
    await first.ask('tasks/update', { taskId, inputResponses: { b: answer } });
    expect(await asked).toEqual({ a: answer, b: answer });
    await second.reaches(taskId, 'working');
  });

  test('is cancelled through another replica', async () => {
    const [first, second] = [await open(), await open()];
    const { taskId } = await first.task('heeds');
    await second.ask('tasks/cancel', { taskId });
    await first.reaches(taskId, 'cancelled');
    expect((await second.get(taskId)).status).toBe('cancelled');
  });

  test('has its changes announced to those who listen at another replica', async () => {
    const [first, second] = [await open(), await open()];
    const { taskId, run } = await first.task();
    const [watched, stopped] = [second, second].map((wire) =>
      wire.start('subscriptions/listen', { notifications: { taskIds: [taskId, 'unknown'] } }),
    ) as [number, number];
    const heardBy = (id: number) =>
      announced(second, 'notifications/tasks')
        .filter(({ params }) => params._meta['io.modelcontextprotocol/subscriptionId'] === id)
        .map(({ params }) => params.statusMessage ?? params.status);
    await expect.poll(() => [heardBy(watched), heardBy(stopped)]).toEqual([['working'], ['working']]);
    second.send({ method: 'notifications/cancelled', params: { requestId: stopped } });
    run.context.progress({ progress: 1, total: 4, message: 'begun' });
    await expect.poll(() => heardBy(watched)).toEqual(['working', '25 %: begun']);
    run.end(textResult('done'));
    await expect.poll(() => heardBy(watched)).toEqual(['working', '25 %: begun', 'completed']);
    expect(heardBy(stopped)).toEqual(['working']);
    const acknowledged = announced(second, 'notifications/subscriptions/acknowledged');
    expect(acknowledged.map(({ params }) => params.notifications)).toEqual([
      { taskIds: [taskId] },
      { taskIds: [taskId] },
    ]);
    await expect.poll(() => redis().command('PUBSUB', 'CHANNELS', `test:task:${taskId}`)).toBe('');
  });

  test('that is lost is announced to those who listen, although nobody asks for it', async () => {
    const first = await open({
      leaseMs: SHORT_LEASE_MS,
      through: (store) => holding(store, () => new Promise(() => {})),
    });
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

  test('that has ended, or is unknown, is not listened to', async () => {
    const [first, second] = [await open(), await open()];
    const { taskId, run } = await first.task();
    run.end(textResult('done'));
    await second.reaches(taskId, 'completed');
    const response = await second.ask('subscriptions/listen', { notifications: { taskIds: [taskId, 'unknown'] } });
    expect(response.result).toMatchObject({ resultType: 'complete' });
  });

  test('is unknown on each replica if no replica has it', async () => {
    const [, second] = [await open(), await open()];
    expect((await second.ask('tasks/get', { taskId: 'unknown' })).error.code).toBe(-32602);
    expect((await second.ask('tasks/cancel', { taskId: 'unknown' })).error.code).toBe(-32602);
  });

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

  test('is written again if the store forgets it while it runs', async () => {
    const [first, second] = [await open(), await open()];
    const { taskId, run } = await first.task();
    redis().command('FLUSHALL');
    expect((await second.ask('tasks/get', { taskId })).error.code).toBe(-32602);
    run.context.progress({ progress: 1, total: 2 });
    await expect.poll(async () => (await second.ask('tasks/get', { taskId })).result?.statusMessage).toBe('50 %');
    run.end(textResult('done'));
    await second.reaches(taskId, 'completed');
  });

  test('of another format is never misread', async () => {
    const replica = await open();
    redis().command('HSET', 'test:{task:new}:task', 'value', '{"format":2,"owner":""}', 'token', '1', 'lease', '0');
    const { error } = await replica.ask('tasks/get', { taskId: 'new' });
    expect(error.data).toMatchObject({ code: 'STATE_UNAVAILABLE', retryAfterMs: 1000 });
    expect(error.message).toContain('another version of Mortise');
  });
});

/** A store whose writes wait first. */
function holding(store: StateStore, wait: () => Promise<void>): StateStore {
  return new Proxy(store, {
    get(target, name) {
      const value = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      if (name !== 'write') return value.bind(target);
      return async (...args: unknown[]) => {
        await wait();
        return value.apply(target, args);
      };
    },
  });
}

describe.skipIf(noRedis)('a store that fails', () => {
  const append = ['--appendonly', 'yes', '--appendfsync', 'always'];

  async function openBoth(redis: RedisServer) {
    return [await openReplica(redis.url), await openReplica(redis.url)] as const;
  }

  test('stops only what needs it, and has the end of a task when it is back', async () => {
    const redis = await startRedis(append);
    const [first, second] = await openBoth(redis);
    const { taskId, run } = await first.task();
    await redis.stop();
    const { error } = await second.ask('tasks/get', { taskId });
    expect(error.data).toMatchObject({ code: 'STATE_UNAVAILABLE', retryAfterMs: 1000 });
    const listen = await second.ask('subscriptions/listen', { notifications: { taskIds: [taskId] } });
    expect(listen.error.data).toMatchObject({ code: 'STATE_UNAVAILABLE', retryAfterMs: 1000 });
    expect((await first.get(taskId)).status).toBe('working');
    const call = first.call();
    await expect.poll(() => first.runs.length).toBe(2);
    first.runs[1]!.end(textResult('a call stays a call'));
    expect((await call).result.content[0].text).toBe('a call stays a call');
    run.end(textResult('done'));
    await redis.start();
    await expect.poll(async () => (await second.ask('tasks/get', { taskId })).result?.status).toBe('completed');
  });
});
