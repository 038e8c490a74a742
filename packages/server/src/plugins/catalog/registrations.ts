import type { JsonSchema } from '@mortise/plugin';
import type { PluginDefinition, ResourceDefinition, ToolDefinition } from '@mortise/plugin/runtime';
import { openSchema } from '../../call/results/open-schema.js';
import type { NameStyle } from '../../core/plugin-candidate.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { Prompt, Resource, Tool } from '../../core/snapshot.js';
import { toWireName } from '../../core/wire-names.js';
import { advertisedOutputSchema, listableSchema } from '../../json-schema/advertised-output-schema.js';
import { resolveDynamicReferences } from '../../json-schema/dynamic-references.js';
import { FILE_LABEL, promptLabel, resourceLabel } from '../pins/plugin-pins.js';
import type { CatalogEntry } from './catalog-entry.js';
import { OWN_RESOURCES, OWN_TEMPLATES } from './mcp-lists.js';
import { spellingOf } from './reserved-names.js';

/** A tool, resource or prompt with the names that it claims for itself. */
export interface Registration<T> {
  readonly entry: CatalogEntry;
  readonly provided: T;
  /** The claimed names; for a resource its URI or URI template. */
  readonly keys: readonly string[];
  /**
   * Only for tools: the result of `spellingOf`. A name with the same spelling as one of the server's own is refused.
   */
  readonly spelling?: string;
  /** The kind and the name for messages, such as `tool 'x'`. */
  readonly displayName: string;
  /** The author's name or the URI, for the location of a problem. */
  readonly subject: string;
}

/** Returns the URI or URI template of a resource. */
export const keyOf = ({ definition }: Pick<Resource, 'definition'>): string =>
  definition.uri ?? definition.uriTemplate!;

const NOTHING: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };

/**
 * Returns the part of the definition that may be published: nothing of a plugin that is blocked until it is trusted.
 */
export function providedBy({ definition = NOTHING, review }: CatalogEntry): PluginDefinition {
  if (review?.isBlocked) return NOTHING;
  const { withheld } = review ?? {};
  if (!withheld) return definition;
  const { instructions, tools, resources, prompts, ...others } = definition;
  return {
    ...others,
    ...(instructions !== undefined && !withheld.has(FILE_LABEL) && { instructions }),
    tools: tools.filter(({ name }) => !withheld.has(name)),
    resources: resources.filter((resource) => !withheld.has(resourceLabel(keyOf({ definition: resource })))),
    prompts: prompts.filter(({ name }) => !withheld.has(promptLabel(name))),
  };
}

const ANY_ARGUMENTS: JsonSchema = {};

interface KnownTools {
  readonly madeFrom: readonly unknown[];
  readonly registrations: readonly Registration<Tool>[];
}

const knownTools = new WeakMap<PluginDefinition, KnownTools>();

/** Returns the same registrations as for the snapshot before, if nothing of the plugin has changed since. */
export function toolRegistrations(entry: CatalogEntry, nameStyle: NameStyle): readonly Registration<Tool>[] {
  const definition = providedBy(entry);
  const madeFrom = [entry, entry.candidate, entry.runner, entry.unlistedActions, nameStyle];
  const known = knownTools.get(definition);
  if (known && madeFrom.every((part, index) => part === known.madeFrom[index])) return known.registrations;
  const registrations = registerTools(entry, definition.tools, nameStyle);
  knownTools.set(definition, { madeFrom, registrations });
  return registrations;
}

function registerTools(
  entry: CatalogEntry,
  tools: readonly ToolDefinition[],
  nameStyle: NameStyle,
): Registration<Tool>[] {
  const { candidate, runner } = entry;
  return tools.map((definition) => {
    const { name } = definition;
    const wireName = toWireName(name, candidate.nameStyle ?? nameStyle);
    const provided: Tool = {
      name,
      wireName,
      ...ownerOf(entry),
      definition,
      runner: runner!,
      ...withoutActions(advertised(definition), entry.unlistedActions),
      ...(entry.unlistedActions && { unlistedActions: entry.unlistedActions }),
      ...(traitsOf(candidate).isBundled && { isFirstParty: true }),
      ...((traitsOf(candidate).judgesArguments || definition.checksArguments) && { argumentsSchema: ANY_ARGUMENTS }),
    };
    return {
      entry,
      provided,
      keys: name === wireName ? [name] : [name, wireName],
      spelling: spellingOf(name),
      displayName: `tool '${name}'`,
      subject: name,
    };
  });
}

type Advertised = Pick<Tool, 'advertisedInputSchema' | 'advertisedOutputSchema'>;

/** Definitions are replaced, never changed, so the advertised schemas of each are created once. */
const advertisedCache = new WeakMap<ToolDefinition, Advertised>();

function advertised(definition: ToolDefinition): Advertised {
  const { inputSchema, outputSchema } = definition;
  const schemas = advertisedCache.get(definition) ?? {
    advertisedInputSchema: withProperties(listableSchema(openSchema(inputSchema))),
    ...(outputSchema && {
      advertisedOutputSchema: listableSchema(advertisedOutputSchema(resolveDynamicReferences(outputSchema))),
    }),
  };
  advertisedCache.set(definition, schemas);
  return schemas;
}

/** Some hosts drop a tool whose inputSchema has no `properties`, even if the tool has no parameters. */
function withProperties(schema: JsonSchema): JsonSchema {
  return schema.properties === undefined ? { ...schema, properties: {} } : schema;
}

function withoutActions(schemas: Advertised, actions: readonly string[] | undefined): Advertised {
  const { advertisedInputSchema: schema } = schemas;
  const action = schema.properties?.action as JsonSchema | undefined;
  if (!actions || !Array.isArray(action?.enum)) return schemas;
  const listed = { ...action, enum: action.enum.filter((value) => !actions.includes(value as string)) };
  return { ...schemas, advertisedInputSchema: { ...schema, properties: { ...schema.properties, action: listed } } };
}

export function resourceRegistrations(entry: CatalogEntry): Registration<Resource>[] {
  return registrationsOf(entry, providedBy(entry).resources);
}

/**
 * Registers the server's own resources, so that no plugin can have their URIs. The server lists and reads them itself.
 */
export function ownResourceRegistrations(builtIn: CatalogEntry): Registration<Resource>[] {
  return registrationsOf(
    builtIn,
    [...OWN_RESOURCES, ...OWN_TEMPLATES].map((resource) => ({ ...resource, completes: [] })),
  );
}

const ownerOf = ({ candidate }: CatalogEntry) => ({ plugin: candidate.name, path: candidate.path });

function registrationsOf(entry: CatalogEntry, resources: readonly ResourceDefinition[]): Registration<Resource>[] {
  const { runner } = entry;
  return resources.map((definition) => {
    const key = definition.uri ?? definition.uriTemplate!;
    const provided = { ...ownerOf(entry), definition, runner: runner! };
    return { entry, provided, keys: [key], displayName: `resource '${key}'`, subject: key };
  });
}

export function promptRegistrations(entry: CatalogEntry): Registration<Prompt>[] {
  return providedBy(entry).prompts.map((definition) => {
    const provided = { ...ownerOf(entry), definition, runner: entry.runner! };
    const { name } = definition;
    return { entry, provided, keys: [name], displayName: `prompt '${name}'`, subject: name };
  });
}
