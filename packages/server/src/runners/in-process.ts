import { loadPlugin } from '@mortise/plugin/host';
import { describeLoadError } from '../plugins/load-error.js';
import { loadModule } from '../plugins/load-module.js';
import type { LoadRunner } from './runner.js';

/** Runs plugins in the server's own process. @param cacheDir where translated TypeScript is kept; nothing is without it */
export function inProcess(cacheDir?: string): LoadRunner {
  return async ({ entry, root, directory }, host) => {
    const loaded = await loadModule(entry, { root, cacheDir });
    if ('problem' in loaded) return loaded;
    try {
      return { runner: await loadPlugin(loaded.namespace, { file: loaded.file, host }) };
    } catch (error) {
      return { problem: await describeLoadError(error, { entry, root: root ?? directory }) };
    }
  };
}
