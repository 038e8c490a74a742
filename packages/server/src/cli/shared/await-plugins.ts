import { LOCAL } from '../../core/principal.js';
import type { ServerApi } from '../../core/server-api.js';
import type { Terminal } from './terminal.js';

/**
 * Waits until the plugins have loaded, and says what it waits for when it takes longer than `Plugins.StartWaitMs`.
 * @param isEnough whether what has loaded by then is enough
 */
export async function awaitPlugins(host: ServerApi, terminal: Terminal, isEnough = () => false): Promise<void> {
  await host.listed();
  const loading = host.plugins(LOCAL).filter(({ state }) => state === 'loading');
  if (loading.length === 0 || isEnough()) return;
  const names = loading.map(({ name }) => name).join(', ');
  const { LoadTimeoutMs } = host.settings.Plugins;
  terminal.err(host.redact(`Waiting for plugins to load (at most ${LoadTimeoutMs} ms each): ${names}`));
  await host.ready();
}
