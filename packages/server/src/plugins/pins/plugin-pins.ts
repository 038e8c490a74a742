import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@mortise/plugin';
import {
  type PluginDefinition,
  type ResourceDefinition,
  setMember,
  type ToolDefinition,
} from '@mortise/plugin/runtime';
import { by } from '../../util/order.js';

/** The pin of one entry of a definition (docs/spec/plugin-definitions.md#pins). */
export interface ToolPin {
  /** The hash of the canonical JSON of the definition before redaction, in hexadecimal; this is compared. */
  readonly sha256: string;
  /** Redacted: what a difference is shown from. */
  readonly definition: JsonObject;
}

/**
 * The pins of one plugin, by what they are of: a tool by the name that its author gave it; resources, templates, prompts
 * and the file by a label with a space, which no tool's name has.
 */
export type PluginPins = ReadonlyMap<string, ToolPin>;

/** Pins other than those of tools. Files of earlier versions do not have them. */
export const FILE_LABEL = ' file';
export const resourceLabel = (key: string): string => `resource ${key}`;
export const promptLabel = (name: string): string => `prompt ${name}`;

/** Whether everything is pinned, and not, as by former versions, tools alone. */
export const isWhole = (pins: PluginPins): boolean => pins.has(FILE_LABEL);

/** Whether `pins` contain the same tools as `current`, which has only tools, and everything else. */
export function completes(pins: PluginPins | undefined, current: PluginPins): boolean {
  if (!pins || !isWhole(pins) || isWhole(current)) return false;
  const tools = [...pins].filter(([label]) => !label.includes(' '));
  return tools.length === current.size && tools.every(([name, { sha256 }]) => current.get(name)?.sha256 === sha256);
}

/** Something that is pinned, with the members that count. */
export interface Pinnable {
  readonly label: string;
  readonly members: JsonObject;
}

const MEMBERS = {
  tools: [
    '_meta',
    'actions',
    'annotations',
    'description',
    'inputSchema',
    'name',
    'outputSchema',
    'redaction',
    'title',
  ],
  resources: ['_meta', 'annotations', 'description', 'mimeType', 'name', 'title', 'uri', 'uriTemplate'],
  prompts: ['_meta', 'arguments', 'description', 'name', 'title'],
} as const;

/** All entries of a plugin's definition, and its file. @param file as the pin file names it */
export function pinnablesOf({ tools, resources, prompts, instructions }: PluginDefinition, file: string): Pinnable[] {
  return [
    ...tools.map(ofTool),
    ...resources.map((resource) => ({
      label: resourceLabel(resource.uri ?? resource.uriTemplate!),
      members: membersOf(withoutTime(resource), MEMBERS.resources),
    })),
    ...prompts.map((prompt) => ({ label: promptLabel(prompt.name), members: membersOf(prompt, MEMBERS.prompts) })),
    { label: FILE_LABEL, members: { path: file, ...(instructions !== undefined && { instructions }) } },
  ];
}

/** When a resource was changed last, like its size, says nothing about what it is. */
function withoutTime(resource: ResourceDefinition): object {
  const { lastModified, ...annotations } = resource.annotations ?? {};
  return lastModified === undefined ? resource : { ...resource, annotations };
}

const ofTool = (tool: ToolDefinition): Pinnable => ({ label: tool.name, members: membersOf(tool, MEMBERS.tools) });

/** What the definition provides, by its labels. */
export function labelsOf({ tools, resources, prompts }: PluginDefinition): string[] {
  return [
    ...tools.map(({ name }) => name),
    ...resources.map((resource) => resourceLabel(resource.uri ?? resource.uriTemplate!)),
    ...prompts.map(({ name }) => promptLabel(name)),
  ];
}

/** The pins of these. @param redact takes secrets out of a JSON value */
export const pin = (pinnables: readonly Pinnable[], redact: <T>(value: T) => T): PluginPins =>
  new Map(
    pinnables.map(({ label, members }) => [
      label,
      { sha256: hashOf(members), definition: canonical(redact(members)) as JsonObject },
    ]),
  );

/** The pins of tools alone. */
export const pinTools = (tools: readonly ToolDefinition[], redact: <T>(value: T) => T): PluginPins =>
  pin(tools.map(ofTool), redact);

/** One hash for all of a plugin's pins: what a person accepts by it is exactly this. */
export function hashOfPins(pins: PluginPins): string {
  const entries = [...pins].sort(by(([label]) => label)).map(([label, { sha256 }]) => [label, sha256]);
  return hash('sha256', JSON.stringify(entries));
}

/** Whether these are exactly what is pinned, one by one. If only tools are pinned, only tools are compared. */
export function arePinned(pinnables: readonly Pinnable[], pins: PluginPins): boolean {
  const counted = isWhole(pins) ? pinnables : pinnables.filter(({ label }) => !label.includes(' '));
  return (
    counted.length === pins.size && counted.every(({ label, members }) => pins.get(label)?.sha256 === hashOf(members))
  );
}

/** Whether `tools` are exactly the pinned ones. */
export const isPinned = (tools: readonly ToolDefinition[], pins: PluginPins): boolean =>
  arePinned(tools.map(ofTool), pins);

/** Members are compared and, if they differ, pinned: each is hashed once. */
const hashes = new WeakMap<JsonObject, string>();

function hashOf(members: JsonObject): string {
  const known = hashes.get(members);
  if (known !== undefined) return known;
  const sha256 = hash('sha256', JSON.stringify(canonical(members)));
  hashes.set(members, sha256);
  return sha256;
}

function membersOf(definition: object, names: readonly string[]): JsonObject {
  const members: JsonObject = {};
  for (const name of names) {
    const value = (definition as Record<string, JsonValue | undefined>)[name];
    if (value !== undefined) members[name] = value;
  }
  return members;
}

/** How deep a definition is looked into: deeper schemas are refused, and whatever walks a pin may recurse. */
export const MAX_DEPTH = 500;

/** The same value with the members of every object in one order; values nested deeper than 500 levels become null. */
export function canonical(value: JsonValue, depth = 0): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) setMember(sorted, key, canonical(value[key]!, depth + 1));
  return sorted;
}
