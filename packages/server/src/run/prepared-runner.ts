import { isDeepStrictEqual } from 'node:util';
import type {
  CallChannel,
  PluginDefinition,
  PluginResults,
  PluginWork,
  WatchedResource,
} from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import { BUNDLED_GRACE_MS } from '../core/grace-period.js';
import type { RunnableCandidate } from '../core/plugin-candidate.js';
import type { LoadRunner, Runner, RunnerCallbacks } from '../core/plugin-runner.js';
import { rehash } from '../plugins/load/fingerprint.js';
import { PluginUnavailableError, toErrorOutcome } from './shared/runner-errors.js';

export interface PreparedOptions {
  /** Ends the processes that the plugins start. */
  readonly reaper: Reaper;
  /** Called with the fixed texts of a plugin, which are never redacted, when its code has loaded. */
  onOwnTexts?(texts: string[]): void;
}

/**
 * Creates the loader of plugins that ship with the server and run inside it. Their definitions are known when the server
 * is built, so their code is loaded only when it is first used.
 */
export function createPrepared(options: PreparedOptions): LoadRunner {
  return async (candidate, callbacks) => {
    const definition = await candidate.bundled!.prepared();
    return { runner: new PreparedRunner(definition, candidate, callbacks, options), fingerprint: UNCHANGING };
  };
}

/** The fingerprint of a bundled plugin, whose files change only with the server. */
const UNCHANGING = { files: [], stateHash: rehash({}, []) };

/** Each call may be a process of the .NET SDK (docs/spec/plugin-processes.md#concurrency). */
const MAX_CONCURRENT_CALLS = 16;

class PreparedRunner implements Runner {
  readonly graceMs = BUNDLED_GRACE_MS;
  readonly maxConcurrentCalls = MAX_CONCURRENT_CALLS;
  readonly #prepared: PluginDefinition;
  readonly #load: () => Promise<Runner>;
  readonly #callbacks: RunnerCallbacks;
  #loading: Promise<Runner> | undefined;
  #loaded: Runner | undefined;

  constructor(
    prepared: PluginDefinition,
    candidate: RunnableCandidate,
    callbacks: RunnerCallbacks,
    { reaper, onOwnTexts }: PreparedOptions,
  ) {
    this.#prepared = prepared;
    this.#callbacks = callbacks;
    this.#load = async () => {
      const { loadBundled } = await import('./in-process.js');
      const loaded = await loadBundled(candidate, callbacks, reaper);
      if ('problem' in loaded) throw new PluginUnavailableError(loaded.problem);
      onOwnTexts?.(loaded.ownTexts);
      return loaded.runner;
    };
  }

  get definition(): PluginDefinition {
    return this.#loaded?.definition ?? this.#prepared;
  }

  async run<W extends PluginWork>(work: W, channel: CallChannel): Promise<PluginResults[W['do']]> {
    try {
      return await (this.#loaded ?? (await this.#start())).run(work, channel);
    } catch (error) {
      return toErrorOutcome(this.#callbacks.pluginName, error);
    }
  }

  /** Loads the code, because only loaded code notices changes. */
  watchResource(resource: WatchedResource): void {
    void this.#start()
      .then((runner) => runner.watchResource?.(resource))
      .catch(() => {});
  }

  unwatchResource(uri: string): void {
    void this.#loading?.then((runner) => runner.unwatchResource?.(uri)).catch(() => {});
  }

  async dispose(): Promise<void> {
    const runner = await this.#loading?.catch(() => undefined);
    await runner?.dispose();
  }

  /** @throws PluginUnavailableError */
  #start(): Promise<Runner> {
    this.#loading ??= this.#load().then(
      (runner) => {
        this.#loaded = runner;
        if (!isDeepStrictEqual(runner.definition, this.#prepared)) this.#callbacks.definitionChanged(runner.definition);
        return runner;
      },
      (error) => {
        this.#loading = undefined;
        throw error;
      },
    );
    return this.#loading;
  }
}
