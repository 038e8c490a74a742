import type {
  PluginDefinition,
  PluginProblem,
  ProblemCode,
  ResourceDefinition,
  ToolDefinition,
} from '@mortise/plugin/runtime';
import type { Candidate, NameStyle } from '../core/plugin-candidate.js';
import type { Runner } from '../core/plugin-runner.js';
import type { PluginStatus } from '../core/plugin-status.js';
import type { Prompt, Resource, Snapshot, Tool } from '../core/snapshot.js';
import { toWireName } from '../core/wire-names.js';
import { advertisedOutputSchema, listableSchema } from '../json-schema/advertised-output-schema.js';
import { promptLabel, resourceLabel } from '../lockfile/tool-pin.js';
import { openSchema } from '../results/open-schema.js';
import type { CatalogEntry } from './catalog-entry.js';
import { HOST_RESOURCES, HOST_TEMPLATES } from './mcp-lists.js';
import { reservedNames, spellingOf } from './reserved-names.js';

export interface SnapshotOptions {
  readonly entries: readonly CatalogEntry[];
  readonly nameStyle: NameStyle;
  /** What it had stays before all. */
  readonly previous?: Snapshot | undefined;
  /** The host's own tools: they come first, and are not a plugin. */
  readonly builtIn?: CatalogEntry | undefined;
}

/** Something offered under names that nothing else may have. */
interface Registration<T> {
  readonly entry: CatalogEntry;
  readonly provided: T;
  readonly keys: readonly string[];
  /** Of a tool: no other may have a name that looks like one of the server's own. */
  readonly spelling?: string;
  /** `tool 'x'`, for messages. */
  readonly what: string;
  readonly subject: string;
}

type NameProblems = Map<CatalogEntry, PluginProblem[]>;

/** What each plugin offers, as {@link Registration.what} says it. */
type RegisteredNames = Map<CatalogEntry, Set<string>>;

/** Nothing that comes later takes it away: not where the plugin that offers it runs newer code either. */
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
  const isOwn = ({ entry }: Registration<unknown>) => entry === builtIn || entry.candidate.bundled !== undefined;
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
    ...(builtIn ? hostClaims(builtIn) : []),
    ...entries.flatMap(resourceRegistrations),
  ]).filter(({ runner }) => runner !== builtIn?.runner);
  const prompts = settle('PROMPT_DUPLICATE', allowed('PROMPT_MALFORMED', entries.flatMap(promptRegistrations)));
  tools.sort(by((tool) => tool.wireName));
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

const NOTHING: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };

/** What may be shown of it: what is held back until it is trusted offers nothing. */
function providedBy({ definition = NOTHING, review }: CatalogEntry): PluginDefinition {
  if (review?.isBlocked) return NOTHING;
  const { withheld } = review ?? {};
  if (!withheld) return definition;
  const { tools, resources, prompts } = definition;
  return {
    ...definition,
    tools: tools.filter(({ name }) => !withheld.has(name)),
    resources: resources.filter((resource) => !withheld.has(resourceLabel(keyOf({ definition: resource })))),
    prompts: prompts.filter(({ name }) => !withheld.has(promptLabel(name))),
  };
}

function toolRegistrations(entry: CatalogEntry, nameStyle: NameStyle): Registration<Tool>[] {
  const { candidate, runner } = entry;
  return providedBy(entry).tools.map((definition) => {
    const { name } = definition;
    const wireName = toWireName(name, candidate.nameStyle ?? nameStyle);
    const provided: Tool = {
      name,
      wireName,
      ...ownerOf(entry),
      definition,
      runner: runner!,
      ...advertised(definition),
      ...(candidate.bundled && { isFirstParty: true }),
    };
    return {
      entry,
      provided,
      keys: [name, wireName],
      spelling: spellingOf(name),
      what: `tool '${name}'`,
      subject: name,
    };
  });
}

type Advertised = Pick<Tool, 'advertisedInputSchema' | 'advertisedOutputSchema'>;

/** Definitions are replaced, never mutated, so that what is advertised of each is made once. */
const cache = new WeakMap<ToolDefinition, Advertised>();

function advertised(definition: ToolDefinition): Advertised {
  const { inputSchema, outputSchema } = definition;
  const made = cache.get(definition) ?? {
    advertisedInputSchema: listableSchema(openSchema(inputSchema)),
    ...(outputSchema && { advertisedOutputSchema: listableSchema(advertisedOutputSchema(outputSchema)) }),
  };
  cache.set(definition, made);
  return made;
}

function resourceRegistrations(entry: CatalogEntry): Registration<Resource>[] {
  return registrationsOf(entry, providedBy(entry).resources);
}

/** The host's own resources, which it lists and reads itself. */
function hostClaims(builtIn: CatalogEntry): Registration<Resource>[] {
  return registrationsOf(
    builtIn,
    [...HOST_RESOURCES, ...HOST_TEMPLATES].map((resource) => ({ ...resource, completes: [] })),
  );
}

const ownerOf = ({ candidate }: CatalogEntry) => ({ plugin: candidate.name, path: candidate.path });

function registrationsOf(entry: CatalogEntry, resources: readonly ResourceDefinition[]): Registration<Resource>[] {
  const { runner } = entry;
  return resources.map((definition) => {
    const key = definition.uri ?? definition.uriTemplate!;
    const provided = { ...ownerOf(entry), definition, runner: runner! };
    return { entry, provided, keys: [key], what: `resource '${key}'`, subject: key };
  });
}

function promptRegistrations(entry: CatalogEntry): Registration<Prompt>[] {
  return providedBy(entry).prompts.map((definition) => {
    const provided = { ...ownerOf(entry), definition, runner: entry.runner! };
    return { entry, provided, keys: [definition.name], what: `prompt '${definition.name}'`, subject: definition.name };
  });
}

