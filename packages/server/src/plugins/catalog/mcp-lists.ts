import type { JsonObject, JsonSchema } from '@mortise/plugin';
import { type ResourceDefinition, unwrapOutputSchema } from '@mortise/plugin/runtime';
import type { Redactor } from '@mortise/redact';
import { CONTRACT_SCHEMA_URI, CONTRACT_URI } from '../../call/results/contract-page.js';
import { PLUGINS_URI } from '../../core/page-names.js';
import type { ListedPrompt, ListedResource, ListedTemplate, ListedTool, McpLists } from '../../core/server-api.js';
import type { Prompt, Resource, Snapshot, Tool } from '../../core/snapshot.js';
import { advertisedOutputSchema } from '../../json-schema/advertised-output-schema.js';

/** The server's own resources, which every client sees. */
export const OWN_RESOURCES: readonly ListedResource[] = [
  {
    uri: PLUGINS_URI,
    name: 'plugins',
    title: 'Plugins',
    description: 'All plugins with their state, tools and problems',
    mimeType: 'application/json',
  },
  {
    uri: CONTRACT_URI,
    name: 'contract',
    title: 'Result contract',
    description: 'How results are built, and the arguments machineReadable and unsafeOutput that every tool accepts',
    mimeType: 'text/markdown',
  },
  {
    uri: CONTRACT_SCHEMA_URI,
    name: 'contract-schema',
    title: 'Result contract as a JSON Schema',
    description: 'For programs: both forms of results, errors, and the data of each tool of the server',
    mimeType: 'application/schema+json',
  },
];

export const OWN_TEMPLATES: readonly ListedTemplate[] = [
  {
    uriTemplate: 'mortise://outputs/{id}{?offset}',
    name: 'outputs',
    title: 'Whole output of a call',
    description: 'What a result omits, in pages; kept for an hour',
    mimeType: 'text/plain',
  },
];

/** Converts a snapshot to the lists of MCP, redacted and in the snapshot's order. */
export function toMcpLists(snapshot: Snapshot, redactor: Redactor): McpLists {
  const tools = snapshot.tools.filter(({ definition }) => definition.listed !== false);
  const lists = redactor.value({
    tools: tools.map(listedTool),
    resources: [...snapshot.resources.map(({ definition }) => toListedResource(definition)), ...OWN_RESOURCES],
    templates: [...snapshot.templates.map(listedTemplate), ...OWN_TEMPLATES],
    prompts: snapshot.prompts.map(listedPrompt),
  });
  const toolsOfAnyOutput = tools.some(({ definition }) => definition.wrapsOutput)
    ? redactor.value(
        tools.map((tool) => ({ ...listedTool(tool), ...withoutUndefined({ outputSchema: anyOutputSchema(tool) }) })),
      )
    : lists.tools;
  return { ...lists, toolsOfAnyOutput };
}

/**
 * Returns the outputSchema for clients of MCP 2026-07-28, which accept any type. Other clients get a schema that wraps
 * this one in an object.
 */
function anyOutputSchema({ definition, advertisedOutputSchema: advertised }: Tool): JsonSchema | undefined {
  if (!definition.wrapsOutput) return advertised;
  const { type: _, ...schema } = advertisedOutputSchema(unwrapOutputSchema(definition.outputSchema! as JsonObject));
  return schema;
}

function listedTool({ wireName, definition, advertisedInputSchema, advertisedOutputSchema }: Tool): ListedTool {
  const { title, description, annotations, icons, _meta } = definition;
  return withoutUndefined({
    name: wireName,
    title,
    description,
    inputSchema: { ...advertisedInputSchema, type: 'object' },
    outputSchema: advertisedOutputSchema,
    annotations,
    icons,
    _meta,
  });
}

/** Converts a resource with a fixed URI to its entry in a list of MCP, which is not redacted yet. */
export function toListedResource(definition: ResourceDefinition): ListedResource {
  const { uri, name, title, description, mimeType, size, annotations, icons, _meta } = definition;
  return withoutUndefined({ uri: uri!, name, title, description, mimeType, size, annotations, icons, _meta });
}

function listedTemplate({ definition }: Resource): ListedTemplate {
  const { uriTemplate, name, title, description, mimeType, annotations, icons, _meta } = definition;
  return withoutUndefined({ uriTemplate: uriTemplate!, name, title, description, mimeType, annotations, icons, _meta });
}

function listedPrompt({ definition }: Prompt): ListedPrompt {
  const { name, title, description, icons, _meta } = definition;
  return withoutUndefined({
    name,
    title,
    description,
    icons,
    _meta,
    arguments: definition.arguments.length > 0 ? definition.arguments : undefined,
  });
}

function withoutUndefined<T extends object>(object: T): T {
  return Object.fromEntries(Object.entries(object).filter(([, value]) => value !== undefined)) as T;
}
