import type { PluginProblem } from '@mortise/plugin/runtime';
import type { RunningPlugin } from '../../core/plugin-status.js';
import type { Snapshot } from '../../core/snapshot.js';
import type { ChangeListener } from './snapshot-publisher.js';

/** What a reload did, by plugin name. */
export interface ReloadReport {
  added: string[];
  changed: string[];
  removed: string[];
  /** The old code stays where there was some; the reason is in the plugin's problems. */
  failed: string[];
}

/** All plugins, and what they offer at the moment (docs/spec/plugins.md#discovery, docs/spec/plugins.md#reload). */
export interface Catalog {
  /** Resolves when each plugin has loaded, failed, or had its time. Never rejects. */
  ready(): Promise<void>;
  /** Whether each has, and ready() did not resolve because the catalog was closed before. */
  readonly isComplete: boolean;
  /** Resolves when lists can be answered: at ready(), or after `Plugins.StartWaitMs` with what has loaded. Never rejects. */
  listed(): Promise<void>;
  /** Resolves when what has loaded can be called: at ready(), or after an eighth of `Plugins.StartWaitMs`. Never rejects. */
  callable(): Promise<void>;
  /**
   * The client has left: resolves when what has begun to load has loaded, at most after `withinMs`. Lists that wait are
   * answered then. Never rejects.
   */
  finishLoading(withinMs: number): Promise<void>;
  /** What a plugin had when it was last seen, by the labels of pins. @param path of the plugin */
  knownLabels(path: string): readonly string[];
  /** Something of a plugin that is not loaded is called: loads it again if its load took too long, and waits for that. */
  loadAgain(path: string): Promise<void>;
  /** Of what has loaded so far. */
  snapshot(): Snapshot;
  /** The files that the plugins of the folders are made of, as far as they are known. */
  files(): string[];
  /** What is wrong with the plugins folders, and with the settings of plugins once all plugins are known. */
  problems(): readonly PluginProblem[];
  /** What runs each plugin now. */
  running(): readonly RunningPlugin[];
  /**
   * Loads what was added or has changed beside the old, which continues with its running calls; a plugin that does not load
   * keeps its old code. Reloads are queued, and those that wait are done as one.
   * @param changed paths of plugins that have changed although their files' times say nothing of it
   * @param forceReload the name of a plugin that is loaded whether it has changed or not, and not by what is remembered of it
   */
  reload(changed?: readonly string[], forceReload?: string): Promise<ReloadReport>;
  /** Looks into the schemas of what was remembered; no one waited for that. */
  recheck(): Promise<void>;
  /** Reviews every plugin again, because what reviews depend on has changed. */
  reviewAgain(): void;
  /** Tells of changes after `ready()`, those of one tick together. Returns how to stop listening. */
  onChange(listener: ChangeListener): () => void;
  /** Disposes of all plugins, each within two seconds. */
  close(): Promise<void>;
}