interface Settling {
  isOwn(registration: Registration<unknown>): boolean;
  isRegistered(registration: Registration<unknown>): boolean;
  registered: RegisteredNames;
  nameProblems: NameProblems;
}

function resolveNameConflicts<T extends { runner: Runner }>(
  code: ProblemCode,
  registrations: readonly Registration<T>[],
  { isOwn, isRegistered, registered, nameProblems }: Settling,
): T[] {
  const owners = new Map<string, Registration<T>>();
  const spelled = new Map<string, Registration<T>>();
  const rank = (registration: Registration<T>) => (isOwn(registration) ? 0 : isRegistered(registration) ? 1 : 2);
  return [...registrations]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap((registration) => {
      const { entry, keys, spelling } = registration;
      const holder =
        keys.map((key) => owners.get(key)).find(Boolean) ??
        (spelling !== undefined && !isOwn(registration) ? spelled.get(spelling) : undefined);
      if (holder) {
        nameProblems.get(entry)!.push(duplicate(code, registration, holder));
        return [];
      }
      for (const key of keys) owners.set(key, registration);
      if (spelling !== undefined && isOwn(registration)) spelled.set(spelling, registration);
      registered.get(entry)!.add(registration.what);
      return [registration.provided];
    });
}

function nameReserved(code: ProblemCode, registration: Registration<unknown>, owner: string): PluginProblem {
  return {
    severity: 'error',
    code,
    message: `The ${registration.what} of ${origin(registration)} is refused: names that read like this one are reserved for ${owner}`,
    hint: 'Choose a name that begins with something else.',
    location: { file: fileOf(registration.entry), subject: registration.subject },
  };
}

function duplicate(
  code: ProblemCode,
  registration: Registration<unknown>,
  holder: Registration<unknown>,
): PluginProblem {
  const clash =
    holder.subject === registration.subject
      ? 'has this name'
      : `has the name ${holder.what}, which clients see as the same`;
  return {
    severity: 'error',
    code,
    message: `The ${registration.what} of ${origin(registration)} is refused: ${origin(holder)} ${clash} already`,
    hint: 'Rename one of them, or take one of the two plugins out of the plugins folder.',
    location: { file: fileOf(registration.entry), subject: registration.subject },
  };
}

const fileOf = ({ candidate }: CatalogEntry) => candidate.entry ?? candidate.path;

function origin({ entry, provided }: Registration<unknown>): string {
  const { origin: way } = (provided as { definition: { origin?: string } }).definition;
  return `'${entry.candidate.name}' (${fileOf(entry)}${way ? `, ${way}` : ''})`;
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

const keyOf = ({ definition }: Pick<Resource, 'definition'>): string => definition.uri ?? definition.uriTemplate!;

function by<T>(key: (item: T) => string): (a: T, b: T) => number {
  return (a, b) => (key(a) < key(b) ? -1 : 1);
}

interface RestoredState {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}

function statuses(
  plugins: readonly CatalogEntry[],
  nameProblems: NameProblems,
  restored: RestoredState,
): PluginStatus[] {
  const toolsOf = byRunner(restored.tools, (tool) => tool.wireName);
  const resourcesOf = byRunner(restored.resources, keyOf);
  const promptsOf = byRunner(restored.prompts, (prompt) => prompt.definition.name);
  const all = plugins.map((entry) =>
    toStatus(entry, nameProblems.get(entry)!, {
      tools: toolsOf(entry.runner),
      resources: resourcesOf(entry.runner),
      prompts: promptsOf(entry.runner),
    }),
  );
  return all.filter((status) => !isSupportLibrary(status));
}

/**
 * An assembly that refers to the contract and has no tool of its own is not a plugin
 * (docs/spec/plugins.md#ignored-files).
 */
const isSupportLibrary = ({ kind, state, problems }: PluginStatus) =>
  kind === 'dotnet' && state === 'no tools' && problems.length === 0;

/** What each runner offers, by its names. */
function byRunner<T extends { runner: Runner }>(
  providedOne: readonly T[],
  nameOf: (provided: T) => string,
): (runner: Runner | undefined) => string[] {
  const names = new Map<Runner | undefined, string[]>();
  for (const provided of providedOne) {
    const cache = names.get(provided.runner);
    if (cache) cache.push(nameOf(provided));
    else names.set(provided.runner, [nameOf(provided)]);
  }
  return (runner) => names.get(runner) ?? [];
}

type ProvidedDefinitions = Pick<PluginStatus, 'tools' | 'resources' | 'prompts'>;

function toStatus(entry: CatalogEntry, problems: PluginProblem[], provided: ProvidedDefinitions): PluginStatus {
  const { candidate, definition, failure, loadMs, review } = entry;
  const status = {
    name: candidate.name,
    kind: kindOf(candidate),
    path: candidate.path,
    ...provided,
    problems: [
      ...candidate.problems,
      ...(failure ? [failure] : []),
      ...(definition?.problems ?? []),
      ...(review?.problems ?? []),
      ...problems,
    ],
    ...(loadMs !== undefined && { loadMs }),
  };
  return { ...status, state: stateOf(entry, status) };
}

function kindOf({ mounted, isDotnet }: Candidate): PluginStatus['kind'] {
  if (mounted) return 'server';
  return isDotnet ? 'dotnet' : 'module';
}

function stateOf(
  { runner, candidate, failure }: CatalogEntry,
  status: Omit<PluginStatus, 'state'>,
): PluginStatus['state'] {
  if (!runner) return failure || !candidate.entry ? 'failed' : 'loading';
  if (status.tools.length + status.resources.length + status.prompts.length > 0) return 'loaded';
  return status.problems.some(({ severity }) => severity === 'error') ? 'failed' : 'no tools';
}
