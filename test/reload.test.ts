import { rmSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { editAllAlong, plugin, textOf } from './edited-plugins.js';
import { connect, type stdioTransport } from './support/clients.js';
import { logOf } from './support/observe.js';
import { waitFor } from './support/wait-for.js';
import { createWorkplace } from './support/workplace.js';

describe('a plugin that is edited while a client is connected', () => {
  const TITLE = 'takes over, stays when it is broken, comes back when it is repaired, and goes when it is deleted';

  it(`${TITLE} (2025-11-25)`, () => editAllAlong('2025-11-25'));
});

describe('reload', () => {
  it('is a tool, and is done at SIGHUP where there is no terminal', async () => {
    const workplace = createWorkplace({
      'plugins/a.mjs': plugin('a', 'one').replace("import { helper } from './lib/helper.mjs';", "const helper = '';"),
    });
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const reload = () => client.callTool({ name: 'builtin.plugins', arguments: { action: 'Reload' } });
    expect(await reload()).toMatchObject({
      content: [{ text: 'Nothing has changed' }],
      structuredContent: { changed: [], failed: [] },
    });
    workplace.write(
      'plugins/c.cjs',
      "module.exports.register = (api) => api.registerTool({ name: 'c', description: 'c', run: () => 1 });",
    );
    expect(await reload()).toMatchObject({ structuredContent: { added: ['c'] } });
    expect(await textOf(client, 'c')).toBe('1');
    const listed = await client.callTool({ name: 'builtin.plugins', arguments: { action: 'List' } });
    expect(listed.structuredContent).toMatchObject({
      plugins: [
        { name: 'a', state: 'loaded' },
        { name: 'c', tools: ['c'] },
      ],
    });

    workplace.write(
      'plugins/d.cjs',
      "module.exports.register = (api) => api.registerTool({ name: 'd', description: 'd', run: () => 1 });",
    );
    process.kill((client.transport as ReturnType<typeof stdioTransport>).pid!, 'SIGHUP');
    await waitFor(async () => (await client.listTools()).tools.some(({ name }) => name === 'd'));
  });
});

describe('a call that waits for its turn while its plugin is reloaded', () => {
  it('is done by the newer code, with the others, or ends where there is none', async () => {
    const source = (words: string, property: string) => `module.exports.register = (api) => api.registerTool({
      name: 'say', description: '${words}',
      inputSchema: { type: 'object', properties: { ${property}: { type: 'string' } }, additionalProperties: false },
      run: async ({ until }) => {
        console.error('saying ' + until);
        while (until && !require('node:fs').existsSync(until)) await new Promise((resolve) => setTimeout(resolve, 10));
        return '${words} ' + process.pid;
      },
    });`;
    const workplace = createWorkplace(
      { 'plugins/a.cjs': source('old', 'until') },
      { Plugins: { Directory: 'plugins', MaxConcurrentCalls: 1 } },
    );
    const client = await connect(workplace, { transport: 'stdio', version: '2025-11-25' });
    const reload = () => client.callTool({ name: 'builtin.plugins', arguments: { action: 'Reload' } });
    const log = logOf(client);
    const waiting = async (goOn: string, changed: () => void) => {
      const until = `${workplace.folder}/${goOn}`;
      const running = textOf(client, 'say', { until });
      await waitFor(() => log().includes(`saying ${until}`));
      const responses = [{}, {}, { until }].map((args) => textOf(client, 'say', args));
      // The server has them when it answers what was sent after them.
      await client.ping();
      changed();
      await reload();
      workplace.write(goOn, '');
      return { running: await running, responses: await Promise.all(responses) };
    };
    expect(await textOf(client, 'say')).toMatch(/^old/);
    const changed = await waiting('first', () => workplace.write('plugins/a.cjs', source('new', 'other')));
    expect(changed.running).toMatch(/^old/);
    const [first, second, refused] = changed.responses;
    expect(first).toMatch(/^new/);
    expect(second).toBe(first);
    expect(refused).toContain('INVALID_PARAMS');
    workplace.write('plugins/a.cjs', source('newer', 'until'));
    await reload();
    expect(await textOf(client, 'say')).toMatch(/^newer/);
    const removed = await waiting('second', () => rmSync(`${workplace.folder}/plugins/a.cjs`));
    expect(removed.running).toMatch(/^newer/);
    for (const text of removed.responses) expect(text).toMatch(/PLUGIN_UNAVAILABLE/);
  });
});
