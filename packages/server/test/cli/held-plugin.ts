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
