import type { PluginDefinition, PluginHost, PluginInstance, PluginProblem } from '@mortise/plugin/runtime';
import type { RunnableCandidate } from './plugin-candidate.js';
import type { Fingerprint } from './plugin-fingerprint.js';

/**
 * Runs one plugin: in the server, in a separate process, or on a mounted server. The call pipeline treats them all
 * the same.
 */
export interface Runner extends PluginInstance {
  /** A call will come if nothing is wrong with it: what has nothing of the plugin yet can be started meanwhile. */
  expectCall?(): void;
  /**
   * How long its code may continue after a call was ended, in milliseconds; default 2,000 (docs/spec/plugin-processes.md#grace).
   */
  readonly graceMs?: number;
  /** How many calls of it run at once at most, where `Plugins.MaxConcurrentCalls` allows more. */
  readonly maxConcurrentCalls?: number;
  /** Whether its process has not answered a ping within the timeout, so its thread is blocked. */
  isBlocked?(): boolean;
  /** Its process, if it has one now. */
  readonly processId?: number | undefined;
}

export type LoadedRunner =
  | {
      runner: Runner;
      /** How the plugin's files stood before they were read. */
      fingerprint: Fingerprint;
      /** The definition was kept from an earlier start, complete and checked; nothing was loaded. */
      isCached?: boolean;
    }
  | {
      problem: PluginProblem;
      /** What becomes of a plugin whose time was over, if it still loads. */
      afterTimeout?: Promise<LoadedRunner>;
      /** It may load later without a change, as a server that is started after us. */
      isRetried?: true;
    };

/** What the catalog is to a plugin; where the plugin runs, the rest of its host is added. */
export interface RunnerCallbacks extends Omit<PluginHost, 'processes' | 'server' | 'definitionChanged'> {
  /** It has another definition than before. A promise while that is taken over, where it takes its time. */
  definitionChanged(definition: PluginDefinition): void | Promise<void>;
  /** The environment of its process. */
  readonly environment: Readonly<Record<string, string>>;
  /** Its process, or the connection to it, has ended without being asked to. @param message for the log */
  crashed(message: string): void;
  /** Why the plugin's current tools are blocked; their calls do not run then. */
  blockedReason?(): PluginProblem | undefined;
  /** Its definition while newer code of it is being loaded. */
  provided?(): PluginDefinition | undefined;
  /** Whether the plugin is loaded although its definition is cached: it would be blocked, or a reload was requested. */
  mustReload?(definition: PluginDefinition): boolean;
}

/** Loads one plugin within its time. Never rejects: why it did not load is a problem with its place. */
export type LoadRunner = (candidate: RunnableCandidate, host: RunnerCallbacks) => Promise<LoadedRunner>;
