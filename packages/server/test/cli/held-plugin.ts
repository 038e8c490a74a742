import type { Workplace } from '../../../../test/support/workplace.js';
import { createTrustedWorkplace } from './run-mortise.js';

const tool = (name: string): string =>
  `{ name: '${name}', title: 'T', description: 'd', inputSchema: { type: 'object' }, run: () => 'from ${name}' }`;

/** `quick`, and `held`, whose register waits for a file of that name (docs/spec/plugins.md#start). */
export function workplaceWithHeld(settings: object = {}): Workplace {
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
