import { describe, expect, test } from 'vitest';
import { TaskWire, textResult } from './task-wire.js';

const QUESTION = { method: 'elicitation/create' as const, params: { message: 'Well?' } };
const YES = { action: 'accept', content: {} };

/** The result by which a handler is left to ask. */
const wants = (...keys: string[]) => ({
  resultType: 'input_required' as const,
  inputRequests: Object.fromEntries(keys.map((key) => [key, QUESTION])),
  requestState: 'state',
});

describe('a task whose handler returns questions', () => {
  test('waits for all answers, takes them one by one, and runs the handler again with them', async () => {
    const wire = new TaskWire();
    const { taskId, run } = await wire.task();
    run.end(wants('a', 'b'));
    expect((await wire.reaches(taskId, 'input_required')).inputRequests).toEqual({ a: QUESTION, b: QUESTION });
    const answer = (inputResponses: object) => wire.ask('tasks/update', { taskId, inputResponses });
    expect((await answer({ a: YES, b: 'no object', c: YES })).result.resultType).toBe('complete');
    expect((await wire.get(taskId)).inputRequests).toEqual({ b: QUESTION });
    await answer({ a: { action: 'decline' } });
    expect(wire.runs).toHaveLength(1);
    await answer({ b: YES });
    await expect.poll(() => wire.runs.length).toBe(2);
    expect(await wire.get(taskId)).toMatchObject({ status: 'working' });
    const { params } = wire.runs[1]!.context.request;
    expect(params).toMatchObject({ name: 'waits', requestState: 'state', inputResponses: { a: YES, b: YES } });
    wire.runs[1]!.end(textResult('done'));
    await wire.reaches(taskId, 'completed');
  });

  test('never uses a key for two questions', async () => {
    const wire = new TaskWire();
    const { taskId, run } = await wire.task();
    run.end(wants('a'));
    await wire.reaches(taskId, 'input_required');
    await wire.ask('tasks/update', { taskId, inputResponses: { a: YES } });
    await expect.poll(() => wire.runs.length).toBe(2);
    wire.runs[1]!.end(wants('a'));
    expect(Object.keys((await wire.reaches(taskId, 'input_required')).inputRequests)).toEqual(['a#2']);
    await wire.ask('tasks/update', { taskId, inputResponses: { a: YES } });
    expect(wire.runs).toHaveLength(2);
    await wire.ask('tasks/update', { taskId, inputResponses: { 'a#2': YES } });
    await expect.poll(() => wire.runs.length).toBe(3);
    expect(wire.runs[2]!.context.request.params.inputResponses).toEqual({ a: YES });
  });

  test('is cancelled while it waits', async () => {
    const wire = new TaskWire();
    const { taskId, run } = await wire.task();
    run.end(wants('a'));
    await wire.reaches(taskId, 'input_required');
    await wire.ask('tasks/cancel', { taskId });
    await wire.reaches(taskId, 'cancelled');
    await wire.ask('tasks/update', { taskId, inputResponses: { a: YES } });
    expect(wire.runs).toHaveLength(1);
  });

  test('is cancelled when no answer comes', async () => {
    const wire = new TaskWire({ answerMs: 50 });
    const { taskId, run } = await wire.task();
    run.end(wants('a'));
    expect((await wire.reaches(taskId, 'cancelled')).statusMessage).toBe('No answer came within 50 ms.');
  });

  test('is answered as any call when it asks before it is a task', async () => {
    const wire = new TaskWire({ afterMs: 60_000 });
    const call = wire.call();
    await expect.poll(() => wire.runs.length).toBe(1);
    wire.runs[0]!.end(wants('a'));
    expect((await call).result).toMatchObject(wants('a'));
  });
});

describe('a handler that asks while it waits', () => {
  test('gets the answers by its keys, and continues', async () => {
    const wire = new TaskWire();
    const { taskId, run } = await wire.task();
    expect(run.context.isTask).toBe(true);
    const answers = [run.context.askInTask({ a: QUESTION, b: QUESTION }), run.context.askInTask({ a: QUESTION })];
    const { inputRequests } = await wire.reaches(taskId, 'input_required');
    expect(inputRequests).toEqual({ a: QUESTION, b: QUESTION, 'a#2': QUESTION });
    await wire.ask('tasks/update', { taskId, inputResponses: { 'a#2': YES, b: YES } });
    expect(await answers[1]).toEqual({ a: YES });
    await wire.ask('tasks/update', { taskId, inputResponses: { a: { action: 'decline' } } });
    expect(await answers[0]).toEqual({ a: { action: 'decline' }, b: YES });
    await wire.reaches(taskId, 'working');
    run.end(textResult('done'));
    await wire.reaches(taskId, 'completed');
  });

  test('is told when the task is cancelled, and can ask no more', async () => {
    const wire = new TaskWire();
    const { taskId, run } = await wire.task();
    const answer = run.context.askInTask({ a: QUESTION });
    await wire.reaches(taskId, 'input_required');
    const rejected = expect(answer).rejects.toThrow('The client has cancelled the task.');
    await wire.ask('tasks/cancel', { taskId });
    await rejected;
    await expect(run.context.askInTask({ b: QUESTION })).rejects.toThrow('The client has cancelled the task.');
    run.fail(new Error('aborted'));
    await wire.reaches(taskId, 'cancelled');
  });

  test('cannot before the call is a task', async () => {
    const wire = new TaskWire({ afterMs: 60_000 });
    const call = wire.call();
    await expect.poll(() => wire.runs.length).toBe(1);
    const { context, end } = wire.runs[0]!;
    await expect(context.askInTask({ a: QUESTION })).rejects.toThrow('The call is not a task.');
    end(textResult('done'));
    await call;
  });
});
