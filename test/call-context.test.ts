import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import { connect, createClient, shared, startHttp, VERSIONS } from './support/clients.js';
import { progressOf } from './support/observe.js';
import { createWorkplace } from './support/workplace.js';

const PLUGIN = `
export function register(api) {
  const tool = (name, run) => api.registerTool({ name, description: 'd', inputSchema: { type: 'object' }, run });
  tool('counts', (_, { progress }) => {
    progress.report({ done: 0, total: 7, message: 'password=hunter2hunter2' });
    progress.report({ done: 3, total: 7, message: 'c.txt' });
    progress.report({ done: 4096, total: 1e999 });
    return 'ok';
  });
  tool('who', (_, { caller }) => caller);
}`;
const KEY = { Name: 'ci', Key: 'k'.repeat(40) };

/** What a call has at hand, as official clients of both versions see it. */
describe.each(VERSIONS)('the context of a call from a client of %s', (version) => {
  const opened = shared(async (finished) => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, {}, finished);
    return connect(workplace, { transport: 'stdio', version }, {}, undefined, [], finished);
  });

  it('tells who calls', async () => {
    const { structuredContent } = await opened().callTool({ name: 'who' });
    const client = { name: 'mortise-test', version: '1' };
    expect(structuredContent).toEqual({
      metadata: { client, requestId: expect.stringMatching(/^\d+$/) },
      content: expect.any(String),
    });
  });

  it('tells who calls over HTTP: the name of the key, and the session where there is one', async () => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, { Auth: { Keys: [KEY] } });
    const { url } = await startHttp(workplace);
    const transport = new StreamableHTTPClientTransport(new URL(url), {
      requestInit: { headers: { authorization: `Bearer ${KEY.Key}` } },
    });
    const client = createClient(version);
    onTestFinished(() => client.close());
    await client.connect(transport);
    const { metadata } = (await client.callTool({ name: 'who' })).structuredContent as { metadata: object };
    expect(metadata).toMatchObject({ client: { name: 'mortise-test', version: '1' }, principal: 'ci' });
    expect((metadata as { sessionId?: string }).sessionId).toBe(transport.sessionId);
    expect(transport.sessionId === undefined).toBe(version === '2026-07-28');
  });

  it('reports amounts with their total, and without one', async () => {
    const client = opened();
    const seen = progressOf(client);
    await client.callTool({ name: 'counts' }, { onprogress() {} });
    expect(seen).toEqual([
      { progress: 0, total: 7, message: 'password=[REDACTED]' },
      { progress: 3, total: 7, message: 'c.txt' },
      { progress: 4096 },
    ]);
  });
});
