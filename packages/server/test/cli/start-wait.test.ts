import { describe, expect, it } from 'vitest';
import { connect } from '../../../../test/support/clients.js';
import { createWorkplaceWithHeld } from './held-plugin.js';

describe('a register that hangs', () => {
  it('does not delay the tools of the others, and joins by list_changed', async () => {
    const workplace = await createWorkplaceWithHeld();
    let changed = () => {};
    const change = new Promise<void>((resolve) => {
      changed = resolve;
    });
    const client = await connect(
      workplace,
      { transport: 'stdio', version: '2025-11-25' },
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
});
