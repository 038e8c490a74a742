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
  readonly number: number;
  readonly startedAt: number;
  /** Resolves when it has loaded, failed, or had its time. */
  firstResult?: Promise<void>;
  /** It took longer than its time. */
  wasTooSlow?: boolean;
  /** Resolves when a load that took longer than its time has ended after all. */
  continuing?: Promise<void> | undefined;
}

/** A plugin as far as it has come. */
export interface CatalogEntry {
  candidate: Candidate;
  /** There once it has loaded. */
  runner?: Runner | undefined;
  /** What the runner offered when it was last reviewed. */
  definition?: PluginDefinition | undefined;
  /** What it provided when an earlier start remembered it; set if it does not load. */
  remembered?: PluginDefinition | undefined;
  /** Why it did not load, or why its newer code did not. */
  failure?: PluginProblem | undefined;
  loadMs?: number | undefined;
  /** How often what runs it ended without being asked to. */
  crashes?: number;
  /** Its latest load. */
  load?: Load;
  /** Number of the load that produced `runner`. A slow load can finish after a newer one. */
  loadedSequence?: number;
  /** How its files stood when it was loaded. */
  fingerprint?: Fingerprint | undefined;
  /** In how many loads running its files changed meanwhile. */
  changesDuringLoad?: number;
  /** Someone wants to know what it offers now, whatever is remembered of it. */
  forceReload?: boolean;
  review?: Review | undefined;
  /** Values of the parameter `action` that are accepted but not listed; of the server's own tools. */
  unlistedActions?: readonly string[];
  /** The name that it gave itself with `definePlugin`. */
  settingsName?: string | undefined;
}

/** Why nothing of the plugin may run until it is trusted. */
export const blockedReasonOf = ({ review }: CatalogEntry) => (review?.isBlocked ? review.problems[0] : undefined);

/** The problem of a plugin whose last definition is not compared yet. */
export function changesTooFast({ entry, path }: Candidate): PluginProblem {
  return {
    severity: 'error',
    code: 'PLUGIN_DEFINITION_CHANGED',
    message: 'It keeps changing its lists, and the last change has not been compared with what is trusted yet.',
    hint: 'Call again in a moment.',
    location: { file: entry ?? path },
  };
}

/** A loader never rejects; one that does after all must not keep the other plugins waiting. */
export function unexpectedLoadError(error: unknown, file: string): PluginProblem {
  const message = `It could not be loaded: ${errorMessage(error)}`;
  const hint = 'This is a bug in Mortise: please report it with this message.';
  return { severity: 'error', code: 'PLUGIN_UNREADABLE', message, hint, location: { file } };
}

/** What runs the plugin now. */
export const runningOf = ({ candidate, runner, crashes = 0 }: CatalogEntry): RunningPlugin => ({
  path: candidate.path,
  processId: runner?.processId,
  crashes,
});

/** Its first load has neither ended nor failed yet. */
export const isLoading = ({ runner, failure, candidate }: CatalogEntry) =>
  !runner && !failure && candidate.entry !== undefined;

/** Its newer code was not loaded, or it has none that could be. */
export const hasFailed = ({ failure, candidate }: CatalogEntry) =>
  failure !== undefined || candidate.entry === undefined;

/** Its settings do not allow it to run, so that it offers nothing: its definitions are what they were. */
export const isDisabled = ({ tools, resources, prompts, problems }: PluginDefinition): boolean =>
  tools.length + resources.length + prompts.length === 0 &&
  problems.some((problem) => problem.severity === 'error' && isOfSettings(problem));

/** The entry of a plugin that is still there, with what its folder says now: another entry point is newer code. */
export function reconciled(existing: CatalogEntry | undefined, candidate: Candidate): CatalogEntry {
  if (!existing) return { candidate };
  if (existing.candidate.entry !== candidate.entry) existing.fingerprint = undefined;
  existing.candidate = candidate;
  return existing;
}

/** Whether the files of the plugin are others than when it was loaded. */
export function hasChanged({ candidate, fingerprint }: CatalogEntry): boolean {
  return !fingerprint || fingerprint.stateHash !== hashNow(candidate, fingerprint);
}

/** The hash of the state that the files have now. */
export function hashNow({ root }: Candidate, { files }: Fingerprint): string {
  return rehash({ ...(root !== undefined && { root }) }, files);
}

/** What the plugin had when it was last seen, by the labels of pins. */
export function knownLabels(
  entry: CatalogEntry | undefined,
  { pinnedLabels }: { pinnedLabels?: ((plugin: PinnedPlugin) => readonly string[]) | undefined },
): readonly string[] {
  if (!entry) return [];
  const { definition, remembered, candidate } = entry;
  const seen = [definition, remembered].flatMap((one) => (one ? labelsOf(one) : []));
  return [...seen, ...(pinnedLabels?.(pinnedAs(candidate)) ?? [])];
}

/** A mounted server is pinned by its name: it has no place of its own. */
export function pinnedAs(candidate: Candidate): PinnedPlugin {
  const { name, path, entry } = candidate;
  return traitsOf(candidate).hasFiles ? { name, path, ...(entry !== undefined && { entry }) } : { name };
}

/** In how many loads running files of a plugin may change before it is taken for the plugin's own doing. */
const MAX_WRITES = { data: 2, code: 6 };

/**
 * What was written while it loaded counts as newer code, for that may be its author's. Where that happens again and
 * again it is the plugin itself that writes there, and would be loaded forever.
 */
export function fingerprintAtLoad(entry: CatalogEntry, before: Fingerprint, log: Log): Fingerprint {
  const { candidate } = entry;
  const stateHash = hashNow(candidate, before);
  const writes = stateHash === before.stateHash ? 0 : (entry.changesDuringLoad ?? 0) + 1;
  entry.changesDuringLoad = writes;
  if (writes < MAX_WRITES.data) return before;
  const isCode = fingerprint(candidate as RunnableCandidate).codeHash !== before.codeHash;
  if (isCode && writes < MAX_WRITES.code) return before;
  const hint = 'Plugins should write to a folder whose name starts with a dot, or outside their own folder.';
  log.warn('a plugin changes its own files each time it loads; these changes no longer cause a reload', {
    plugin: candidate.name,
    hint,
  });
  return { ...before, stateHash };
}
