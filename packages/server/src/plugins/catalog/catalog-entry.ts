import type { PluginDefinition, PluginProblem } from '@mortise/plugin/runtime';
import type { Review } from '../../core/definition-review.js';
import type { Candidate, RunnableCandidate } from '../../core/plugin-candidate.js';
import type { Fingerprint } from '../../core/plugin-fingerprint.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { Runner } from '../../core/plugin-runner.js';
import type { RunningPlugin } from '../../core/plugin-status.js';
import type { Log } from '../../log/log.js';
import { isOfSettings } from '../../settings/setting-owner.js';
import { errorMessage } from '../../util/error-message.js';
import { fingerprint, rehash } from '../load/fingerprint.js';
import type { PinnedPlugin } from '../pins/plugin-key.js';
import { labelsOf } from '../pins/plugin-pins.js';

/** One load of a plugin. */
export interface Load {
  /** Sequence number among the loads of this plugin, from 1. */
  readonly number: number;
  /** Time of `performance.now()`. */
  readonly startedAt: number;
  /** Resolves when the plugin has loaded or failed, or the time limit of the load is over. */
  firstResult?: Promise<void>;
  /** Set if the load exceeded its time limit. */
  wasTooSlow?: boolean;
  /** Set if the load exceeded its time limit and continues: resolves when it has ended. */
  continuing?: Promise<void> | undefined;
}

/** A plugin and its load state. */
export interface CatalogEntry {
  candidate: Candidate;
  /** Set once the plugin has loaded. A reload replaces it when the newer code has loaded. */
  runner?: Runner | undefined;
  /** The runner's definition when it was last reviewed. */
  definition?: PluginDefinition | undefined;
  /** The definition in the cache of an earlier load. Set if the plugin does not load. */
  remembered?: PluginDefinition | undefined;
  /** The problem of the last load, if it failed. `runner` may still run the older code. */
  failure?: PluginProblem | undefined;
  loadMs?: number | undefined;
  /** Number of unexpected ends of the plugin's process or connection. */
  crashes?: number;
  load?: Load;
  /** {@link Load.number} of the load that produced `runner`. A slow load can finish after a newer one. */
  runnerLoadNumber?: number;
  /** The state of the plugin's files with which a reload compares their current state. */
  fingerprint?: Fingerprint | undefined;
  /** Number of consecutive loads during which the plugin's files changed. */
  changesDuringLoad?: number;
  /** Set if the next reload must load the plugin even if its files are unchanged, and without its cached definition. */
  forceReload?: boolean;
  review?: Review | undefined;
  /** Only for the server's own tools: values of the parameter `action` that are accepted but not listed. */
  unlistedActions?: readonly string[];
  /** The name that the plugin's code gives to `definePlugin`. Its settings have this name. */
  settingsName?: string | undefined;
}

/** Returns the problem that blocks the whole plugin until it is trusted; undefined if it is not blocked. */
export const blockedReasonOf = ({ review }: CatalogEntry) => (review?.isBlocked ? review.problems[0] : undefined);

/** The problem of a plugin whose newest definition has not been compared with its pins. */
export function changesTooFast({ entry, path }: Candidate): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_DEFINITION_CHANGED',
    message: 'It keeps changing its lists, and the last change has not been compared with what is trusted yet.',
    hint: 'Call again in a moment.',
    location: { file: entry ?? path },
  };
}

/** The problem of a plugin whose loader rejects, which is a bug. The other plugins still load. */
export function unexpectedLoadError(error: unknown, file: string): PluginProblem {
  const message = `It could not be loaded: ${errorMessage(error)}`;
  const hint = 'This is a bug in Mortise: please report it with this message.';
  return { severity: 'error', code: 'PLUGIN_UNREADABLE', message, hint, location: { file } };
}

export const runningOf = ({ candidate, runner, crashes = 0 }: CatalogEntry): RunningPlugin => ({
  path: candidate.path,
  processId: runner?.processId,
  crashes,
});

