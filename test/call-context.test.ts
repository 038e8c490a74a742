import { describe, expect, it } from 'vitest';
import { connect, shared, VERSIONS } from './support/clients.js';
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
}`;

/** What a call has at hand, as official clients of both versions see it. */
describe.each(VERSIONS)('the context of a call from a client of %s', (version) => {
  const opened = shared(async (finished) => {
    const workplace = createWorkplace({ 'plugins/p.mjs': PLUGIN }, {}, finished);
    return connect(workplace, { transport: 'stdio', version }, {}, undefined, [], finished);
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
