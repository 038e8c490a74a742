import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Log } from '../../log/log.js';

const MAX_CACHED = 10_000;

/** Writes problems to the log, each once. `plugin` is undefined for those of a plugins folder. */
export function createProblemLog(log: Log): (plugin: string | undefined, problem: PluginProblem) => void {
  const logged = new Set<string>();
  return (plugin, { severity, code, message, hint, location }) => {
    const key = JSON.stringify([plugin, code, message, location]);
    if (logged.has(key)) return;
    // After this, a problem can be logged again; it happens only if plugins keep having new problems.
    if (logged.size >= MAX_CACHED) logged.clear();
    logged.add(key);
    log[severity === 'error' ? 'error' : 'warn'](message, {
      ...(plugin !== undefined && { plugin }),
      code,
      ...location,
      hint,
    });
  };
}
