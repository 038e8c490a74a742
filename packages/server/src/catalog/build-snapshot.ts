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
  /** The host's own tools: they come first, and are no plugin. */
  readonly builtIn?: CatalogEntry | undefined;
}

/** Something offered under names that nothing else may have. */
interface Claim<T> {
  readonly entry: CatalogEntry;
  readonly offered: T;
  readonly keys: readonly string[];
  /** Of a tool: no other may have a name that looks like one of the server's own. */
  readonly spelling?: string;
  /** `tool 'x'`, for messages. */
  readonly what: string;
  readonly subject: string;
}

type Refusals = Map<CatalogEntry, PluginProblem[]>;

/** What each plugin offers, as {@link Claim.what} says it. */
type Holdings = Map<CatalogEntry, Set<string>>;

/** Nothing that comes later takes it away: not where the plugin that offers it runs newer code either. */
const holdings = new WeakMap<Snapshot, Holdings>();

/**
 * Everything that `entries` offer, in their order: of two with one name the first stays, and what `previous` had stays
 * before all. The later is refused, with both origins named in its plugin's problems.
 */
export function buildSnapshot({ entries: plugins, nameStyle, previous, builtIn }: SnapshotOptions): Snapshot {
  const entries = builtIn ? [builtIn, ...plugins] : plugins;
  const refusals: Refusals = new Map(entries.map((entry) => [entry, []]));
  const before = previous && holdings.get(previous);
  const held: Holdings = new Map(entries.map((entry) => [entry, new Set()]));
  /** The host's own and what ships with it come first, whoever loads first. */
  const isOwn = ({ entry }: Claim<unknown>) => entry === builtIn || entry.candidate.bundled !== undefined;
  const isHeld = ({ entry, what }: Claim<unknown>) => before?.get(entry)?.has(what) ?? false;
  const settle = <T extends { runner: Runner }>(code: ProblemCode, claims: Claim<T>[]) =>
    settleClaims(code, claims, { isOwn, isHeld, held, refusals });

  const reserved = reservedNames(builtIn, plugins);
  const allowed = <T>(code: ProblemCode, claims: Claim<T>[]) =>
    claims.filter((claim) => {
      const owner = reserved.keptFor(claim.entry, claim.subject);
      if (owner !== undefined) refusals.get(claim.entry)!.push(nameReserved(code, claim, owner));
      return owner === undefined;
    });

  const tools = settle(
    'TOOL_NAME_DUPLICATE',
    allowed(
      'TOOL_NAME_RESERVED',
      entries.flatMap((entry) => toolClaims(entry, nameStyle)),
    ),
  );
  const resources = settle('RESOURCE_DUPLICATE', [
    ...(builtIn ? hostClaims(builtIn) : []),
    ...entries.flatMap(resourceClaims),
  ]).filter(({ runner }) => runner !== builtIn?.runner);
  const prompts = settle('PROMPT_DUPLICATE', allowed('PROMPT_MALFORMED', entries.flatMap(promptClaims)));
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
    plugins: statuses(plugins, refusals, { tools, resources, prompts }),
    findTool: (name) => byToolName.get(name),
    findPrompt: (name) => byPromptName.get(name),
  };
  holdings.set(snapshot, held);
  return snapshot;
}

const NOTHING: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };

