import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { shared } from '../../../../test/support/clients.js';
import { noRedis } from '../../../../test/support/redis.js';
import { TaskWire, textResult } from '../../../mcp/test/tasks/task-wire.js';
import { Presence } from '../../src/state/presence.js';
import { RemovedKeys } from '../../src/state/removed-keys.js';
import { SharedChanges } from '../../src/state/shared-changes.js';
import { SharedOutputs } from '../../src/state/shared-outputs.js';
import { SharedRates } from '../../src/state/shared-rates.js';
import { SharedTaskStore } from '../../src/state/shared-task-store.js';
import { openRedisStore, SILENT, startSharedRedis } from './state-stores.js';

/** What the first version of Mortise with shared state has written. Times of ends are in the year 2100. */
const FIRST: {
  readonly hashes: Record<string, Record<string, string>>;
  readonly lists: Record<string, string[]>;
  readonly sets: Record<string, Record<string, string>>;
  readonly messages: string[];
  /** The tasks as their clients saw them. */
  readonly tasks: Record<string, { taskId: string }>;
} = JSON.parse(readFileSync(new URL('format-1.json', import.meta.url), 'utf8'));

const CLOSE_LEASE_MS = 40;

/** docs/spec/shared.md#entries */
describe.skipIf(noRedis)('what the first version of Mortise has written', () => {
  const redis = shared(startSharedRedis);
  const command = (...args: string[]) => redis().command(...args);

  function restore(): void {
    command('FLUSHALL');
    for (const [key, fields] of Object.entries(FIRST.hashes)) command('HSET', key, ...Object.entries(fields).flat());
    for (const [key, values] of Object.entries(FIRST.lists)) command('RPUSH', key, ...values);
    for (const [key, members] of Object.entries(FIRST.sets))
      for (const [member, score] of Object.entries(members)) command('ZADD', key, score, member);
  }

  async function openTasks(runner: string, leaseMs = 600_000) {
    const warnings: string[] = [];
    const log = {
      warn: (message: string, fields?: object) => void warnings.push(`${message} ${JSON.stringify(fields)}`),
    };
    const store = await SharedTaskStore.open({
      ...{ store: await openRedisStore(redis().url), replica: 'now', runner, leaseMs, log },
      keepMs: 600_000,
    });
    onTestFinished(() => store.close(0));
    return { wire: new TaskWire({ store }), warnings };
  }

  test.each(Object.entries(FIRST.tasks))('is read: a task that is %s', async (taskId, task) => {
    restore();
    const { wire } = await openTasks('reader');
    expect(await wire.get(taskId)).toMatchObject(task);
  });

  test('is read: a task whose replica is silent is lost', async () => {
    restore();
    const { wire } = await openTasks('finder', CLOSE_LEASE_MS);
    const { error } = await wire.reaches('lost', 'failed');
    expect(error.data).toMatchObject({ code: 'TASK_LOST', safeToRepeat: true });
  });

  test('is read: answers and a cancellation for a task. Messages of other versions are ignored', async () => {
    const { wire, warnings } = await openTasks('receiver');
    const { taskId, run } = await wire.task();
    const asked = run.context.taskCall!.ask({ name: { method: 'elicitation/create', params: {} } } as never);
    const [answers, cancel] = Object.values(FIRST.lists)[0] as [string, string];
    const send = (...texts: string[]) => {
      command('RPUSH', `test:{task:${taskId}}:inbox`, ...texts);
      command('PUBLISH', 'test:runner:receiver', taskId);
    };
    send('{"format":2,"kind":"cancel"}', '{"format":1,"kind":"pause"}', '{"kind":"cancel"}', 'cancel', answers);
    expect(await asked).toEqual({ name: { action: 'accept', content: { name: 'Ada' } } });
    expect(run.context.signal.aborted).toBe(false);
    expect(warnings).toHaveLength(4);
    send(cancel);
    await expect.poll(() => run.context.signal.aborted).toBe(true);
  });

  test('is read: the rate of a caller, the replicas, an output and a removed key', async () => {
    restore();
    const store = await openRedisStore(redis().url);
    const presence = await Presence.open(store, 'runner-now');
    onTestFinished(() => presence.close());
    expect(presence.count).toBe(2);
    const rates = new SharedRates({ store, presence, onFailure: 'local', log: SILENT });
    const waits: (number | undefined)[] = [];
    for (let calls = 0; calls < 6; calls += 1) waits.push(await rates.take('Ann', { size: 8, perSecond: 0.000_01 }));
    expect(waits.map((waitMs) => waitMs === 0)).toEqual([true, true, true, true, true, false]);
    const outputs = new SharedOutputs({ store, keepMs: 3_600_000, log: SILENT });
    expect(await outputs.get('Ann', 'Vq3hJtP8sZQ')).toMatchObject({ text: 'the whole output', media: [] });
    expect(await outputs.get('Bob', 'Vq3hJtP8sZQ')).toBeUndefined();
    const keys = await RemovedKeys.open(store);
    onTestFinished(() => keys.close());
    expect(keys.has(createHash('sha256').update('a').digest('hex'))).toBe(true);
  });

  test('is read: messages about changes', async () => {
    const changes = await SharedChanges.open(await openRedisStore(redis().url), 'runner-now');
    onTestFinished(() => changes.close());
    const heard: unknown[] = [];
    changes.listen({ changed: (change) => heard.push(change), missed: () => heard.push('missed') });
    for (const message of FIRST.messages) command('PUBLISH', 'test:changes', message);
    await expect
      .poll(() => heard)
      .toEqual([
        { kind: 'list', list: 'tools', isWholeChanged: true, unchangedFor: ['narrow'] },
        { kind: 'resource', uri: 'test://a' },
      ]);
  });

  test('has only members that this version writes too, so that the first version can read its tasks', async () => {
    const { wire } = await openTasks('writer');
    const { taskId, run } = await wire.task();
    const read = () => JSON.parse(command('HGET', `test:{task:${taskId}}:task`, 'value'));
    const firstOf = (name: string) => JSON.parse(FIRST.hashes[`test:{task:${name}}:task`]!.value!);
    const membersOf = (record: { format: number; task: object }) => [record.format, ...Object.keys(record)];
    run.context.progress({ progress: 1, total: 4, message: 'begun' });
    await expect.poll(() => Object.keys(read().task)).toEqual(Object.keys(firstOf('working').task));
    expect(membersOf(read())).toEqual(expect.arrayContaining(membersOf(firstOf('working'))));
    run.end(textResult('done'));
    await wire.reaches(taskId, 'completed');
    await expect.poll(() => Object.keys(read().task)).toEqual(Object.keys(firstOf('completed').task));
    expect(membersOf(read())).toEqual(expect.arrayContaining(membersOf(firstOf('completed'))));
  });
});
