import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Log } from '../../log/log.js';

const MAX_REMEMBERED = 10_000;

/**
 * Creates a function that logs each problem once. `plugin` is undefined for problems of a plugins folder or of the
 * settings.
 */
export function createProblemLog(log: Log): (plugin: string | undefined, problem: PluginProblem) => void {
  const logged = new Set<string>();
  return (plugin, { severity, code, message, hint, location }) => {
    const key = JSON.stringify([plugin, code, message, location]);
    if (logged.has(key)) return;
    // Plugins that always have new problems must not fill the memory. Old problems can then be logged again.
    if (logged.size >= MAX_REMEMBERED) logged.clear();
    logged.add(key);
    log[severity === 'error' ? 'error' : 'warn'](message, {
      ...(plugin !== undefined && { plugin }),
      code,
      ...location,
      hint,
    });
  };
}
