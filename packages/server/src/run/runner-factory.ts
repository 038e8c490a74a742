import type { PluginDefinition } from '@mortise/plugin/runtime';
import { createReaper } from '@mortise/process';
import type { Redactor } from '@mortise/redact';
import type { ClientRoots } from '../core/client-roots.js';
import type { Candidate } from '../core/plugin-candidate.js';
import { type PluginKindRow, traitsOf } from '../core/plugin-kinds.js';
import type { LoadRunner } from '../core/plugin-runner.js';
import type { Log } from '../log/log.js';
import { DefinitionCache } from '../plugins/load/definition-cache.js';
import type { Settings } from '../settings/settings.js';
import { bundlePath } from '../util/package-root.js';
import { version } from '../util/version.js';
import type { DotnetPlugins } from './dotnet/create-dotnet-runner.js';
import { createPrepared } from './prepared-runner.js';
import { createProcesses } from './process/create-process-runner.js';

export interface RunnerFactoryOptions {
  settings: Settings;
  log: Log;
  /** For what their processes print. */
  redactor: Redactor;
  cacheDir: string | undefined;
  /** What all plugins can read of the settings, as it is now: lists that were made with others do not count. */
  sharedSettings: () => unknown;
  /** What the plugin with this name alone can read of the settings, as it is now. */
  ownSettings: (name: string) => unknown;
  /** The environment of plugins that no setting names. */
  commonEnvironment: () => Readonly<Record<string, string>>;
  /** What mounted servers may ask for outside of calls. */
  roots?: ClientRoots;
  inspect?: ReadonlyMap<string, number> | undefined;
  /** The fixed texts of a plugin that ships with the server. Other plugins cannot add any. */
  onOwnTexts?(texts: string[]): void;
  /** Only one plugin is loaded. */
  isOnePlugin?: boolean;
}

/**
 * Where plugin code runs (`Plugins.Isolation`): one plugin, one process; or all in the server, as what ships with it.
 * Mounted servers run where they are, C# plugins always in processes of their own.
 */
export interface RunnerFactory {
  load: LoadRunner;
  /** What a plugin had when it was last remembered, although its files have changed since. */
  remembered(candidate: Candidate): PluginDefinition | undefined;
  /** Groups of processes that run plugins and mounted servers. */
  readonly processes: number;
  /**
   * All plugins have loaded: time for what must not delay the first answer. Calls back with the plugins whose contents
   * changed although their times say nothing of it; mostly there are none.
   */
  settled(verified: (changed: readonly string[]) => Promise<unknown>): Promise<void>;
  close(): Promise<void>;
}

/** After the first answer, in milliseconds: contents are hashed and the list is written. */
const SETTLE_MS = 500;

export function createRunnerFactory({
  settings,
  log,
  redactor,
  cacheDir,
  sharedSettings,
  ownSettings,
  commonEnvironment,
  roots,
  inspect,
  onOwnTexts,
  isOnePlugin = false,
}: RunnerFactoryOptions): RunnerFactory {
  const { Plugins } = settings;
  const reaper = createReaper(bundlePath('reaper-main.cjs'));
  const { Directory, Limits, Isolation } = Plugins;
  const key = () => [
    Isolation,
    Directory,
    sharedSettings(),
    Limits,
    version,
    process.version,
    process.platform,
    process.arch,
  ];
  const cached = new DefinitionCache({ cacheDir, key, ownSettings, log });
  const processes = createProcesses({
    settings: Plugins,
    log,
    redactor,
    cacheDir,
    cached,
    reaper,
    isOnePlugin,
    commonEnvironment,
    ...(inspect && { inspect }),
  });
  const loadHere = lazily(async () => {
    const { inProcess } = await import('./in-process.js');
    return inProcess({ cacheDir, loadTimeoutMs: Plugins.LoadTimeoutMs, limits: Plugins.Limits, reaper });
  });
  const loadBundled = createPrepared({ reaper, ...(onOwnTexts && { onOwnTexts }) });
  const loadMounted = lazily(async () => {
    const { createMountedLoader } = await import('./mounted/create-mcp-client-runner.js');
    return createMountedLoader({ settings: Plugins, log, redactor, cached, reaper, roots });
  });
  let dotnet: DotnetPlugins | undefined;
  const loadDotnet = lazily(async () => {
    const { createDotnetPlugins } = await import('./dotnet/create-dotnet-runner.js');
    dotnet = createDotnetPlugins({ settings, log, redactor, cached, reaper });
    return dotnet.load;
  });
  let timer: NodeJS.Timeout | undefined;

  const loaders: Readonly<Record<PluginKindRow['runner'], LoadRunner>> = {
    process: Isolation === 'none' ? loadHere : processes.load,
    dotnet: loadDotnet,
    'mcp-client': loadMounted,
    bundled: loadBundled,
  };

  async function verify(verified: (changed: readonly string[]) => Promise<unknown>): Promise<void> {
    const changed = await cached.verify();
    cached.save();
    await verified(changed);
  }

  return {
    get processes() {
      return reaper.size;
    },
    remembered: (candidate) => cached.last(candidate),
    load: (candidate, host) => loaders[traitsOf(candidate).runner](candidate, host),
    async settled(verified) {
      timer = setTimeout(() => {
        verify(verified).catch((error: unknown) => log.warn('plugins could not be verified', { error: String(error) }));
      }, SETTLE_MS).unref();
    },
    async close() {
      clearTimeout(timer);
      dotnet?.close();
      cached.save();
      await processes.close();
      reaper.close();
    },
  };
}

/** A loader that is made when something is first loaded by it. */
function lazily(make: () => Promise<LoadRunner>): LoadRunner {
  let made: Promise<LoadRunner> | undefined;
  return async (candidate, host) => {
    made ??= make();
    return (await made)(candidate, host);
  };
}
