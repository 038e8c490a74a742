import { LOCAL } from '../../core/principal.js';
import type { ServerApi } from '../../core/server-api.js';
import { withTimeout } from '../../util/with-timeout.js';
import type { Terminal } from './terminal.js';

/** After this long a command says what it waits for, in milliseconds. */
const SILENT_MS = 1_000;

/**
 * Waits until the plugins have loaded, and says what it waits for when that takes longer than a second.
 * @param isEnough whether what has loaded by then is enough
 */
export async function awaitPlugins(host: ServerApi, terminal: Terminal, isEnough = () => false): Promise<void> {
  await withTimeout(host.ready(), SILENT_MS);
  const loading = host.plugins(LOCAL).filter(({ state }) => state === 'loading');
  if (loading.length === 0 || isEnough()) return;
  const names = loading.map(({ name }) => name).join(', ');
  const { LoadTimeoutMs } = host.settings.Plugins;
  terminal.err(host.redact(`Waiting for plugins to load (at most ${LoadTimeoutMs} ms each): ${names}`));
  await host.ready();
}
