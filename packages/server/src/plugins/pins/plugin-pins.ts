import { hash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@mortise/plugin';
import {
  type PluginDefinition,
  type ResourceDefinition,
  setMember,
  type ToolDefinition,
} from '@mortise/plugin/runtime';
import { by } from '../../util/order.js';
import type { PinnedPlugin } from './plugin-key.js';

/** The pin of one tool, resource, prompt or file (docs/spec/plugin-definitions.md#pins). */
export interface Pin {
  /**
   * The hash of the canonical JSON of the definition before redaction, in hexadecimal. Definitions are compared by it.
   */
  readonly sha256: string;
  /** The redacted definition, from which differences are shown. */
  readonly definition: JsonObject;
}

/**
 * The pins of one plugin by label. The label of a tool is its author's name for it; the labels of resources, templates,
 * prompts and the file contain a space, which no tool's name does.
 */
export type PluginPins = ReadonlyMap<string, Pin>;

/** The label of the plugin's file. Pin files of earlier versions pin only tools, and have no such label. */
export const FILE_LABEL = ' file';
/** The label of the npm package that contains the plugin. Pin files of earlier versions do not have it. */
export const PACKAGE_LABEL = ' package';
/** True for the labels of the file and of the package, which are not offered to clients. */
export const isOfPlugin = (label: string): boolean => label === FILE_LABEL || label === PACKAGE_LABEL;
export const resourceLabel = (key: string): string => `resource ${key}`;
export const promptLabel = (name: string): string => `prompt ${name}`;

/** True if everything is pinned; false if an earlier version has pinned only the tools. */
export const isWhole = (pins: PluginPins): boolean => pins.has(FILE_LABEL);

/** True if an earlier version has written the pins, so that they lack entries that this version pins. */
export const isOfEarlierVersion = (pins: PluginPins, own: readonly Pinnable[]): boolean =>
  !isWhole(pins) || (!pins.has(PACKAGE_LABEL) && own.some(({ label }) => label === PACKAGE_LABEL));

/** True if an earlier version has written `current`, and `pins` has the same hashes and the entries that it lacks. */
export function completes(pins: PluginPins | undefined, current: PluginPins): boolean {
  if (!pins || !isWhole(pins)) return false;
  if (isWhole(current)) {
    const isMissing = pins.has(PACKAGE_LABEL) && !current.has(PACKAGE_LABEL) && pins.size === current.size + 1;
    return isMissing && [...current].every(([label, { sha256 }]) => pins.get(label)?.sha256 === sha256);
  }
  const tools = [...pins].filter(([label]) => !label.includes(' '));
  return tools.length === current.size && tools.every(([name, { sha256 }]) => current.get(name)?.sha256 === sha256);
}

/** A tool, resource, prompt or file that can be pinned. */
export interface Pinnable {
  readonly label: string;
  /** The members that are hashed and compared. */
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
  package: ['files', 'integrity', 'package', 'version'],
} as const;

/**
 * Returns everything of a plugin that can be pinned: its tools, resources and prompts, and its file with its
 * instructions, and its package.
 * @param file the plugin's module, written like a key of the pin file
 */
export function pinnablesOf(
  { tools, resources, prompts, instructions }: PluginDefinition,
  file: string,
  { needs, package: origin }: Pick<PinnedPlugin, 'needs' | 'package'> = {},
): Pinnable[] {
  const declared = needs && { needs: needs as JsonObject };
  return [
    ...tools.map(ofTool),
    ...resources.map((resource) => ({
      label: resourceLabel(resource.uri ?? resource.uriTemplate!),
      members: membersOf(withoutTime(resource), MEMBERS.resources),
    })),
    ...prompts.map((prompt) => ({ label: promptLabel(prompt.name), members: membersOf(prompt, MEMBERS.prompts) })),
    { label: FILE_LABEL, members: { path: file, ...(instructions !== undefined && { instructions }), ...declared } },
    ...(origin ? [{ label: PACKAGE_LABEL, members: membersOf(origin, MEMBERS.package) }] : []),
  ];
}

/** Removes the time of the last change, because a resource with new contents is still the same resource. */
function withoutTime(resource: ResourceDefinition): object {
  const { lastModified, ...annotations } = resource.annotations ?? {};
  return lastModified === undefined ? resource : { ...resource, annotations };
}

const ofTool = (tool: ToolDefinition): Pinnable => ({ label: tool.name, members: membersOf(tool, MEMBERS.tools) });

/** Returns the pin labels of all tools, resources and prompts. */
export function labelsOf({ tools, resources, prompts }: PluginDefinition): string[] {
  return [
    ...tools.map(({ name }) => name),
    ...resources.map((resource) => resourceLabel(resource.uri ?? resource.uriTemplate!)),
    ...prompts.map(({ name }) => promptLabel(name)),
  ];
}

/** Hashes the entries and redacts their definitions. @param redact removes secrets from a JSON value */
export const pin = (pinnables: readonly Pinnable[], redact: <T>(value: T) => T): PluginPins =>
  new Map(
    pinnables.map(({ label, members }) => [
      label,
      { sha256: hashOf(members), definition: canonical(redact(members)) as JsonObject },
    ]),
  );

export const pinTools = (tools: readonly ToolDefinition[], redact: <T>(value: T) => T): PluginPins =>
  pin(tools.map(ofTool), redact);

/** Returns one hash of all pins of a plugin. A user who accepts the hash accepts exactly these definitions. */
export function hashOfPins(pins: PluginPins): string {
  const entries = [...pins].sort(by(([label]) => label)).map(([label, { sha256 }]) => [label, sha256]);
  return hash('sha256', JSON.stringify(entries));
}

/** True if the pins contain exactly these definitions. If only tools are pinned, only tools are compared. */
export function arePinned(pinnables: readonly Pinnable[], pins: PluginPins): boolean {
  const isPinned = ({ label }: Pinnable) =>
    isWhole(pins) ? label !== PACKAGE_LABEL || pins.has(label) : !label.includes(' ');
  const compared = pinnables.filter(isPinned);
  return (
    compared.length === pins.size && compared.every(({ label, members }) => pins.get(label)?.sha256 === hashOf(members))
  );
}

/** True if the pins contain exactly these tools. */
export const isPinned = (tools: readonly ToolDefinition[], pins: PluginPins): boolean =>
  arePinned(tools.map(ofTool), pins);

/** Caches hashes, because the same members are compared first and may then be pinned. */
const hashes = new WeakMap<JsonObject, string>();

export function hashOf(members: JsonObject): string {
  const cached = hashes.get(members);
  if (cached !== undefined) return cached;
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

/**
 * Maximum nesting of a pinned definition, so that code that reads it can recurse. Deeper schemas are refused anyway.
 */
export const MAX_DEPTH = 500;

/**
 * Returns the value with the members of each object sorted by name. Values nested deeper than {@link MAX_DEPTH} become
 * null.
 */
export function canonical(value: JsonValue, depth = 0): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) setMember(sorted, key, canonical(value[key]!, depth + 1));
  return sorted;
}
