import type { StoredTask } from '@mortise/mcp';
import { createMemoryTaskStore } from '@mortise/mcp';
import { describe, expect, test } from 'vitest';
import { declaration, type Wire } from '../stdio/stdio-wire.js';
import { createEvent, TaskWire, textResult } from './task-wire.js';

describe('the limits', () => {
  test('let a further call of the principal continue, and make it a task when another has ended', async () => {
    const wire = new TaskWire({ maxOpenPerPrincipal: 2 });
    const first = await wire.task();
    await wire.task();
    const further = wire.call();
    await expect.poll(() => wire.runs.length).toBe(3);
    const answered = wire.call();
    await expect.poll(() => wire.runs.length).toBe(4);
    wire.runs[3]!.end(textResult('a result'));
    expect((await answered).result.content).toEqual([{ type: 'text', text: 'a result' }]);
    expect(wire.runs[2]!.context.signal.aborted).toBe(false);
    first.run.end(textResult('done'));
    await wire.reaches(first.taskId, 'completed');
    expect((await further).result.resultType).toBe('task');
  });

  test('count the tasks of all', async () => {
    const wire = new TaskWire({ maxOpen: 1 });
    const { taskId } = await wire.task('heeds');
    const further = wire.call();
    await wire.ask('tasks/cancel', { taskId });
    expect((await further).result.resultType).toBe('task');
  });
});

describe('subscriptions/listen', () => {
  const ofTasks = ({ received }: TaskWire) =>
    received.filter(({ method }) => method === 'notifications/tasks').map(({ params }) => params);

  test('sends tasks as they are and as they change, each as tasks/get has it', async () => {
    const wire = new TaskWire({ pollIntervalMs: 60_000 });
    const { taskId, run } = await wire.task();
    const ended = await wire.task();
    ended.run.end(textResult('done'));
    await wire.reaches(ended.taskId, 'completed');
    const taskIds = [taskId, taskId, ended.taskId, 'unknown'];
    wire.start('subscriptions/listen', { notifications: { taskIds } });
    const acknowledged = await wire.find(({ method }) => method === 'notifications/subscriptions/acknowledged');
    expect(acknowledged.params.notifications).toEqual({ taskIds: [taskId] });
    const _meta = acknowledged.params._meta;

    // Messages alone come once in each poll interval.
    for (const message of ['one', 'two']) run.context.progress({ progress: 1, message });
    run.end(textResult('done'));
    const task = await wire.reaches(taskId, 'completed');
    const { resultType: _, ...sent } = task;
    await expect
      .poll(() => ofTasks(wire).map(({ status, statusMessage }) => statusMessage ?? status))
      .toEqual(['working', 'one', 'completed']);
    expect(ofTasks(wire).at(-1)).toEqual({ ...sent, _meta });
  });

  test('is answered when none of the tasks can change, and refused without the extension', async () => {
    const wire = new TaskWire();
    const listen = (meta?: object) =>
      wire.ask('subscriptions/listen', { notifications: { taskIds: ['unknown'] } }, meta);
    expect((await listen()).result.resultType).toBe('complete');
    expect((await listen(declaration())).error.code).toBe(-32021);
  });
});

describe('a store', () => {
  test('that is slow to create a task loses no progress of it', async () => {
    const stored = createMemoryTaskStore();
    let create: (() => void) | undefined;
    const store = {
      set: async (task: StoredTask) => {
        await new Promise<void>((resolve) => {
          create = resolve;
        });
        stored.set(task);
      },
      get: (taskId: string) => stored.get(taskId),
    };
    const wire = new TaskWire({ store });
    const call = wire.call();
    await expect.poll(() => create).toBeTypeOf('function');
    wire.runs[0]!.context.progress({ progress: 1, total: 4, message: 'begun' });
    create!();
    const { result } = await call;
    expect(await wire.get(result.taskId)).toMatchObject({ status: 'working', statusMessage: '25 %: begun' });
  });

  test('has the task before the client knows of it, and each change of its status after that', async () => {
    const states: StoredTask[] = [];
    const created = createEvent();
    const store = {
      async set(stored: StoredTask) {
        states.push(stored);
        if (states.length === 1) await created.happened;
      },
      get: (taskId: string) => states.findLast(({ task }) => task.taskId === taskId),
    };
    const wire = new TaskWire({ store });
    const call = wire.task();
    await expect.poll(() => states.length).toBe(1);
    await wire.ask('server/discover');
    expect(wire.received).toHaveLength(1);
    created.happen();
    const { taskId, run } = await call;
    run.context.progress({ progress: 1, message: 'not stored' });
    run.end(textResult('done'));
    await wire.reaches(taskId, 'completed');
    expect(states.map(({ task, owner, expiresAt }) => [task.status, owner, expiresAt !== undefined])).toEqual([
      ['working', '', false],
      ['completed', '', true],
    ]);
  });

  test('that fails is reported, and the call stays a call', async () => {
    const wire = new TaskWire({ store: { set: () => Promise.reject(new Error('full')), get: () => undefined } });
    const call = wire.call();
    await expect.poll(() => wire.errors.map(String)).toContain('Error: full');
    wire.runs[0]!.end(textResult('done'));
    expect((await call).result.content).toEqual([{ type: 'text', text: 'done' }]);
  });

  test('of another server is asked for tasks that are not open here', async () => {
    const store = createMemoryTaskStore();
    const first = new TaskWire({ store });
    const { taskId, run } = await first.task();
    const second = new TaskWire({ store });
    expect(await second.get(taskId)).toMatchObject({ taskId, status: 'working' });
    run.end(textResult('done'));
    await second.reaches(taskId, 'completed');
  });

  test('in memory forgets the tasks that ended first when their results are too large together', () => {
    const store = createMemoryTaskStore(1_000);
    const stored = (taskId: string, chars: number): StoredTask => ({
      task: { taskId, status: 'completed', result: { text: 'x'.repeat(chars) } } as Wire,
      owner: '',
      tool: 't',
      expiresAt: Date.now() + 60_000,
      isRepeatable: false,
    });
    const kept = () => ['a', 'b', 'c', 'd'].filter((taskId) => store.get(taskId) !== undefined);
    store.set(stored('a', 300));
    store.set(stored('b', 300));
    expect(kept()).toEqual(['a', 'b']);
    store.set(stored('c', 600));
    expect(kept()).toEqual(['c']);
    store.set(stored('d', 5_000));
    expect(kept()).toEqual(['d']);
  });
});
