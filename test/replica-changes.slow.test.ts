import { join } from 'node:path';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient, shared } from './support/clients.js';
import { type ListenStream, openListenStream } from './support/listen-stream.js';
import type { Raw } from './support/raw-stdio.js';
import { noRedis } from './support/redis.js';
import { request as send, startReplicas } from './support/replicas.js';
import { PLUGIN, WITH_TASKS } from './task-server.js';

const KEYS = ['Ann', 'Bob'].map((Name) => ({
  Name,
  Key: `${Name}-secret-of-this-test-which-is-long-enough`,
  ...(Name === 'Bob' && { Profile: 'narrow' }),
}));
const [ANN, BOB] = KEYS.map(({ Key }) => Key) as [string, string];

const OTHER = (name: string) => `
export function register(api) {
  for (const uri of ['open://one', 'secret://one']) api.registerResource({ uri, name: uri, read: () => 'x' });
  api.registerTool({
    name: '${name}', description: 'd', inputSchema: { type: 'object' },
    run: () => { for (const uri of ['open://one', 'secret://one']) api.resourceUpdated(uri); return 'ok'; },
  });
}`;
const THIRD = (more: string) => `
export function register(api) {
  api.registerTool({ name: 'secret_tool', description: 'd', inputSchema: { type: 'object' }, run: () => 'x' });
  ${more}
}`;
const LISTS = { toolsListChanged: true, resourcesListChanged: true, promptsListChanged: true };
const URIS = ['open://one', 'secret://one'];

const methodsOf = ({ messages }: ListenStream) => messages.map(({ method }) => method).filter(Boolean);
const urisOf = ({ messages }: ListenStream) =>
  messages.filter(({ method }) => method === 'notifications/resources/updated').map(({ params }) => params.uri);

/** docs/spec/shared.md#changes */
describe.skipIf(noRedis)('a change at one of three replicas', () => {
  const set = shared((finished) =>
    startReplicas({
      plugin: PLUGIN,
      settings: {
        Auth: { Keys: KEYS },
        Profiles: { narrow: { Exclude: ['secret*'] } },
      },
      finished,
    }),
  );
  const urls = () => set().replicas.map(({ url }) => url) as [string, string, string];
  const request = (url: string, method: string, params?: Raw, key = ANN) =>
    send(url, method, params, { key, capabilities: WITH_TASKS });
  const listen = (url: string, notifications: Raw, key = ANN) =>
    openListenStream(url, notifications, { key, capabilities: WITH_TASKS });

  const reload = (at: number) => set().replicas[at]!.process.kill('SIGHUP');

  /** Writes the second plugin, and reloads all replicas, so that each has it. */
  async function addOther(name: string): Promise<void> {
    set().workplace.write('plugins/other.mjs', OTHER(name));
    for (const at of [0, 1, 2]) reload(at);
    for (const url of urls()) {
      const names = async () => (await request(url, 'tools/list')).result.tools.map((tool: Raw) => tool.name);
      await expect.poll(names).toContain(name);
    }
  }

  it('of a resource reaches those who have subscribed at another and may see it', async () => {
    await addOther('updates');
    const [one, two, three] = urls();
    const ann = await listen(two, { resourceSubscriptions: URIS });
    const bob = await listen(two, { resourceSubscriptions: URIS }, BOB);
    const updated: string[] = [];
    const client = createClient('2025-11-25');
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    const headers = { authorization: `Bearer ${BOB}` };
    await client.connect(new StreamableHTTPClientTransport(new URL(three), { requestInit: { headers } }));
    onTestFinished(() => client.close());
    await client.subscribeResource({ uri: 'open://one' });
    await request(one, 'tools/call', { name: 'updates', arguments: {} });
    await expect.poll(() => urisOf(ann)).toEqual(URIS);
    await expect.poll(() => updated).toContain('open://one');
    await request(one, 'tools/call', { name: 'updates', arguments: {} });
    await expect.poll(() => urisOf(bob)).toEqual(['open://one', 'open://one']);
  });

  it('of a list reaches those whose list it changes', async () => {
    await addOther('updates');
    const [, two] = urls();
    const ann = await listen(two, LISTS);
    const bob = await listen(two, LISTS, BOB);
    set().workplace.write('plugins/third.mjs', THIRD(''));
    reload(0);
    await expect.poll(() => methodsOf(ann)).toContain('notifications/tools/list_changed');
    set().workplace.write('plugins/third.mjs', THIRD("api.registerPrompt({ name: 'p', get: () => 'x' });"));
    reload(0);
    await expect.poll(() => methodsOf(bob)).toContain('notifications/prompts/list_changed');
    // A store that was slow for two seconds makes every list be announced.
    const isWhole = () => !set().replicas.some(({ stderr }) => stderr().includes('cannot be used'));
    if (isWhole()) expect(methodsOf(bob).slice(1)).toEqual(['notifications/prompts/list_changed']);
  });

  it('of a task reaches its principal at another, also when its replica is killed', async () => {
    const [one, two, three] = urls();
    const file = join(set().workplace.folder, 'never');
    const { result } = await request(one, 'tools/call', { name: 'waits', arguments: { file } });
    const { taskId } = result;
    const ann = await listen(two, { taskIds: [taskId] });
    const again = await listen(three, { taskIds: [taskId], toolsListChanged: true });
    const bob = await listen(two, { taskIds: [taskId], toolsListChanged: true }, BOB);
    expect(bob.messages[0].params.notifications).toEqual({ toolsListChanged: true });
    await set().kill(0);
    for (const stream of [ann, again]) {
      await expect
        .poll(() => stream.messages.at(-1))
        .toMatchObject({ method: 'notifications/tasks', params: { taskId, error: { data: { code: 'TASK_LOST' } } } });
    }
    await set().restart(0);
    expect(methodsOf(bob)).not.toContain('notifications/tasks');
  });

  it('may be missed while the store is away, so everyone is told to list and read again', async () => {
    await addOther('updates');
    const { redis } = set();
    const [one, two] = urls();
    const ann = await listen(two, { ...LISTS, resourceSubscriptions: URIS });
    const bob = await listen(two, { ...LISTS, resourceSubscriptions: URIS }, BOB);
    await redis.stop('SIGKILL');
    await request(one, 'tools/call', { name: 'updates', arguments: {} });
    await redis.start();
    const all = ['prompts', 'resources', 'tools'].map((list) => `notifications/${list}/list_changed`);
    for (const stream of [ann, bob])
      await expect.poll(() => [...new Set(methodsOf(stream))]).toEqual(expect.arrayContaining(all));
    await expect.poll(() => new Set(urisOf(ann))).toEqual(new Set(URIS));
    await expect.poll(() => new Set(urisOf(bob))).toEqual(new Set(['open://one']));
  });
});
