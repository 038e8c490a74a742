import { describe, expect, it } from 'vitest';
import { connect, VERSIONS } from '../../../../test/support/clients.js';
import { createTrustedWorkplace, runMortise } from './run-mortise.js';

const tool = (name: string): string =>
  `{ name: '${name}', title: 'T', description: 'd', inputSchema: { type: 'object' }, run: () => 'from ${name}' }`;

/** `quick`, and `held`, whose register waits for a file of that name (docs/spec/plugins.md#start). */
function workplaceWithHeld(settings: object = {}) {
  const workplace = createTrustedWorkplace(
    {
      'plugins/quick.mjs': `export const register = (api) => api.registerTool(${tool('quick')});`,
      'plugins/held.mjs': `import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
export async function register(api) {
  while (!existsSync(join(api.getPluginsDir(), '..', 'go'))) await setTimeout(20);
  api.registerTool(${tool('held')});
}`,
    },
    { Plugins: { Directory: 'plugins', LoadTimeoutMs: 60_000, ...settings } },
  );
  return { ...workplace, env: { ...workplace.env, Plugins__StartWaitMs: '3000' } };
}

describe('a register that hangs', () => {
  it.each(VERSIONS)('does not delay the tools of the others, and joins by list_changed (%s)', async (version) => {
    const workplace = workplaceWithHeld();
    let changed = () => {};
    const change = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const client = await connect(
      workplace,
      { transport: 'stdio', version },
      { listChanged: { tools: { autoRefresh: false, onChanged: () => changed() } } },
    );
    const names = async () => (await client.listTools()).tools.map(({ name }) => name);
    expect(await names()).toEqual(['builtin_plugins', 'quick']);
    expect(await client.callTool({ name: 'quick' })).toMatchObject({ content: [{ text: 'from quick' }] });
    const call = client.callTool({ name: 'held' });
    workplace.write('go', '');
    expect(await call).toMatchObject({ content: [{ text: 'from held' }] });
    await change;
    expect(await names()).toEqual(['builtin_plugins', 'held', 'quick']);
  });

  it('does not delay a call of another plugin on the command line', async () => {
    const { code, stdout, stderr } = await runMortise(workplaceWithHeld(), ['call', 'quick']);
    expect({ code, stdout, stderr }).toEqual({ code: 0, stdout: 'from quick\n', stderr: '' });
  });

  it('is named by a command that waits for it', async () => {
    const { stdout, stderr } = await runMortise(workplaceWithHeld({ LoadTimeoutMs: 5000 }), ['list']);
    expect(stderr).toContain('Waiting for plugins to load (at most 5000 ms each): held\n');
    expect(stdout).toContain('The plugin did not load within 5000 ms');
    expect(stdout).toContain('quick');
  });
});
