import { LOCAL } from '../../core/principal.js';
import type { ServerApi } from '../../core/server-api.js';
import { longestLoadMs } from '../../run/shared/load-clock.js';
import { shortWaitMs } from '../../settings/short-wait.js';
import { withTimeout } from '../../util/with-timeout.js';
import type { Terminal } from './terminal.js';

/**
 * Waits until the plugins have loaded. After {@link shortWaitMs} it prints the plugins that it waits for.
 * @param isEnough called at that time; true ends the wait, because the plugins that have loaded are enough
 */
export async function awaitPlugins(server: ServerApi, terminal: Terminal, isEnough = () => false): Promise<void> {
  await withTimeout(server.ready(), shortWaitMs(server.settings.Plugins));
  const loading = server.plugins(LOCAL).filter(({ state }) => state === 'loading');
  if (loading.length === 0 || isEnough()) return;
  const names = loading.map(({ name }) => name).join(', ');
  const longestMs = longestLoadMs(server.settings.Plugins.LoadTimeoutMs);
  terminal.err(server.redact(`Waiting for plugins to load (at most ${longestMs} ms each): ${names}`));
  await server.ready();
}
