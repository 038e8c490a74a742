import type { PluginDefinition, PluginHost, PluginInstance, PluginProblem } from '@mortise/plugin/runtime';
import type { RunnableCandidate } from './plugin-candidate.js';
import type { DefinitionSource } from './plugin-definition.js';
import type { Fingerprint } from './plugin-fingerprint.js';

/**
 * Runs one plugin: in the server, in a separate process, or on a mounted server. The call pipeline treats them all
 * the same.
 */
export interface Runner extends PluginInstance {
  /** What the plugin returned took the server so many milliseconds to work through: it may have to wait for that. */
  charge?(ms: number): void;
  /**
   * How long its code may continue after a call was ended, in milliseconds; default 2,000 (docs/spec/plugins.md#grace).
   */
  readonly graceMs?: number;
  /** Whether its process has not answered a ping within the timeout, so its thread is blocked. */
  isBlocked?(): boolean;
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
      /** What becomes of a plugin whose time was over, or that is tried again, if it still loads. */
      afterTimeout?: Promise<LoadedRunner>;
    };

/** What the catalog is to a plugin; where the plugin runs, the rest of its host is added. */
export interface RunnerCallbacks extends Omit<PluginHost, 'processes' | 'server'> {
  /** Whose definition it is, for its check. */
  readonly source: DefinitionSource;
  /** Why the tools that the plugin offers now are held back: their calls do not run then. */
  blockedReason?(): PluginProblem | undefined;
  /** What it offers while newer code of it is being loaded. */
  provided?(): PluginDefinition | undefined;
  /** Whether the plugin is asked what it offers although this is remembered: it would be held back, or someone wants to know. */
  mustReload?(definition: PluginDefinition): boolean;
}

/** Loads one plugin within its time. Never rejects: why it did not load is a problem with its place. */
export type LoadRunner = (candidate: RunnableCandidate, host: RunnerCallbacks) => Promise<LoadedRunner>;
