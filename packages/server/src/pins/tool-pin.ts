import { createHash } from 'node:crypto';
import type { JsonObject, JsonValue } from '@mortise/plugin';
import type { ToolDefinition } from '@mortise/plugin/host';

/** What is pinned of one tool (plugins.md §5). */
export interface ToolPin {
  /** Of the canonical JSON of the definition before redaction, in hexadecimal: what is compared. */
  readonly sha256: string;
  /** Redacted: what a difference is shown from. */
  readonly definition: JsonObject;
}

/** The pins of one plugin, by the names that its author gave the tools. */
export type ToolPins = ReadonlyMap<string, ToolPin>;

const NONE: ToolPins = new Map();
const MEMBERS = ['annotations', 'description', 'inputSchema', 'name', 'outputSchema', 'title'] as const;

/** The pins of what a plugin offers now. @param redact takes secrets out of a JSON value */
export function pinTools(tools: readonly ToolDefinition[], redact: <T>(value: T) => T): ToolPins {
  return new Map(
    tools.map((tool) => {
      const definition = canonical(redact(membersOf(tool))) as JsonObject;
      return [tool.name, { sha256: hashTool(tool), definition }];
    }),
  );
}

/** Whether `tools` are exactly what is pinned; of a plugin that was never seen, none is. */
export function isPinned(tools: readonly ToolDefinition[], pins: ToolPins = NONE): boolean {
  return tools.length === pins.size && tools.every((tool) => pins.get(tool.name)?.sha256 === hashTool(tool));
}

function hashTool(tool: ToolDefinition): string {
  return createHash('sha256')
    .update(JSON.stringify(canonical(membersOf(tool))))
    .digest('hex');
}

function membersOf(tool: ToolDefinition): JsonObject {
  const members: JsonObject = {};
  for (const member of MEMBERS) if (tool[member] !== undefined) members[member] = tool[member] as JsonValue;
  return members;
}

/** How deep a definition is looked into: deeper schemas are refused, and whatever walks a pin may recurse. */
export const MAX_DEPTH = 500;

/** The same value with the members of every object in one order; null stands for what nests deeper than 500 levels. */
export function canonical(value: JsonValue, depth = 0): JsonValue {
  if (typeof value !== 'object' || value === null) return value;
  if (depth === MAX_DEPTH) return null;
  if (Array.isArray(value)) return value.map((item) => canonical(item, depth + 1));
  const sorted: JsonObject = {};
  for (const key of Object.keys(value).sort()) setMember(sorted, key, canonical(value[key]!, depth + 1));
  return sorted;
}

/** `__proto__` is a key like all others. */
function setMember(object: JsonObject, key: string, value: JsonValue): void {
  if (key === '__proto__')
    Object.defineProperty(object, key, { value, enumerable: true, configurable: true, writable: true });
  else object[key] = value;
}
