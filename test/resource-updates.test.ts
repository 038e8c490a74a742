import { beforeEach, describe, expect, it } from 'vitest';
import { shared } from './support/clients.js';
import { openRaw, type Raw, type RawStdio } from './support/raw-stdio.js';
import { createWorkplace, ROOT } from './support/workplace.js';

const PLUGIN = `
export function register(api) {
  api.registerResource({ uri: 'plugin://one', name: 'one', read: () => 'x' });
  api.registerTool({
    name: 'updates', description: 'd', inputSchema: { type: 'object' },
    run: ({ uris }) => { for (const uri of uris) api.resourceUpdated(uri); return 'ok'; },
  });
}`;
const FOREIGN = `export const register = (api) =>
  api.registerResource({ uri: 'foreign://one', name: 'one', read: () => 'x' });`;
const MOUNTED = { command: process.execPath, args: [`${ROOT}test/mounted-servers/one-chunk.mjs`] };

/** What a client subscribes to: what is listed, and more. */
const URIS = ['foreign://one', 'mortise://plugins', 'unknown://one', 'own://one', 'own://item/7', 'plugin://one'];

const updatesOf = (raw: RawStdio) =>
  raw.notifications('notifications/resources/updated').map(({ params }: Raw) => params.uri);

/** docs/spec/plugin-processes.md#own-updates */
describe('an update of a resource', () => {
  const opened = shared(async (finished) => {
    const raw = await openRaw(
      createWorkplace(
        { 'plugins/p.mjs': PLUGIN, 'plugins/q.mjs': FOREIGN },
        { Plugins: { Directory: 'plugins', McpServers: { m: MOUNTED } } },
        finished,
      ),
      '2025-11-25',
    );
    finished(() => raw.close());
    for (const uri of URIS) await raw.request('resources/subscribe', { uri });
    return raw;
  });
  beforeEach(() => opened().clear());

  it('of a plugin is dropped for a URI that is not its own', async () => {
    const raw = opened();
    await raw.request('tools/call', { name: 'updates', arguments: { uris: URIS } });
    await raw.find(({ method }) => method === 'notifications/resources/updated');
    // A further one comes after all that came of these.
    await raw.request('tools/call', { name: 'updates', arguments: { uris: ['plugin://one'] } });
    await expect.poll(() => updatesOf(raw)).toEqual(['plugin://one', 'plugin://one']);
  });

  it('of a mounted server is dropped for a URI that is not its own, and bad messages lose no others', async () => {
    const raw = opened();
    const { result } = await raw.request('tools/call', { name: 'mcp_m_chunk', arguments: {} });
    expect(result.content[0].text).toBe('answered');
    await expect.poll(() => updatesOf(raw)).toEqual(['own://one', 'own://item/7']);
  });

  it('arrives that comes with a result that cannot be read, and the call ends at once', async () => {
    const raw = opened();
    const { result } = await raw.request('tools/call', { name: 'mcp_m_deep', arguments: {} });
    expect(result.structuredContent.errors[0]).toMatchObject({
      code: 'TOOL_INVALID_RESULT',
      message: expect.stringContaining('result of the unknown type object'),
    });
    await expect.poll(() => updatesOf(raw)).toEqual(['own://one']);
  });
});
