import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { CAPABILITIES, openRaw, type Raw } from './support/raw-stdio.js';
import { waitFor } from './support/wait-for.js';
import { BIN, createWorkplace } from './support/workplace.js';
import { EXTENSION, PLUGIN, withTasks } from './task-server.js';

const textOf = ({ result }: Raw): string => result.content[0].text;
const codeOf = ({ result }: Raw): string => result.structuredContent.errors[0].code;

/** docs/spec/protocol.md#tasks */
describe('a call that runs long', () => {
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
