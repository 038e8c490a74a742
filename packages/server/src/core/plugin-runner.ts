import type { PluginDefinition, PluginHost, PluginInstance, PluginProblem } from '@mortise/plugin/runtime';
import type { RunnableCandidate } from './plugin-candidate.js';
import type { Fingerprint } from './plugin-fingerprint.js';

/** Runs one plugin: in the server, in a separate process, or on a mounted server. Calls do not depend on which. */
export interface Runner extends PluginInstance {
  /** Announces that a call is being validated. The runner can start a process without plugin code in the meantime. */
  expectCall?(): void;
  /**
   * Time that plugin code may continue after its call was ended; default 2,000 (docs/spec/plugin-processes.md#grace).
   */
  readonly graceMs?: number;
  /** Limit of concurrent calls, if it is lower than `Plugins.MaxConcurrentCalls`. */
  readonly maxConcurrentCalls?: number;
  /** True if the plugin's process did not answer a ping within PING_MS, so its thread is blocked. */
  isBlocked?(): boolean;
  readonly processId?: number | undefined;
}

export type LoadedRunner =
  | {
      runner: Runner;
      /** The state of the plugin's files before they were read. */
      fingerprint: Fingerprint;
      /** Set if the definition comes from the cache, complete and validated, and no plugin code was loaded. */
      isCached?: boolean;
    }
  | {
      problem: PluginProblem;
      /** If loading exceeded its time limit: resolves when the load that still continues has ended. */
      afterTimeout?: Promise<LoadedRunner>;
      /** Set if the plugin may load later without a change, for example a mounted server that starts after Mortise. */
      isRetried?: true;
    };

/** The part of a plugin's host that the catalog implements; the runner adds the rest. */
export interface RunnerCallbacks extends Omit<PluginHost, 'processes' | 'server' | 'definitionChanged'> {
  /** Takes over the plugin's new definition. Returns a promise if that takes time. */
  definitionChanged(definition: PluginDefinition): void | Promise<void>;
  readonly environment: Readonly<Record<string, string>>;
  /** Reports that the plugin's process, or the connection to it, ended unexpectedly. @param message for the log */
  crashed(message: string): void;
  /** Returns the reason why the plugin's tools are blocked, in which case calls do not run. */
  blockedReason?(): PluginProblem | undefined;
  /** Returns the definition in use while newer code of the plugin is being loaded. */
  provided?(): PluginDefinition | undefined;
  /** True if the plugin must be loaded although its definition is cached: it is blocked, or a reload was requested. */
  mustReload?(definition: PluginDefinition): boolean;
}

/** Loads one plugin within its time limit. Never rejects: a failure is a problem with its location. */
export type LoadRunner = (candidate: RunnableCandidate, callbacks: RunnerCallbacks) => Promise<LoadedRunner>;
