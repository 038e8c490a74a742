import { pathToFileURL } from 'node:url';
import { loadPlugin } from '@mortise/plugin/runtime';
import type { RunnableCandidate } from '../core/plugin-candidate.js';
import { traitsOf } from '../core/plugin-kinds.js';
import type { LoadedRunner, LoadRunner, Runner, RunnerCallbacks } from '../core/plugin-runner.js';
import { fingerprint } from '../plugin-loading/fingerprint.js';
import { describeLoadError } from '../plugin-loading/load-error.js';
import type { LoadOptions, loadModule, ModuleNamespace } from '../plugin-loading/load-module.js';
import { moduleProblem } from '../plugin-loading/module-size.js';
import type { Reaper } from '../processes/reaper.js';
import { createTrackedProcesses } from '../processes/tracked-processes.js';
import type { PluginLimits } from '../settings/plugin-limits.js';
import { SERVER } from '../util/version.js';
import { withLoadTimeout } from './shared/with-load-timeout.js';

export interface InProcessOptions {
  /** Where translated TypeScript is kept; nothing is without it. */
  cacheDir?: string | undefined;
  /** A plugin that takes longer is a problem first, and joins when it has loaded. */
  loadTimeoutMs: number;
  limits: PluginLimits;
  /** For what the plugins start. */
  reaper: Reaper;
}

const HINT = 'Look for an await at the top level or in register that never settles, or raise Plugins.LoadTimeoutMs.';

/**
 * How long what ships with the server may continue after a call was ended, in milliseconds: it ends process trees, which
 * have 5 s before they are killed, and then says what they had done (docs/spec/dotnet-runtime.md#termination).
 */
const BUNDLED_GRACE_MS = 8000;

/** Runs plugins in the server's own process: those that ship with it, and all with `Plugins.Isolation` `none`. */
export function inProcess({ cacheDir, loadTimeoutMs, limits, reaper }: InProcessOptions): LoadRunner {
  const versions = new Map<string, number>();

  async function load(candidate: RunnableCandidate, owner: RunnerCallbacks): Promise<LoadedRunner> {
    const { entry, root, directory } = candidate;
    const { isBundled } = traitsOf(candidate);
    const version = versions.get(entry) ?? 0;
    versions.set(entry, version + 1);
    const fingerprintAtLoad = fingerprint({ entry, ...(root !== undefined && { root }) });
    const problem = isBundled ? undefined : moduleProblem(fingerprintAtLoad, limits);
    if (problem) return { problem };
    const options = { root, cacheDir, ...(version > 0 && { version }) };
    const loaded = isBundled ? await importBundled(entry) : await loadThirdParty(entry, options);
    if ('problem' in loaded) return loaded;
    const processes = createTrackedProcesses(reaper);
    try {
      const plugin = await loadPlugin(loaded.namespace, {
        file: loaded.file,
        ...(!isBundled && { root }),
        host: { ...owner, server: SERVER, processes },
      });
      const runner = outcomeWith(plugin, processes.end);
      return {
        runner: isBundled ? Object.assign(runner, { graceMs: BUNDLED_GRACE_MS }) : runner,
        fingerprint: fingerprintAtLoad,
      };
    } catch (error) {
      return { problem: await describeLoadError(error, { entry, root: root ?? directory }) };
    }
  }

  return withLoadTimeout(load, loadTimeoutMs, HINT);
}

/** Of what ships with the server it is known how it is to be imported. */
async function importBundled(entry: string): Promise<{ namespace: ModuleNamespace; file: string }> {
  return { namespace: (await import(pathToFileURL(entry).href)) as ModuleNamespace, file: entry };
}

async function loadThirdParty(entry: string, options: LoadOptions): ReturnType<typeof loadModule> {
  const module = await import('../plugin-loading/load-module.js');
  return module.loadModule(entry, options);
}

function outcomeWith(plugin: Runner, end: () => void): Runner {
  const dispose = plugin.dispose.bind(plugin);
  plugin.dispose = () => dispose().finally(end);
  return plugin;
}
