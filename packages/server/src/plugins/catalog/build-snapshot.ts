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
import { reservedNames } from './reserved-names.js';

export interface SnapshotOptions {
  readonly entries: readonly CatalogEntry[];
  readonly nameStyle: NameStyle;
  /** What it had stays before all. */
  readonly previous?: Snapshot | undefined;
  /** The host's own tools: they come first, and are not a plugin. */
  readonly builtIn?: CatalogEntry | undefined;
}

/** Later changes do not remove a registered name, even if its plugin runs newer code. */
const registeredNames = new WeakMap<Snapshot, RegisteredNames>();

/**
 * Everything that `entries` offer, in their order: of two with one name the first stays, and what `previous` had stays
 * before all. The later is refused, with both origins named in its plugin's problems.
 */
export function buildSnapshot({ entries: plugins, nameStyle, previous, builtIn }: SnapshotOptions): Snapshot {
  const entries = builtIn ? [builtIn, ...plugins] : plugins;
  const nameProblems: NameProblems = new Map(entries.map((entry) => [entry, []]));
  const before = previous && registeredNames.get(previous);
  const registered: RegisteredNames = new Map(entries.map((entry) => [entry, new Set()]));
  /** The host's own and what ships with it come first, whoever loads first. */
  const isOwn = ({ entry }: Registration<unknown>) => entry === builtIn || traitsOf(entry.candidate).isBundled;
  const isRegistered = ({ entry, what }: Registration<unknown>) => before?.get(entry)?.has(what) ?? false;
  const settle = <T extends { runner: Runner }>(code: ProblemCode, registrations: Registration<T>[]) =>
    resolveNameConflicts(code, registrations, { isOwn, isRegistered, registered, nameProblems });

  const reserved = reservedNames(builtIn, plugins);
  const allowed = <T>(code: ProblemCode, registrations: Registration<T>[]) =>
    registrations.filter((registration) => {
      const owner = reserved.ownerOf(registration.entry, registration.subject);
      if (owner !== undefined) nameProblems.get(registration.entry)!.push(nameReserved(code, registration, owner));
      return owner === undefined;
    });

  const tools = settle(
    'TOOL_NAME_DUPLICATE',
    allowed(
      'TOOL_NAME_RESERVED',
      entries.flatMap((entry) => toolRegistrations(entry, nameStyle)),
    ),
  );
  const resources = settle('RESOURCE_DUPLICATE', [
    ...(builtIn ? ownResourceRegistrations(builtIn) : []),
    ...entries.flatMap(resourceRegistrations),
  ]).filter(({ runner }) => runner !== builtIn?.runner);
  const prompts = settle('PROMPT_DUPLICATE', allowed('PROMPT_MALFORMED', entries.flatMap(promptRegistrations)));
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

/** By the portable spelling, unless that is another tool's name; by wire name and author's name. */
function toolNames(tools: readonly Tool[]): Map<string, Tool> {
  const spelled = (spell: (tool: Tool) => string) => tools.map((tool) => [spell(tool), tool] as const);
  return new Map([
    ...spelled(({ name }) => toWireName(name, 'portable')),
    ...spelled(({ name }) => name),
    ...spelled(({ wireName }) => wireName),
  ]);
}
