import type { ProblemCode } from '@mortise/plugin/runtime';
import type { NameStyle } from '../../core/plugin-candidate.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { Runner } from '../../core/plugin-runner.js';
import type { Snapshot, Tool } from '../../core/snapshot.js';
import { byWireName, toWireName } from '../../core/wire-names.js';
import { by } from '../../util/order.js';
import type { CatalogEntry } from './catalog-entry.js';
import { type NameProblems, nameReserved, type RegisteredNames, resolveNameConflicts } from './name-conflicts.js';
import { statuses } from './plugin-statuses.js';
import {
  keyOf,
  ownResourceRegistrations,
  promptRegistrations,
  type Registration,
  resourceRegistrations,
  toolRegistrations,
} from './registrations.js';
import { reservedNames, spellingOf } from './reserved-names.js';

export interface SnapshotOptions {
  readonly entries: readonly CatalogEntry[];
  readonly nameStyle: NameStyle;
  /** The snapshot before this one. Names that it has registered take precedence. */
  readonly previous?: Snapshot | undefined;
  /** The server's own tools. They have no plugin status. */
  readonly builtIn?: CatalogEntry | undefined;
}

/** The names that each snapshot has registered, by entry. A plugin keeps its names when it is reloaded. */
const registeredNames = new WeakMap<Snapshot, RegisteredNames>();

/**
 * Builds the snapshot of everything that the entries provide. If several have the same name, the server's own and
 * bundled plugins take precedence, then names registered in `previous`, then the order of the entries. Each of the
 * others becomes a problem of its plugin that names both origins.
 */
export function buildSnapshot({ entries: plugins, nameStyle, previous, builtIn }: SnapshotOptions): Snapshot {
  const entries = builtIn ? [builtIn, ...plugins] : plugins;
  const nameProblems: NameProblems = new Map(entries.map((entry) => [entry, []]));
  const previousNames = previous && registeredNames.get(previous);
  const registered: RegisteredNames = new Map(entries.map((entry) => [entry, new Set()]));
  const isOwn = ({ entry }: Registration<unknown>) => entry === builtIn || traitsOf(entry.candidate).isBundled;
  const isRegistered = ({ entry, displayName }: Registration<unknown>) =>
    previousNames?.get(entry)?.has(displayName) ?? false;
  const withoutConflicts = <T extends { runner: Runner }>(code: ProblemCode, registrations: Registration<T>[]) =>
    resolveNameConflicts(code, registrations, { isOwn, isRegistered, registered, nameProblems });

  const reserved = reservedNames(builtIn, plugins);
  const withoutReserved = <T>(code: ProblemCode, registrations: Registration<T>[]) =>
    registrations.filter((registration) => {
      const { entry, subject, spelling = spellingOf(subject) } = registration;
      const owner = reserved.ownerOf(entry, spelling);
      if (owner !== undefined) nameProblems.get(entry)!.push(nameReserved(code, registration, owner));
      return owner === undefined;
    });

  const tools = withoutConflicts(
    'TOOL_NAME_DUPLICATE',
    withoutReserved(
      'TOOL_NAME_RESERVED',
      entries.flatMap((entry) => toolRegistrations(entry, nameStyle)),
    ),
  );
  const resources = withoutConflicts('RESOURCE_DUPLICATE', [
    ...(builtIn ? ownResourceRegistrations(builtIn) : []),
    ...entries.flatMap(resourceRegistrations),
  ]).filter(({ runner }) => runner !== builtIn?.runner);
  const prompts = withoutConflicts(
    'PROMPT_DUPLICATE',
    withoutReserved('PROMPT_MALFORMED', entries.flatMap(promptRegistrations)),
  );
  tools.sort(byWireName);
  resources.sort(by((resource) => keyOf(resource)));
  prompts.sort(by((prompt) => prompt.definition.name));

  const byToolName = toolNames(tools);
  const byPromptName = new Map(prompts.map((prompt) => [prompt.definition.name, prompt]));
  const snapshot: Snapshot = {
    tools,
    resources: resources.filter(({ definition }) => definition.uri !== undefined),
    templates: resources.filter(({ definition }) => definition.uriTemplate !== undefined),
    prompts,
    plugins: statuses(plugins, nameProblems, { tools, resources, prompts }),
    findTool: (name) => byToolName.get(name),
    findPrompt: (name) => byPromptName.get(name),
  };
  registeredNames.set(snapshot, registered);
  return snapshot;
}

/**
 * Tools by each name that calls may use. Wire names win over authors' names, and those over the portable spellings.
 */
function toolNames(tools: readonly Tool[]): Map<string, Tool> {
  const withOtherSpellings = tools.filter(
    ({ name, wireName }) => name !== wireName || toWireName(name, 'portable') !== name,
  );
  const byName = new Map<string, Tool>();
  for (const tool of withOtherSpellings) byName.set(toWireName(tool.name, 'portable'), tool);
  for (const tool of withOtherSpellings) byName.set(tool.name, tool);
  for (const tool of tools) byName.set(tool.wireName, tool);
  return byName;
}