/** What may be shown of it: what is held back until it is trusted offers nothing. */
function offers({ definition = NOTHING, review }: CatalogEntry): PluginDefinition {
  if (review?.isRefused) return NOTHING;
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

function toolClaims(entry: CatalogEntry, nameStyle: NameStyle): Claim<Tool>[] {
  const { candidate, runner } = entry;
  return offers(entry).tools.map((definition) => {
    const { name } = definition;
    const wireName = toWireName(name, candidate.nameStyle ?? nameStyle);
    const offered: Tool = {
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
      offered,
      keys: [name, wireName],
      spelling: spellingOf(name),
      what: `tool '${name}'`,
      subject: name,
    };
  });
}

type Advertised = Pick<Tool, 'advertisedInputSchema' | 'advertisedOutputSchema'>;

/** Definitions are replaced, never mutated, so that what is advertised of each is made once. */
const known = new WeakMap<ToolDefinition, Advertised>();

function advertised(definition: ToolDefinition): Advertised {
  const { inputSchema, outputSchema } = definition;
  const made = known.get(definition) ?? {
    advertisedInputSchema: listableSchema(openSchema(inputSchema)),
    ...(outputSchema && { advertisedOutputSchema: listableSchema(advertisedOutputSchema(outputSchema)) }),
  };
  known.set(definition, made);
  return made;
}

function resourceClaims(entry: CatalogEntry): Claim<Resource>[] {
  return claimsOf(entry, offers(entry).resources);
}

/** The host's own resources, which it lists and reads itself. */
function hostClaims(builtIn: CatalogEntry): Claim<Resource>[] {
  return claimsOf(
    builtIn,
    [...HOST_RESOURCES, ...HOST_TEMPLATES].map((resource) => ({ ...resource, completes: [] })),
  );
}

const ownerOf = ({ candidate }: CatalogEntry) => ({ plugin: candidate.name, place: candidate.path });

function claimsOf(entry: CatalogEntry, resources: readonly ResourceDefinition[]): Claim<Resource>[] {
  const { runner } = entry;
  return resources.map((definition) => {
    const key = definition.uri ?? definition.uriTemplate!;
    const offered = { ...ownerOf(entry), definition, runner: runner! };
    return { entry, offered, keys: [key], what: `resource '${key}'`, subject: key };
  });
}

function promptClaims(entry: CatalogEntry): Claim<Prompt>[] {
  return offers(entry).prompts.map((definition) => {
    const offered = { ...ownerOf(entry), definition, runner: entry.runner! };
    return { entry, offered, keys: [definition.name], what: `prompt '${definition.name}'`, subject: definition.name };
  });
}

interface Settling {
  isOwn(claim: Claim<unknown>): boolean;
  isHeld(claim: Claim<unknown>): boolean;
  held: Holdings;
  refusals: Refusals;
}

function settleClaims<T extends { runner: Runner }>(
  code: ProblemCode,
  claims: readonly Claim<T>[],
  { isOwn, isHeld, held, refusals }: Settling,
): T[] {
  const taken = new Map<string, Claim<T>>();
  const spelled = new Map<string, Claim<T>>();
  const rank = (claim: Claim<T>) => (isOwn(claim) ? 0 : isHeld(claim) ? 1 : 2);
  return [...claims]
    .sort((a, b) => rank(a) - rank(b))
    .flatMap((claim) => {
      const { entry, keys, spelling } = claim;
      const holder =
        keys.map((key) => taken.get(key)).find(Boolean) ??
        (spelling !== undefined && !isOwn(claim) ? spelled.get(spelling) : undefined);
      if (holder) {
        refusals.get(entry)!.push(duplicate(code, claim, holder));
        return [];
      }
      for (const key of keys) taken.set(key, claim);
      if (spelling !== undefined && isOwn(claim)) spelled.set(spelling, claim);
      held.get(entry)!.add(claim.what);
      return [claim.offered];
    });
}

function nameReserved(code: ProblemCode, claim: Claim<unknown>, owner: string): PluginProblem {
  return {
    severity: 'error',
    code,
    message: `The ${claim.what} of ${origin(claim)} is refused: names that read like this one are reserved for ${owner}`,
    hint: 'Choose a name that begins with something else.',
    place: { file: fileOf(claim.entry), subject: claim.subject },
  };
}

function duplicate(code: ProblemCode, claim: Claim<unknown>, holder: Claim<unknown>): PluginProblem {
  const clash =
    holder.subject === claim.subject ? 'has this name' : `has the name ${holder.what}, which clients see as the same`;
  return {
    severity: 'error',
    code,
    message: `The ${claim.what} of ${origin(claim)} is refused: ${origin(holder)} ${clash} already`,
    hint: 'Rename one of them, or take one of the two plugins out of the plugins folder.',
    place: { file: fileOf(claim.entry), subject: claim.subject },
  };
}

const fileOf = ({ candidate }: CatalogEntry) => candidate.entry ?? candidate.path;

function origin({ entry, offered }: Claim<unknown>): string {
  const { origin: way } = (offered as { definition: { origin?: string } }).definition;
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

interface Kept {
  readonly tools: readonly Tool[];
  readonly resources: readonly Resource[];
  readonly prompts: readonly Prompt[];
}

function statuses(plugins: readonly CatalogEntry[], refusals: Refusals, kept: Kept): PluginStatus[] {
  const toolsOf = byRunner(kept.tools, (tool) => tool.wireName);
  const resourcesOf = byRunner(kept.resources, keyOf);
  const promptsOf = byRunner(kept.prompts, (prompt) => prompt.definition.name);
  const all = plugins.map((entry) =>
    toStatus(entry, refusals.get(entry)!, {
      tools: toolsOf(entry.runner),
      resources: resourcesOf(entry.runner),
      prompts: promptsOf(entry.runner),
    }),
  );
  return all.filter((status) => !isMereLibrary(status));
}

/**
 * An assembly that refers to the contract and has no tool of its own is not a plugin
 * (docs/spec/plugins.md#ignored-files).
 */
const isMereLibrary = ({ kind, state, problems }: PluginStatus) =>
  kind === 'dotnet' && state === 'no tools' && problems.length === 0;

/** What each runner offers, by its names. */
function byRunner<T extends { runner: Runner }>(
  offers: readonly T[],
  nameOf: (offered: T) => string,
): (runner: Runner | undefined) => string[] {
  const names = new Map<Runner | undefined, string[]>();
  for (const offered of offers) {
    const known = names.get(offered.runner);
    if (known) known.push(nameOf(offered));
    else names.set(offered.runner, [nameOf(offered)]);
  }
  return (runner) => names.get(runner) ?? [];
}

type Offered = Pick<PluginStatus, 'tools' | 'resources' | 'prompts'>;

function toStatus(entry: CatalogEntry, refused: PluginProblem[], offered: Offered): PluginStatus {
  const { candidate, definition, failure, loadMs, review } = entry;
  const status = {
    name: candidate.name,
    kind: kindOf(candidate),
    path: candidate.path,
    ...offered,
    problems: [
      ...candidate.problems,
      ...(failure ? [failure] : []),
      ...(definition?.problems ?? []),
      ...(review?.problems ?? []),
      ...refused,
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
