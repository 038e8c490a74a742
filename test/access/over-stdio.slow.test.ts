import { describe, expect, it } from 'vitest';
import { connect, shared } from '../support/clients.js';
import { createWorkplace } from '../support/workplace.js';

const PLUGIN = `export const register = (api) =>
  api.registerTool({ name: 'add', title: 'T', description: 'd', inputSchema: { type: 'object' }, run: () => 'added' });`;

describe('a client over stdio', () => {
  const client = shared((finished) => {
    const settings = { Plugins: { Directory: 'plugins', OnChange: 'refuse' } };
    const workplace = createWorkplace({ 'plugins/sums.mjs': PLUGIN }, settings, finished);
    return connect(workplace, { transport: 'stdio', version: '2025-11-25' }, {}, undefined, [], finished);
  });

  it('may do everything', async () => {
    const reloaded = await client().callTool({ name: 'builtin_plugins', arguments: { action: 'Reload' } });
    expect(reloaded.isError).toBeUndefined();
  });

  it('does not have the tool of operators', async () => {
    const { tools } = await client().listTools();
    expect(JSON.stringify(tools)).not.toMatch(/Reload|Accept|builtin_operate/);
    await expect(client().callTool({ name: 'builtin_operate', arguments: { action: 'Reload' } })).rejects.toThrow();
  });
});
