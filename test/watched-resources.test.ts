import { type Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, createClient, shared, startHttp, VERSIONS, type Version } from './support/clients.js';
import { createWorkplace, type Finished } from './support/workplace.js';

const PLUGIN = `
const events = [];
export function register(api) {
  const watch = (uri, { id }, { signal }) => {
    events.push('begin ' + uri + (id ?? ''));
    const timer = setInterval(() => api.resourceUpdated(uri), 20);
    signal.addEventListener('abort', () => { clearInterval(timer); events.push('end ' + uri); });
  };
  api.registerResource({ uri: 'tail://log', name: 'log', read: () => 'x', watch });
  api.registerResource({ uriTemplate: 'room://{id}', name: 'room', read: () => 'x', watch });
  api.registerTool({ name: 'events', description: 'd', inputSchema: { type: 'object' }, run: () => events.splice(0).join(', ') });
  api.registerTool({ name: 'crash', description: 'd', inputSchema: { type: 'object' }, run: () => process.exit(3) });
}`;

const workplaceOf = (finished: Finished = onTestFinished) =>
  createWorkplace({ 'plugins/p.mjs': PLUGIN }, { Plugins: { Directory: 'plugins', IdleMs: 1500 } }, finished);

/** Subscribes as the version does. @returns what unsubscribes */
async function subscribe(client: Client, version: Version, uri: string): Promise<() => Promise<unknown>> {
  if (version === '2025-11-25') {
    await client.subscribeResource({ uri });
    return () => client.unsubscribeResource({ uri });
  }
  const stream = await client.listen({ resourceSubscriptions: [uri] });
  return () => stream.close();
}

async function textOf(client: Client, name: string): Promise<string> {
  const { content } = await client.callTool({ name });
  return (content as { text: string }[])[0]!.text;
}

/** What `watch` of the plugin has seen since it was asked last, once there is something. */
const eventsOf = async (client: Client) => {
  let events = '';
  await expect.poll(async () => (events = await textOf(client, 'events'))).not.toBe('');
  return events;
};

/** docs/spec/plugin-api.md#watch */
describe('watch of a resource', () => {
  it.each(VERSIONS)('runs over stdio from the first subscription to the end of the last (%s)', async (version) => {
    const client = await connect(workplaceOf(), { transport: 'stdio', version });
    const updated: string[] = [];
    client.setNotificationHandler('notifications/resources/updated', ({ params }) => void updated.push(params.uri));
    expect(await textOf(client, 'events')).toBe('');
    const leave = await subscribe(client, version, 'tail://log');
    expect(await eventsOf(client)).toBe('begin tail://log');
    // The plugin sends one update each 20 ms: a hundred of them take longer than it may be idle.
    await expect.poll(() => updated.length, { timeout: 10_000 }).toBeGreaterThan(100);
    const leaveRoom = await subscribe(client, version, 'room://7');
    expect(await eventsOf(client)).toBe('begin room://77');
    await leave();
    expect(await eventsOf(client)).toBe('end tail://log');

    await client.callTool({ name: 'crash' });
    expect(await eventsOf(client)).toBe('begin room://77');
    await leaveRoom();
    expect(await eventsOf(client)).toBe('end room://7');
  });

  describe('over HTTP', () => {
    const server = shared(async (finished) => startHttp(workplaceOf(finished), [], finished));

    async function clientOf(version: Version) {
      const client = createClient(version);
      const transport = new StreamableHTTPClientTransport(new URL(server().url));
      await client.connect(transport);
      onTestFinished(() => client.close());
      return { client, transport };
    }

    it('runs until the last of several clients of both versions has left', async () => {
      const { client: asking } = await clientOf('2026-07-28');
      const { client: old, transport } = await clientOf('2025-11-25');
      const { client: modern } = await clientOf('2026-07-28');
      await subscribe(old, '2025-11-25', 'tail://log');
      expect(await eventsOf(asking)).toBe('begin tail://log');
      await subscribe(modern, '2026-07-28', 'tail://log');
      await transport.terminateSession();
      expect(await textOf(asking, 'events')).toBe('');
      await modern.close();
      expect(await eventsOf(asking)).toBe('end tail://log');
    });
  });
});
