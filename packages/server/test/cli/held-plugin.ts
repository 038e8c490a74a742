import { expect } from 'vitest';
import { connect, type Version } from '../../../../test/support/clients.js';
import type { Workplace } from '../../../../test/support/workplace.js';
import { createTrustedWorkplace, runMortise } from './run-mortise.js';

const tool = (name: string): string =>
  `{ name: '${name}', title: 'T', description: 'd', inputSchema: { type: 'object' }, run: () => 'from ${name}' }`;

const HELD = `import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
export async function register(api) {
  while (!existsSync(join(api.getPluginsDir(), '..', 'go'))) await setTimeout(20);
  api.registerTool(${tool('held')});
}`;

/**
 * `quick`, and `held`, whose register waits for a file `go` (docs/spec/plugins.md#start). The definition of `quick` is remembered, so that
 * it is there in time on any machine.
 */
export async function createWorkplaceWithHeld({ LoadTimeoutMs = 60_000 } = {}): Promise<Workplace> {
  const quick = `export const register = (api) => api.registerTool(${tool('quick')});`;
  const Plugins = { Directory: 'plugins', LoadTimeoutMs };
  const workplace = createTrustedWorkplace({ 'plugins/quick.mjs': quick }, { Plugins });
  await runMortise(workplace, ['list']);
  workplace.write('plugins/held.mjs', HELD);
  return { ...workplace, env: { ...workplace.env, Plugins__StartWaitMs: '1000' } };
}

/** A client sees `quick` at once, and hears of `held` when that is there; a call of `held` waits for it. */
export async function heldJoinsQuick(version: Version): Promise<void> {
  const workplace = await createWorkplaceWithHeld();
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
}
