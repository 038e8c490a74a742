import { describe, expect, test } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { noRedis, type RedisServer, startRedis } from '../../../../test/support/redis.js';
import { textResult } from '../../../mcp/test/tasks/task-wire.js';
import { startSharedRedis } from './state-stores.js';
import { announced, openReplica, type ReplicaOptions } from './task-replicas.js';

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

  test('needs two operations on the store, and each request for it at another replica at most two', async () => {
    const [first, second] = [await open(), await open()];
    const operations = async (work: () => Promise<unknown>) => {
      redis().command('CONFIG', 'RESETSTAT');
      const result = await work();
      const calls = redis()
        .command('INFO', 'commandstats')
        .matchAll(/^cmdstat_evalsha:calls=(\d+)/gm);
      return { count: Number([...calls][0]?.[1] ?? 0), result };
    };
    const whole = async () => {
      const { taskId, run } = await first.task();
      run.end(textResult('done'));
      await expect.poll(() => redis().command('HGET', `test:{task:${taskId}}:task`, 'lease')).toBe('0');
    };
    await whole();
    expect((await operations(whole)).count).toBe(2);
    const { taskId, run } = await first.task();
    expect((await operations(() => first.get(taskId))).count).toBe(0);
    expect((await operations(() => second.get(taskId))).count).toBe(1);
    const renewal = async () => {
      run.context.progress({ progress: 1, total: 4, message: 'begun' });
      await expect.poll(() => redis().command('HGET', `test:{task:${taskId}}:task`, 'value')).toContain('begun');
    };
    expect((await operations(renewal)).count).toBe(1);
    // The replica that runs the task reads the answer.
    const { count } = await operations(() => second.ask('tasks/update', { taskId, inputResponses: {} }));
    expect(count).toBeGreaterThanOrEqual(2);
    expect(count).toBeLessThanOrEqual(3);
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
