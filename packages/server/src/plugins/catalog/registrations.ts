import type { JsonSchema } from '@mortise/plugin';
import type { PluginDefinition, ResourceDefinition, ToolDefinition } from '@mortise/plugin/runtime';
import { openSchema } from '../../call/results/open-schema.js';
import type { NameStyle } from '../../core/plugin-candidate.js';
import { traitsOf } from '../../core/plugin-kinds.js';
import type { Prompt, Resource, Tool } from '../../core/snapshot.js';
import { toWireName } from '../../core/wire-names.js';
import { advertisedOutputSchema, listableSchema } from '../../json-schema/advertised-output-schema.js';
import { resolveDynamicReferences } from '../../json-schema/dynamic-references.js';
import { promptLabel, resourceLabel } from '../pins/plugin-pins.js';
import type { CatalogEntry } from './catalog-entry.js';
import { OWN_RESOURCES, OWN_TEMPLATES } from './mcp-lists.js';
import { spellingOf } from './reserved-names.js';

/** A tool, resource or prompt under the names that nothing else may have. */
export interface Registration<T> {
  readonly entry: CatalogEntry;
  readonly provided: T;
  readonly keys: readonly string[];
  /** Set for tools: names that look like the server's own are refused. */
  readonly spelling?: string;
  /** `tool 'x'`, for messages. */
  readonly what: string;
  readonly subject: string;
}

/** The URI or URI template of a resource. */
export const keyOf = ({ definition }: Pick<Resource, 'definition'>): string =>
  definition.uri ?? definition.uriTemplate!;

const NOTHING: PluginDefinition = { tools: [], resources: [], prompts: [], problems: [] };

/** The definition that may be shown; empty for a plugin that is blocked until it is trusted. */
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

const ANY_ARGUMENTS: JsonSchema = {};

/** The tools of a plugin. */
export function toolRegistrations(entry: CatalogEntry, nameStyle: NameStyle): Registration<Tool>[] {
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
      ...withoutActions(advertised(definition), entry.unlistedActions),
      ...(entry.unlistedActions && { unlistedActions: entry.unlistedActions }),
      ...(traitsOf(candidate).isBundled && { isFirstParty: true }),
      ...((traitsOf(candidate).judgesArguments || definition.checksArguments) && { argumentsSchema: ANY_ARGUMENTS }),
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

/** Definitions are replaced, never mutated, so the advertised form of each is created once. */
const cache = new WeakMap<ToolDefinition, Advertised>();

function advertised(definition: ToolDefinition): Advertised {
  const { inputSchema, outputSchema } = definition;
  const made = cache.get(definition) ?? {
    advertisedInputSchema: withProperties(listableSchema(openSchema(inputSchema))),
    ...(outputSchema && {
      advertisedOutputSchema: listableSchema(advertisedOutputSchema(resolveDynamicReferences(outputSchema))),
    }),
  };
  cache.set(definition, made);
  return made;
}

/** Some hosts drop a tool whose inputSchema has no `properties`, even if it takes nothing. */
function withProperties(schema: JsonSchema): JsonSchema {
  return schema.properties === undefined ? { ...schema, properties: {} } : schema;
}

function withoutActions(schemas: Advertised, actions: readonly string[] | undefined): Advertised {
  const { advertisedInputSchema: schema } = schemas;
  const action = schema.properties?.action as JsonSchema | undefined;
  if (!actions || !Array.isArray(action?.enum)) return schemas;
  const listed = { ...action, enum: action.enum.filter((one) => !actions.includes(one as string)) };
  return { ...schemas, advertisedInputSchema: { ...schema, properties: { ...schema.properties, action: listed } } };
}

/** The resources and templates of a plugin. */
export function resourceRegistrations(entry: CatalogEntry): Registration<Resource>[] {
  return registrationsOf(entry, providedBy(entry).resources);
}

/** The server's own resources, which it lists and reads itself. */
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
    return { entry, provided, keys: [key], what: `resource '${key}'`, subject: key };
  });
}

/** The prompts of a plugin. */
export function promptRegistrations(entry: CatalogEntry): Registration<Prompt>[] {
  return providedBy(entry).prompts.map((definition) => {
    const provided = { ...ownerOf(entry), definition, runner: entry.runner! };
    return { entry, provided, keys: [definition.name], what: `prompt '${definition.name}'`, subject: definition.name };
  });
}
