import { once } from 'node:events';
import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it } from 'vitest';
import { createClient, shared, stop } from './support/clients.js';
import { openListenStream } from './support/listen-stream.js';
import type { Raw } from './support/raw-stdio.js';
import { noNginx, noRedis } from './support/redis.js';
import { type Replica, request as send, startNginx, startReplicas } from './support/replicas.js';
import { PLUGIN, WITH_TASKS } from './task-server.js';

const KEYS = ['Ann', 'Bob'].map((Name) => ({ Name, Key: `${Name}-secret-of-this-test-which-is-long-enough` }));
const [ANN, BOB] = KEYS.map(({ Key }) => Key) as [string, string];
const WITHOUT_TASKS = { elicitation: { form: {} } };

/** docs/spec/shared.md#tasks */
describe.skipIf(noRedis ?? noNginx)('three replicas behind nginx', () => {
  const set = shared(async (finished) => {
    const started = await startReplicas({ plugin: PLUGIN, settings: { Auth: { Keys: KEYS } }, finished });
    return { ...started, url: await startNginx(started.replicas, started.workplace, finished) };
  });
  const urls = () => set().replicas.map(({ url }) => url) as [string, string, string];
  const request = (url: string, method: string, params?: Raw, key = ANN, capabilities: object = WITH_TASKS) =>
    send(url, method, params, { key, capabilities });
  let lastFile = 0;
  const newFile = () => join(set().workplace.folder, `go-${++lastFile}`);
  const go = (file: string) => set().workplace.write(file.slice(set().workplace.folder.length + 1), '');

  async function createTask(url: string, name: string, file = newFile()): Promise<{ taskId: string; file: string }> {
    const { result } = await request(url, 'tools/call', { name, arguments: { file } });
    return { taskId: result.taskId, file };
  }

  const statusAt = async (url: string, taskId: string) => (await request(url, 'tasks/get', { taskId })).result;

  it('answer for a task of any of them, through the address of all', async () => {
    const { url } = set();
    const { taskId, file } = await createTask(url, 'waits');
    for (const at of [url, ...urls()])
      await expect.poll(() => statusAt(at, taskId)).toMatchObject({ status: 'working', statusMessage: '25 %: begun' });
    go(file);
    for (const at of [url, ...urls()]) {
      await expect
        .poll(() => statusAt(at, taskId))
        .toMatchObject({ status: 'completed', result: { content: [{ text: 'version one' }] } });
    }
  });

  it('have their names in the log', () => {
    for (const { name, stderr } of set().replicas) {
      const lines = stderr()
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      expect(lines.length).toBeGreaterThan(0);
      for (const line of lines) expect(line.replica).toBe(name);
      expect(lines.map(({ msg }) => msg)).toContain('Connected to the shared state');
    }
  });

  it('show a task to its principal alone', async () => {
    const [one, two] = urls();
    const { taskId, file } = await createTask(one, 'waits');
    const stranger = await request(two, 'tasks/get', { taskId }, BOB);
    expect(stranger.error).toEqual((await request(two, 'tasks/get', { taskId: 'unknown' }, BOB)).error);
    expect((await request(two, 'tasks/cancel', { taskId }, BOB)).error.code).toBe(-32602);
    go(file);
    await expect.poll(() => statusAt(two, taskId)).toMatchObject({ status: 'completed' });
    expect((await request(two, 'tasks/get', { taskId }, BOB)).error.code).toBe(-32602);
  });

  it('take the answers to the questions of a task from each other', async () => {
    const [one, two, three] = urls();
    const { taskId, file } = await createTask(one, 'asks');
    go(file);
    await expect.poll(() => statusAt(two, taskId)).toMatchObject({ status: 'input_required' });
    const { inputRequests } = await statusAt(three, taskId);
    const answer = { action: 'accept', content: { name: 'Ada' } };
    const inputResponses = Object.fromEntries(Object.keys(inputRequests).map((key) => [key, answer]));
    await request(three, 'tasks/update', { taskId, inputResponses });
    await expect.poll(() => statusAt(two, taskId)).toMatchObject({ result: { content: [{ text: 'accept Ada' }] } });
  });

  it('continue a call that another of them has asked a question for', async () => {
    const [one, two] = urls();
    const file = newFile();
    go(file);
    const params = { name: 'asks', arguments: { file } };
    const { result } = await request(one, 'tools/call', params, ANN, WITHOUT_TASKS);
    expect(result.resultType).toBe('input_required');
    const inputResponses = { name: { action: 'accept', content: { name: 'Bea' } } };
    const more = { ...params, inputResponses, requestState: result.requestState };
    expect((await request(two, 'tools/call', more, ANN, WITHOUT_TASKS)).result.content[0].text).toBe('accept Bea');
  });

  it('keep a session of 2025-11-25 where it was opened, and its client begins again when that one is gone', async () => {
    const { url, replicas, kill, restart } = set();
    const open = async () => {
      const client = createClient('2025-11-25');
      const transport = new StreamableHTTPClientTransport(new URL(url), {
        requestInit: { headers: { authorization: `Bearer ${ANN}` } },
      });
      await client.connect(transport);
      return { client, transport };
    };
    const opened = await Promise.all(Array.from({ length: 6 }, open));
    for (const { client } of opened) {
      for (let calls = 0; calls < 5; calls += 1) {
        expect(await client.callTool({ name: 'quick', arguments: {} })).toMatchObject({ content: [{ text: 'quick' }] });
      }
    }
    const names = opened.map(({ transport }) => transport.sessionId!.split('.')[0]);
    expect(new Set(names).size).toBeGreaterThan(1);
    const [{ client, transport }] = opened as [(typeof opened)[number]];
    const at = replicas.findIndex(({ name }) => name === names[0]);
    await kill(at);
    await expect(client.callTool({ name: 'quick', arguments: {} })).rejects.toThrow(/Session not found/);
    const again = await open();
    expect(again.transport.sessionId).not.toBe(transport.sessionId);
    expect(await again.client.callTool({ name: 'quick', arguments: {} })).toMatchObject({
      content: [{ text: 'quick' }],
    });
    for (const other of [...opened, again]) await other.client.close();
    await restart(at);
  });

  it('say that a task is lost when its replica was killed, and never run it again', async () => {
    const { kill, restart } = set();
    const [one, two, three] = urls();
    const { taskId, file } = await createTask(one, 'waits');
    await kill(0);
    expect(await statusAt(two, taskId)).toMatchObject({ status: 'working' });
    await expect
      .poll(() => statusAt(two, taskId))
      .toMatchObject({
        status: 'failed',
        error: { code: -32603, data: { code: 'TASK_LOST', safeToRepeat: false } },
      });
    await restart(0);
    go(file);
    expect(await statusAt(three, taskId)).toEqual(await statusAt(one, taskId));
  });

  it('end the streams and tasks of one that is stopped, and store how the tasks have ended', async () => {
    const { replicas, restart } = set();
    const [, two, three] = urls();
    const { taskId } = await createTask(two, 'ends');
    await expect.poll(() => statusAt(three, taskId)).toMatchObject({ statusMessage: '25 %: begun' });
    const stream = await openListenStream(two, { toolsListChanged: true }, { key: ANN });
    await stop((replicas[1] as Replica).process);
    expect(await statusAt(three, taskId)).toMatchObject({
      status: 'failed',
      error: { code: -32603, data: { code: 'TASK_LOST', safeToRepeat: false } },
    });
    await stream.ended;
    expect(stream.text()).toContain('retry: 500');
    expect(stream.messages.at(-1)).toMatchObject({ result: { resultType: 'complete' } });
    await restart(1);
  });

  it('let the tasks of one that gets SIGTERM end, and answer for them meanwhile', async () => {
    const { replicas, restart } = set();
    const [, two, three] = urls();
    const { taskId, file } = await createTask(two, 'waits');
    const { process: server } = replicas[1] as Replica;
    const exited = once(server, 'exit');
    server.kill('SIGTERM');
    const isRefused = () =>
      fetch(two).then(
        () => false,
        () => true,
      );
    await expect.poll(isRefused).toBe(true);
    expect(await statusAt(three, taskId)).toMatchObject({ status: 'working' });
    go(file);
    await exited;
    expect(await statusAt(three, taskId)).toMatchObject({ status: 'completed' });
    await restart(1);
  });

  it('go on with what needs no shared state while the store is away', async () => {
    const { redis, url } = set();
    const [one, two] = urls();
    const { taskId, file } = await createTask(one, 'waits');
    await redis.stop();
    const ready = new URL('/readyz', two);
    await expect.poll(async () => (await fetch(ready)).text()).toBe('degraded\n');
    expect((await request(url, 'tools/call', { name: 'quick', arguments: {} })).result.content[0].text).toBe('quick');
    const { error } = await request(two, 'tasks/get', { taskId });
    expect(error).toMatchObject({ code: -32603, data: { code: 'STATE_UNAVAILABLE', retryAfterMs: 1000 } });
    go(file);
    await redis.start();
    await expect.poll(() => statusAt(two, taskId).catch(() => undefined)).toMatchObject({ status: 'completed' });
    await expect.poll(async () => (await fetch(ready)).text()).toBe('ready\n');
  });
});
