import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import type { Review } from '../core/definition-review.js';
import type { Candidate } from '../core/plugin-candidate.js';
import type { Fingerprint } from '../core/plugin-fingerprint.js';
import type { Runner } from '../core/plugin-runner.js';

/** A plugin as far as it has come. */
export interface CatalogEntry {
  candidate: Candidate;
  /** There once it has loaded. */
  runner?: Runner | undefined;
  /** What the runner offers, checked. */
  definition?: PluginDefinition | undefined;
  /** Why it did not load, or why its newer code did not. */
  failure?: PluginProblem | undefined;
  loadMs?: number | undefined;
  /** How often it was begun to load, and which of those the runner is of: one that took its time may be the older. */
  loadSequence?: number;
  loadedSequence?: number;
  /** How its files stood when it was loaded. */
  fingerprint?: Fingerprint | undefined;
  /** In how many loads running its files changed meanwhile. */
  writesAtLoad?: number;
  /** Someone wants to know what it offers now, whatever is remembered of it. */
  forceReload?: boolean;
  review?: Review | undefined;
}
