import type { PluginProblem } from '@mortise/plugin/runtime';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { Runner } from '../../core/plugin-runner.js';
import type { PluginStatus } from '../../core/plugin-status.js';
import type { Prompt, Resource, Tool } from '../../core/snapshot.js';
import type { CatalogEntry } from './catalog-entry.js';
import { groupProblems } from './group-problems.js';
import type { NameProblems } from './name-conflicts.js';
import { keyOf, providedBy } from './registrations.js';

/** Everything that plugins provide, after name conflicts are resolved. */
interface AllProvided {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}

export function statuses(
  plugins: readonly CatalogEntry[],
  nameProblems: NameProblems,
  { tools, resources, prompts }: AllProvided,
): PluginStatus[] {
  const toolsOf = byRunner(tools, (tool) => tool.wireName);
  const resourcesOf = byRunner(resources, keyOf);
  const promptsOf = byRunner(prompts, (prompt) => prompt.definition.name);
  const all = plugins.map((entry) =>
    toStatus(entry, nameProblems.get(entry)!, {
      tools: toolsOf(entry.runner),
      resources: resourcesOf(entry.runner),
      prompts: promptsOf(entry.runner),
    }),
  );
  return all.filter((status) => !isSupportLibrary(status));
}

/** An assembly that references the plugin API but has no tool is not a plugin (docs/spec/plugins.md#ignored-files). */
const isSupportLibrary = ({ kind, state, problems }: PluginStatus) =>
  !traitsOf({ kind }).isShownEmpty && state === 'no tools' && problems.length === 0;

/** Groups the names of tools, resources or prompts by their runner. */
function byRunner<T extends { runner: Runner }>(
  allProvided: readonly T[],
  nameOf: (provided: T) => string,
): (runner: Runner | undefined) => string[] {
  const namesByRunner = new Map<Runner | undefined, string[]>();
  for (const provided of allProvided) {
    const names = namesByRunner.get(provided.runner);
    if (names) names.push(nameOf(provided));
    else namesByRunner.set(provided.runner, [nameOf(provided)]);
  }
  return (runner) => namesByRunner.get(runner) ?? [];
}

type ProvidedNames = Pick<PluginStatus, 'tools' | 'resources' | 'prompts'>;

function toStatus(entry: CatalogEntry, nameProblems: PluginProblem[], provided: ProvidedNames): PluginStatus {
  const { candidate, definition, failure, loadMs, review } = entry;
  const { instructions } = providedBy(entry);
  const status = {
    name: candidate.name,
    ...(candidate.version !== undefined && { version: candidate.version }),
    ...(candidate.origin && { origin: candidate.origin }),
    ...(candidate.needs && { needs: candidate.needs }),
    ...(candidate.confinedTo && { confinedTo: candidate.confinedTo }),
    kind: traitsOf(candidate).shownAs,
    path: candidate.path,
    ...provided,
    ...(instructions !== undefined && { instructions }),
    problems: groupProblems([
      ...candidate.problems,
      ...(failure ? [failure] : []),
      ...(definition?.problems ?? []),
      ...(review?.problems ?? []),
      ...nameProblems,
    ]),
    ...(loadMs !== undefined && { loadMs }),
  };
  return { ...status, state: stateOf(entry, status) };
}

function stateOf(
  { runner, candidate, failure }: CatalogEntry,
  status: Omit<PluginStatus, 'state'>,
): PluginStatus['state'] {
  if (!runner) return failure || !candidate.entry ? 'failed' : 'loading';
  if (status.tools.length + status.resources.length + status.prompts.length > 0) return 'loaded';
  return status.problems.some(({ severity }) => severity === 'error') ? 'failed' : 'no tools';
}
