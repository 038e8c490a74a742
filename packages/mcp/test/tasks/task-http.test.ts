import { McpServer } from '@mortise/mcp';
import { type ServedHttp, serveHttp } from '@mortise/mcp/http';
import { afterEach, expect, test } from 'vitest';
import { HttpWire } from '../http/http-wire.js';
import { TASKS } from './task-wire.js';

const wire = new HttpWire();
let served: ServedHttp;

afterEach(() => served.close(0));

/** Serves HTTP with two keys. */
async function open(): Promise<void> {
  wire.waiting.clear();
  const server = new McpServer({ ...wire.mcp.options, tasks: { afterMs: 1 } });
  served = await serveHttp(server, {
    authenticate: ({ headers: { authorization } }) =>
      authorization === undefined ? { status: 401, message: 'No key.' } : { principal: authorization, authorization },
  });
  wire.served = served;
}

const request = (method: string, params: object, principal = 'Ann', more: object = {}) => {
  const name: Record<string, string> = 'taskId' in params ? { 'mcp-name': String(params.taskId) } : {};
  return wire.stateless(method, { ...params, _meta: TASKS }, { authorization: principal, ...name, ...more });
};

async function createTask(): Promise<string> {
  const { body, status } = await request('tools/call', { name: 'wait', arguments: {} });
  expect(status).toBe(200);
  return body.result.taskId;
}

test('a task continues after its connection, and its result is fetched by another', async () => {
  await open();
  const taskId = await createTask();
  const { context, finish } = await wire.started();
  expect(context.signal.aborted).toBe(false);
  expect((await request('tasks/get', { taskId })).body.result.status).toBe('working');
  finish('done');
  await expect
    .poll(async () => (await request('tasks/get', { taskId })).body.result)
    .toMatchObject({ status: 'completed', result: { content: [{ text: 'done' }] } });
});

test('a task of another principal is answered as one that does not exist', async () => {
  await open();
  const taskId = await createTask();
  const methods = [['tasks/get'], ['tasks/cancel'], ['tasks/update', { inputResponses: {} }]] as const;
  for (const [method, more] of methods) {
    const stranger = await request(method, { taskId, ...more }, 'Bob');
    const unknown = await request(method, { taskId: 'unknown', ...more }, 'Bob');
    expect(stranger.body.error).toEqual(unknown.body.error);
    expect(stranger.status).toBe(unknown.status);
    expect(stranger.body.error.code).toBe(-32602);
  }
  const listen = await request('subscriptions/listen', { notifications: { taskIds: [taskId] } }, 'Bob');
  expect(listen.messages[0].params.notifications).toEqual({});
  expect((await wire.started()).context.signal.aborted).toBe(false);
  expect((await request('tasks/get', { taskId })).body.result.status).toBe('working');
});

test('the header Mcp-Name repeats the id of the task', async () => {
  await open();
  const taskId = await createTask();
  for (const name of ['another', '']) {
    const { status, body } = await request('tasks/get', { taskId }, 'Ann', { 'mcp-name': name });
    expect([status, body.error.code]).toEqual([400, -32020]);
  }
});

test('a client without the extension has status 400', async () => {
  await open();
  const { status, body } = await wire.stateless(
    'tasks/get',
    { taskId: 'x' },
    { authorization: 'Ann', 'mcp-name': 'x' },
  );
  expect([status, body.error.code]).toEqual([400, -32021]);
});

test('a task is cancelled when what its client may do is revoked', async () => {
  await open();
  await createTask();
  const { context } = await wire.started();
  served.revoke((authorization) => authorization === 'Bob');
  expect(context.signal.aborted).toBe(false);
  served.revoke((authorization) => authorization === 'Ann');
  expect(context.signal.aborted).toBe(true);
});

test('a task is cancelled when the server closes', async () => {
  await open();
  await createTask();
  const { context } = await wire.started();
  await served.close(0);
  expect(context.signal.aborted).toBe(true);
});
