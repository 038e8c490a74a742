import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { shared, startHttp } from './support/clients.js';
import { CAPABILITIES, openRaw, type Raw, requestMeta } from './support/raw-stdio.js';
import { waitFor } from './support/wait-for.js';
import { BIN, createWorkplace } from './support/workplace.js';
import { EXTENSION, openServer, PLUGIN, tasksOf, WITH_TASKS, withTasks } from './task-server.js';

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

  it.each(['process', 'none', 'mounted'])('asks while it waits: nothing is done twice (%s)', async (where) => {
    const inner = createWorkplace({ 'plugins/p.mjs': PLUGIN }, { Plugins: { Directory: 'plugins' } });
    const mounted = { command: process.execPath, args: [BIN, 'serve', '--config', inner.config], env: inner.env };
    const plugins = where === 'mounted' ? { McpServers: { m: mounted } } : { Directory: 'plugins', Isolation: where };
    await withTasks({ Plugins: plugins }, async ({ raw, create, file, go, reaches }) => {
      const { taskId } = await create(where === 'mounted' ? 'mcp_m_asks' : 'asks');
      go();
      const { inputRequests } = await reaches(taskId, 'input_required');
      const [[key, question]] = Object.entries(inputRequests) as [[string, Raw]];
      expect(question).toMatchObject({ method: 'elicitation/create', params: { message: 'Name?' } });
      const inputResponses = { [key]: { action: 'accept', content: { name: 'Ada' } } };
      expect((await raw.request('tasks/update', { taskId, inputResponses })).result.resultType).toBe('complete');
      expect(textOf(await reaches(taskId, 'completed'))).toBe('accept Ada');
      if (where !== 'mounted') expect(readFileSync(file, 'utf8')).toBe('run 2026-07-28;');
    });
  });

  it('is failed by a question that the client cannot answer', () =>
    withTasks(
      {},
      async ({ create, go, reaches }) => {
        const { taskId } = await create('asks');
        go();
        expect((await reaches(taskId, 'failed')).error).toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { elicitation: { form: {} } } },
        });
      },
      { extensions: { [EXTENSION]: {} } },
    ));

  it('has PLUGIN_CRASHED as its result when the process of its plugin ends', async () => {
    const { create, go, reaches } = tasksOf(opened());
    const { taskId } = await create('crashes');
    go();
    expect(codeOf(await reaches(taskId, 'completed'))).toBe('PLUGIN_CRASHED');
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

  it('keeps its slot until it ends, and has none while it waits for an answer', () =>
    withTasks({ Plugins: { Directory: 'plugins', MaxConcurrentCalls: 1, MaxQueuedCalls: 0 } }, async (tasks) => {
      const { raw, call, create, go, reaches } = tasks;
      const { taskId } = await create('asks');
      expect(codeOf(await call('quick'))).toBe('TOOL_BUSY');
      go();
      await reaches(taskId, 'input_required');
      expect(textOf(await call('quick'))).toBe('quick');
      const inputResponses = { name: { action: 'decline' } };
      await raw.request('tasks/update', { taskId, inputResponses });
      expect(textOf(await reaches(taskId, 'completed'))).toBe('decline undefined');
    }));

  it('is cancelled when the server is stopped', () =>
    withTasks({}, async ({ raw, create, file }) => {
      await create('ends');
      await raw.close();
      expect(existsSync(file)).toBe(true);
    }));

  it('is answered by its result when it would be one more than Tasks.MaxOpenPerPrincipal', () =>
    withTasks({ Tasks: { AfterMs: 1, MaxOpenPerPrincipal: 1 } }, async ({ raw, workplace, create }) => {
      await create('waits');
      const further = raw.start('tools/call', { name: 'silent', arguments: { file: join(workplace.folder, 'other') } });
      await raw.request('server/discover');
      workplace.write('other', '');
      expect(textOf(await raw.response(further))).toBe('silent');
    }));
});

describe('a client without the extension', () => {
  it('is answered by the result', () =>
    withTasks(
      {},
      async ({ raw, file, go }) => {
        const call = raw.start('tools/call', { name: 'waits', arguments: { file } });
        // Longer than Tasks.AfterMs.
        const startedAt = performance.now();
        await waitFor(() => performance.now() - startedAt > 600);
        go();
        expect(textOf(await raw.response(call))).toBe('version one');
        const { error } = await raw.request('tools/call', { name: 'needs' });
        expect(error).toMatchObject({
          code: -32021,
          data: { requiredCapabilities: { extensions: { [EXTENSION]: {} } } },
        });
      },
      CAPABILITIES,
    ));

  it('hears of a call that reports nothing at least every 10 s, if it sent a progressToken', async () => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, { Plugins: { Directory: 'plugins' } });
    const raw = await openRaw(workplace, '2025-11-25');
    const file = join(workplace.folder, 'go');
    const call = raw.start('tools/call', { name: 'silent', arguments: { file }, _meta: { progressToken: 'p' } });
    const { params } = await raw.find(({ method }) => method === 'notifications/progress');
    expect(params).toEqual({ progressToken: 'p', progress: 0, message: 'Still running' });
    workplace.write('go', '');
    expect(textOf(await raw.response(call))).toBe('silent');
    await raw.close();
  });

  it('cannot call a tool that needs tasks in a session either', async () => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, { Plugins: { Directory: 'plugins' } });
    const raw = await openRaw(workplace, '2025-11-25');
    expect(codeOf(await raw.request('tools/call', { name: 'needs' }))).toBe('CAPABILITY_NOT_AVAILABLE');
    await raw.close();
  });
});

it('there are no tasks with Tasks.AfterMs of 0', () =>
  withTasks({ Tasks: { AfterMs: 0 } }, async ({ raw }) => {
    const { result } = await raw.request('server/discover');
    expect(result.capabilities.extensions).toBeUndefined();
    expect((await raw.request('tasks/get', { taskId: 'x' })).error.code).toBe(-32601);
    expect(textOf(await raw.request('tools/call', { name: 'needs' }))).toBe('done');
  }));

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