/** True while the plugin's first load has no result. */
export const isLoading = ({ runner, failure, candidate }: CatalogEntry) =>
  !runner && !failure && candidate.entry !== undefined;

/** True if the last load failed, or the plugin has no module to load. */
export const hasFailed = ({ failure, candidate }: CatalogEntry) =>
  failure !== undefined || candidate.entry === undefined;

/** True if the plugin provides nothing because its settings are wrong. Its pins must not change then. */
export const isDisabled = ({ tools, resources, prompts, problems }: PluginDefinition): boolean =>
  tools.length + resources.length + prompts.length === 0 &&
  problems.some((problem) => problem.severity === 'error' && isOfSettings(problem));

/**
 * Returns the existing entry with the new candidate, or a new entry. If the entry point is another one, the plugin
 * counts as changed.
 */
export function reconcile(existing: CatalogEntry | undefined, candidate: Candidate): CatalogEntry {
  if (!existing) return { candidate };
  if (existing.candidate.entry !== candidate.entry) existing.fingerprint = undefined;
  existing.candidate = candidate;
  return existing;
}

/** True if the plugin's files have changed since they were loaded. */
export function hasChanged({ candidate, fingerprint }: CatalogEntry): boolean {
  return !fingerprint || fingerprint.stateHash !== hashNow(candidate, fingerprint);
}

/** The current `stateHash` of the files of a fingerprint. */
export function hashNow({ root }: Candidate, { files }: Fingerprint): string {
  return rehash({ ...(root !== undefined && { root }) }, files);
}

/** Returns the pin labels of everything that the plugin provides, has in its cached definition, or has pinned. */
export function knownLabels(
  entry: CatalogEntry | undefined,
  { pinnedLabels }: { pinnedLabels?: ((plugin: PinnedPlugin) => readonly string[]) | undefined },
): readonly string[] {
  if (!entry) return [];
  const { definition, remembered, candidate } = entry;
  const labels = [definition, remembered].flatMap((known) => (known ? labelsOf(known) : []));
  return [...labels, ...(pinnedLabels?.(pinnedAs(candidate)) ?? [])];
}

/** The identity by which a plugin is pinned: its paths, or only its name if it has no files, like a mounted server. */
export function pinnedAs(candidate: Candidate): PinnedPlugin {
  const { name, path, entry, needs, origin } = candidate;
  if (!traitsOf(candidate).hasFiles) return { name };
  return {
    ...{ name, path },
    ...(entry !== undefined && { entry }),
    ...(needs && { needs }),
    ...(origin?.from === 'package' && { package: origin }),
  };
}

/** Consecutive loads with changed files after which the plugin itself is assumed to write them. */
const MAX_LOADS_WITH_CHANGES = { data: 2, code: 6 };

/**
 * Returns the fingerprint to remember after a load. If files changed during the load, the plugin is loaded again, because
 * its author may have saved them. A plugin that writes its own files would then reload forever, so after several such
 * loads the changes are accepted and logged.
 * @param before the state before the load
 */
export function fingerprintAtLoad(entry: CatalogEntry, before: Fingerprint, log: Log): Fingerprint {
  const { candidate } = entry;
  const stateHash = hashNow(candidate, before);
  const loadsWithChanges = stateHash === before.stateHash ? 0 : (entry.changesDuringLoad ?? 0) + 1;
  entry.changesDuringLoad = loadsWithChanges;
  if (loadsWithChanges < MAX_LOADS_WITH_CHANGES.data) return before;
  const isCode = fingerprint(candidate as RunnableCandidate).codeHash !== before.codeHash;
  if (isCode && loadsWithChanges < MAX_LOADS_WITH_CHANGES.code) return before;
  const hint = 'Plugins should write to a folder whose name starts with a dot, or outside their own folder.';
  log.warn('a plugin changes its own files each time it loads; these changes no longer cause a reload', {
    plugin: candidate.name,
    hint,
  });
  return { ...before, stateHash };
}
