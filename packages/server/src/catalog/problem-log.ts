import type { PluginProblem } from '@mortise/plugin/runtime';
import type { Log } from '../logging/log.js';

const MAX_CACHED = 10_000;

/** Writes problems to the log, each once. `plugin` is undefined for those of a plugins folder. */
export function createProblemLog(log: Log): (plugin: string | undefined, problem: PluginProblem) => void {
  const written = new Set<string>();
  return (plugin, { severity, code, message, hint, location }) => {
    const key = JSON.stringify([plugin, code, message, location]);
    if (written.has(key)) return;
    // A plugin that always has another problem is told of again in the end.
    if (written.size >= MAX_CACHED) written.clear();
    written.add(key);
    log[severity === 'error' ? 'error' : 'warn'](message, {
      ...(plugin !== undefined && { plugin }),
      code,
      ...location,
      hint,
    });
  };
}
