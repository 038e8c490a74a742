import { isDeepStrictEqual } from 'node:util';
import type { JsonObject } from '@mortise/plugin';
import type {
  CallChannel,
  Completion,
  CompletionRequest,
  ErrorOutcome,
  ListOutcome,
  Outcome,
  PluginDefinition,
  PromptOutcome,
  ReadOutcome,
  WatchedResource,
} from '@mortise/plugin/runtime';
import type { Reaper } from '@mortise/process';
import { BUNDLED_GRACE_MS } from '../core/grace-period.js';
import type { RunnableCandidate } from '../core/plugin-candidate.js';
import type { LoadRunner, Runner, RunnerCallbacks } from '../core/plugin-runner.js';
import { rehash } from '../plugins/load/fingerprint.js';
import { PluginUnavailableError, toErrorOutcome } from './shared/runner-errors.js';

export interface PreparedOptions {
  /** For what the plugins start. */
  readonly reaper: Reaper;
  onOwnTexts?(texts: string[]): void;
}

/**
 * Runs what ships with the server, in the server. What such a plugin provides is known when the server is built: its code is
 * loaded when it is first used.
 */
export function createPrepared(options: PreparedOptions): LoadRunner {
  return async (candidate, host) => {
    const definition = await candidate.bundled!.prepared();
    return { runner: new PreparedRunner(definition, candidate, host, options), fingerprint: UNCHANGING };
  };
}

/** Its files change with the server. */
const UNCHANGING = { files: [], stateHash: rehash({}, []) };

/** Calls that run at once: each may be a process of the .NET SDK (docs/spec/plugins.md#concurrency). */
const MAX_CONCURRENT_CALLS = 16;

class PreparedRunner implements Runner {
  readonly graceMs = BUNDLED_GRACE_MS;
  readonly maxConcurrentCalls = MAX_CONCURRENT_CALLS;
  readonly #prepared: PluginDefinition;
  readonly #load: () => Promise<Runner>;
  readonly #host: RunnerCallbacks;
  #loading: Promise<Runner> | undefined;
  #loaded: Runner | undefined;

  constructor(
    prepared: PluginDefinition,
    candidate: RunnableCandidate,
    host: RunnerCallbacks,
    { reaper, onOwnTexts }: PreparedOptions,
  ) {
    this.#prepared = prepared;
    this.#host = host;
    this.#load = async () => {
      const { loadBundled } = await import('./in-process.js');
      const loaded = await loadBundled(candidate, host, reaper);
      if ('problem' in loaded) throw new PluginUnavailableError(loaded.problem);
      onOwnTexts?.(loaded.ownTexts);
      return loaded.runner;
    };
  }

  get definition(): PluginDefinition {
    return this.#loaded?.definition ?? this.#prepared;
  }

  callTool(name: string, args: JsonObject | undefined, channel: CallChannel): Promise<Outcome> {
    return this.#use((runner) => runner.callTool(name, args, channel));
  }

  readResource(
    key: string,
    uri: string,
    variables: Record<string, string>,
    channel: CallChannel,
  ): Promise<ReadOutcome> {
    return this.#use((runner) => runner.readResource(key, uri, variables, channel));
  }

  listResources(key: string, channel: CallChannel): Promise<ListOutcome> {
    return this.#use((runner) => runner.listResources!(key, channel));
  }

  getPrompt(name: string, args: Record<string, string>, channel: CallChannel): Promise<PromptOutcome> {
    return this.#use((runner) => runner.getPrompt(name, args, channel));
  }

  async complete(request: CompletionRequest, channel: CallChannel): Promise<Completion> {
    const completion = await this.#use((runner) => runner.complete(request, channel));
    return 'values' in completion ? completion : { values: [] };
  }

  /** Only code that is loaded notices changes. */
  watchResource(resource: WatchedResource): void {
    void this.#use(async (runner) => runner.watchResource?.(resource));
  }

  unwatchResource(uri: string): void {
    void this.#loading?.then((runner) => runner.unwatchResource?.(uri)).catch(() => {});
  }

  async dispose(): Promise<void> {
    const runner = await this.#loading?.catch(() => undefined);
    await runner?.dispose();
  }

  async #use<T>(work: (runner: Runner) => Promise<T>): Promise<T | ErrorOutcome> {
    try {
      return await work(this.#loaded ?? (await this.#start()));
    } catch (error) {
      return toErrorOutcome(this.#host.pluginName, error);
    }
  }

  /** @throws PluginUnavailableError */
  #start(): Promise<Runner> {
    this.#loading ??= this.#load().then(
      (runner) => {
        this.#loaded = runner;
        if (!isDeepStrictEqual(runner.definition, this.#prepared)) this.#host.definitionChanged(runner.definition);
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
