import { RpcError } from '@mortise/mcp';
import { describe, expect, test } from 'vitest';
import { declaration } from '../stdio/stdio-wire.js';
import { TASKS, TaskWire, textResult } from './task-wire.js';

const SERVER_INFO = { 'io.modelcontextprotocol/serverInfo': { name: 'test', version: '1' } };

describe('a call', () => {
  test('that ends in time is answered by its result', async () => {
    const wire = new TaskWire({ afterMs: 60_000 });
    const call = wire.call();
    await expect.poll(() => wire.runs.length).toBe(1);
    wire.runs[0]!.end(textResult('done'));
    expect((await call).result).toMatchObject({ resultType: 'complete', content: [{ text: 'done' }] });
  });

  test('that takes longer is answered by a task, which has the result of the call in the end', async () => {
    const wire = new TaskWire();
    const { result } = await wire.call();
    expect(result).toEqual({
      resultType: 'task',
      taskId: expect.stringMatching(/^[\w-]{22}$/),
      status: 'working',
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      lastUpdatedAt: result.createdAt,
      ttlMs: null,
      pollIntervalMs: 1000,
      _meta: SERVER_INFO,
    });
    expect(await wire.get(result.taskId)).toEqual({ ...result, resultType: 'complete' });
    wire.runs[0]!.end(textResult('done', { structuredContent: { a: 1 } }));
    const task = await wire.reaches(result.taskId, 'completed');
    expect(task.result).toEqual({
      ...textResult('done', { structuredContent: { a: 1 } }),
      resultType: 'complete',
      _meta: SERVER_INFO,
    });
    expect(task.ttlMs).toBe(Date.parse(task.lastUpdatedAt) - Date.parse(task.createdAt) + 600_000);
  });

  test('that was cancelled before does not become a task, also if its handler does not end', async () => {
    const wire = new TaskWire({ afterMs: 50, maxOpenPerPrincipal: 1 });
    wire.start('tools/call', { name: 'waits' });
    await expect.poll(() => wire.runs.length).toBe(1);
    wire.send({ method: 'notifications/cancelled', params: { requestId: 1 } });
    await expect.poll(() => wire.runs[0]!.context.signal.aborted).toBe(true);
    // Both have the same time: the first one's is over when the second one is a task.
    expect((await wire.call()).result.resultType).toBe('task');
    wire.runs[0]!.end(textResult('late'));
  });

  test('is never a task for a client that does not declare the extension with this very call', async () => {
    const wire = new TaskWire();
    const { taskId } = await wire.task();
    const plain = wire.ask('tools/call', { name: 'waits' }, declaration());
    await expect.poll(() => wire.runs.length).toBe(2);
    const third = await wire.task();
    wire.runs[1]!.end(textResult('plain'));
    expect((await plain).result.content[0].text).toBe('plain');
    expect(third.taskId).not.toBe(taskId);
  });

  test('never becomes a task where the server has none, and there are no methods for tasks', async () => {
    const wire = new TaskWire({}, { tasks: undefined });
    const call = wire.call();
    await expect.poll(() => wire.runs.length).toBe(1);
    wire.runs[0]!.end(textResult('done'));
    expect((await call).result.resultType).toBe('complete');
    expect((await wire.ask('tasks/get', { taskId: 'x' })).error.code).toBe(-32601);
    expect((await wire.ask('server/discover')).result.capabilities.extensions).toBeUndefined();
  });
});

