import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared, startHttp } from './support/clients.js';
import { type Raw, requestMeta } from './support/raw-stdio.js';
import { createWorkplace } from './support/workplace.js';
import { openServer, PLUGIN, tasksOf, WITH_TASKS } from './task-server.js';

const textOf = ({ result }: Raw): string => result.content[0].text;
const codeOf = ({ result }: Raw): string => result.structuredContent.errors[0].code;

/** docs/spec/protocol.md#tasks */
describe('a call that runs long', () => {
  const opened = shared(async (finished) => {
    const server = await openServer({}, WITH_TASKS, finished);
    finished(() => server.raw.close());
    return server;
  });

  it('becomes a task, says how far it is, and has the result of the call', async () => {
    const { create, get, go, reaches } = tasksOf(opened());
    const { taskId } = await create('waits');
    expect(await get(taskId)).toMatchObject({ status: 'working', statusMessage: '25 %: begun' });
    go();
    expect(textOf(await reaches(taskId, 'completed'))).toBe('version one');
  });

  it('has the error of a tool as its result', async () => {
    const { create, go, reaches } = tasksOf(opened());
    const { taskId } = await create('fails');
    go();
    const task = await reaches(taskId, 'completed');
    expect(task.result.isError).toBe(true);
    expect(textOf(task)).toContain('It failed');
  });

  it('fires the signal of its tool when it is cancelled', async () => {
    const { raw, create, file, reaches } = tasksOf(opened());
    const { taskId } = await create('ends');
    await raw.request('tasks/cancel', { taskId });
    await reaches(taskId, 'cancelled');
    expect(existsSync(file)).toBe(true);
  });

  it('ends with the code that it began with when its plugin is reloaded', async () => {
    const { workplace, call, create, file, go, reaches } = tasksOf(opened());
    const { taskId } = await create('waits');
    workplace.write('plugins/p.mjs', PLUGIN.replace('version one', 'version two'));
    await call('builtin_plugins', { action: 'Reload' });
    go();
    expect(textOf(await reaches(taskId, 'completed'))).toBe('version one');
    const again = await call('waits', { file });
    expect(textOf(again)).toBe('version two');
  });

  it('has PLUGIN_CRASHED as its result when the process of its plugin ends', async () => {
    const { create, go, reaches } = tasksOf(opened());
    const { taskId } = await create('crashes');
    go();
    expect(codeOf(await reaches(taskId, 'completed'))).toBe('PLUGIN_CRASHED');
  });
});

it('a task belongs to its access key', async () => {
  const keys = ['Ann', 'Bob'].map((Name) => ({ Name, Key: `${Name}-secret-of-this-test-which-is-long-enough` }));
  const workplace = createWorkplace(
    { 'plugins/p.mjs': PLUGIN },
    { Tasks: { AfterMs: 1 }, Plugins: { Directory: 'plugins' }, Dotnet: { Enabled: false }, Auth: { Keys: keys } },
  );
  const { url } = await startHttp(workplace);
  const request = async (key: (typeof keys)[number], method: string, params: Raw): Promise<Raw> => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${key.Key}`,
        'mcp-protocol-version': '2026-07-28',
        'mcp-method': method,
        'mcp-name': params.name ?? params.taskId,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta: requestMeta(WITH_TASKS) } }),
    });
    return response.json();
  };
  const [ann, bob] = keys as [(typeof keys)[number], (typeof keys)[number]];
  const call = { name: 'waits', arguments: { file: join(workplace.folder, 'go') } };
  const { taskId } = (await request(ann, 'tools/call', call)).result;
  expect((await request(bob, 'tasks/get', { taskId })).error.code).toBe(-32602);
  expect((await request(bob, 'tasks/cancel', { taskId })).error).toEqual(
    (await request(bob, 'tasks/cancel', { taskId: 'unknown' })).error,
  );
  workplace.write('go', '');
  await expect
    .poll(() => request(ann, 'tasks/get', { taskId }))
    .toMatchObject({ result: { status: 'completed', result: { content: [{ text: 'version one' }] } } });
});