describe('a task', () => {
  test('says how far it has come; the client gets no progress notifications once it is one', async () => {
    const wire = new TaskWire();
    const { result } = await wire.ask('tools/call', { name: 'waits' }, { ...TASKS, progressToken: 't' });
    const { context } = wire.runs[0]!;
    context.progress({ progress: 3, total: 10, message: 'three' });
    expect((await wire.get(result.taskId)).statusMessage).toBe('30 %: three');
    context.progress({ progress: 4 });
    context.progress({ progress: 5, message: 'five' });
    expect((await wire.get(result.taskId)).statusMessage).toBe('five');
    expect(wire.received.filter(({ method }) => method !== undefined)).toEqual([]);
  });

  test('keeps what was said before it became one, which the client was told as of any call', async () => {
    const wire = new TaskWire({ afterMs: 200 });
    const call = wire.ask('tools/call', { name: 'waits' }, { ...TASKS, progressToken: 't' });
    await expect.poll(() => wire.runs.length).toBe(1);
    wire.runs[0]!.context.progress({ progress: 1, message: 'begun' });
    expect((await call).result.statusMessage).toBe('begun');
    expect(wire.received.filter(({ method }) => method === 'notifications/progress')).toHaveLength(1);
  });

  test('is completed by a result that is an error, and failed by a JSON-RPC error', async () => {
    const wire = new TaskWire();
    const first = await wire.task();
    first.run.end(textResult('no', { isError: true }));
    expect((await wire.reaches(first.taskId, 'completed')).result.isError).toBe(true);

    const second = await wire.task();
    second.run.fail(new RpcError(-32602, 'Wanted.', { reason: 'wanted' }));
    const failed = await wire.reaches(second.taskId, 'failed');
    expect(failed).toMatchObject({
      statusMessage: 'Wanted.',
      error: { code: -32602, message: 'Wanted.', data: { reason: 'wanted' } },
    });
    expect(failed).not.toHaveProperty('result');
  });

  test('keeps the text of an unexpected error, and a result without JSON, for the operator', async () => {
    const wire = new TaskWire();
    const thrown = await wire.task();
    thrown.run.fail(new Error('secret'));
    const { error } = await wire.reaches(thrown.taskId, 'failed');
    expect(error).toEqual({ code: -32603, message: expect.stringContaining('Internal error') });
    expect(wire.errors.map(String)).toEqual(['Error: secret']);

    const endless = await wire.task();
    const circle: Record<string, unknown> = {};
    circle.itself = circle;
    endless.run.end(textResult('x', { structuredContent: circle }));
    expect((await wire.reaches(endless.taskId, 'failed')).error.code).toBe(-32603);
  });

  test('is cancelled once its handler has ended, and a cancel of what has ended changes nothing', async () => {
    const wire = new TaskWire();
    const { taskId, run } = await wire.task();
    expect((await wire.ask('tasks/cancel', { taskId })).result).toEqual({ resultType: 'complete', _meta: SERVER_INFO });
    expect(run.context.signal.aborted).toBe(true);
    expect(await wire.get(taskId)).toMatchObject({
      status: 'working',
      statusMessage: 'The client has cancelled the task.',
    });
    run.end(textResult('cancelled', { isError: true }));
    const cancelled = await wire.reaches(taskId, 'cancelled');
    expect(cancelled).not.toHaveProperty('result');
    expect((await wire.ask('tasks/cancel', { taskId })).result).toEqual({ resultType: 'complete', _meta: SERVER_INFO });
    expect(await wire.get(taskId)).toEqual(cancelled);
  });

  test('is cancelled by a handler that throws, and completed by one that was done first', async () => {
    const wire = new TaskWire();
    const thrower = await wire.task();
    await wire.ask('tasks/cancel', { taskId: thrower.taskId });
    thrower.run.fail(new Error('aborted'));
    await wire.reaches(thrower.taskId, 'cancelled');

    const finisher = await wire.task();
    await wire.ask('tasks/cancel', { taskId: finisher.taskId });
    finisher.run.end(textResult('done'));
    await wire.reaches(finisher.taskId, 'completed');
  });

  test('is not cancelled by notifications/cancelled of its request', async () => {
    const wire = new TaskWire();
    const { id, result } = await wire.call();
    wire.send({ method: 'notifications/cancelled', params: { requestId: id } });
    await wire.get(result.taskId);
    expect(wire.runs[0]!.context.signal.aborted).toBe(false);
  });

  test('is cancelled when the server closes', async () => {
    const wire = new TaskWire();
    const { run } = await wire.task();
    await wire.served.close(0);
    expect(run.context.signal.aborted).toBe(true);
  });

  test('is forgotten after its time', async () => {
    const wire = new TaskWire({ keepMs: 1 });
    const { taskId, run } = await wire.task();
    run.end(textResult('done'));
    await expect.poll(() => wire.ask('tasks/get', { taskId })).toHaveProperty('error');
    for (const [method, more] of [['tasks/get'], ['tasks/cancel'], ['tasks/update', { inputResponses: {} }]] as const) {
      expect((await wire.ask(method, { taskId, ...more })).error).toEqual({
        code: -32602,
        message: 'Task not found: its id is unknown, or the task has expired.',
      });
    }
  });
});

describe('the methods', () => {
  test('want the extension of the client, before they look at the id', async () => {
    const wire = new TaskWire();
    const { taskId } = await wire.task();
    for (const [method, more] of [['tasks/get'], ['tasks/cancel'], ['tasks/update', { inputResponses: {} }]] as const) {
      for (const id of [taskId, 'unknown']) {
        const { error } = await wire.ask(method, { taskId: id, ...more }, declaration());
        expect(error).toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { extensions: { 'io.modelcontextprotocol/tasks': {} } } },
        });
      }
    }
  });

  test('are announced by server/discover, and do not exist in a session', async () => {
    const { result } = await new TaskWire().ask('server/discover');
    expect(result.capabilities.extensions).toEqual({ 'io.modelcontextprotocol/tasks': {} });

    const wire = new TaskWire();
    const capabilities = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
    const clientInfo = { name: 'test', version: '1' };
    const hello = await wire.request('i', 'initialize', { protocolVersion: '2025-11-25', capabilities, clientInfo });
    expect(hello.result.capabilities.extensions).toBeUndefined();
    const call = wire.request('c', 'tools/call', { name: 'waits' });
    await expect.poll(() => wire.runs.length).toBe(1);
    expect((await wire.request('g', 'tasks/get', { taskId: 'x' })).error.code).toBe(-32601);
    wire.runs[0]!.end(textResult('done'));
    expect((await call).result.content[0].text).toBe('done');
  });

  test('of the experimental tasks do not exist', async () => {
    const wire = new TaskWire();
    for (const method of ['tasks/list', 'tasks/result']) {
      expect((await wire.ask(method, { taskId: 'x' })).error.code).toBe(-32601);
    }
  });
});
