import type { JsonSchema } from '@mortise/plugin';
import { MAX_WIRE_NAME } from '../../core/wire-names.js';
import { isSchemaObject } from '../../json-schema/map-keywords.js';
import { subschemasOf } from '../../json-schema/subschemas.js';
import type { Issue } from './issue.js';

/** The definition of a tool that clients receive. */
interface AdvertisedTool {
  readonly name: string;
  readonly inputSchema: JsonSchema;
}

/** An example of the prefix that hosts add to a tool's name: `mcp__<server>__<tool>`. */
const HOST_PREFIX = 'mcp__mortise__';
/** The maximum number of tools that a warning names. */
const MAX_NAMES = 20;

/** Features of a definition that some hosts drop or refuse, although MCP allows them. */
const FEATURES: readonly { isIn(tool: AdvertisedTool): boolean; readonly message: string; readonly hint: string }[] = [
  {
    isIn: ({ inputSchema }) => ['oneOf', 'anyOf', 'allOf'].some((keyword) => Object.hasOwn(inputSchema, keyword)),
    message: 'Some hosts refuse tools whose inputSchema has oneOf, anyOf or allOf at its root',
    hint: 'Write all properties at the root, and let the tool check which of them belong together.',
  },
  {
    isIn: ({ inputSchema }) => hasOpenArray(inputSchema),
    message: 'Some hosts refuse tools with an array whose schema has no items',
    hint: 'Add `items` to each array, for example {"type": "array", "items": {"type": "string"}}.',
  },
  {
    isIn: ({ name }) => name.length + HOST_PREFIX.length > MAX_WIRE_NAME,
    message: `Some hosts refuse names of tools that exceed ${MAX_WIRE_NAME} characters with their prefix (such as ${HOST_PREFIX})`,
    hint: `Shorten the names to ${MAX_WIRE_NAME - HOST_PREFIX.length} characters, or the name of the mounted server.`,
  },
];

/** Returns a warning for each feature that occurs, with its tools (docs/spec/plugin-definitions.md#portability). */
export function portabilityIssues(tools: readonly AdvertisedTool[]): Issue[] {
  return FEATURES.flatMap(({ isIn, message, hint }): Issue[] => {
    const names = tools.filter(isIn).map(({ name }) => name);
    if (names.length === 0) return [];
    const others = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} others` : '';
    const list = names.slice(0, MAX_NAMES).join(', ');
    return [{ severity: 'warning', code: 'TOOL_NOT_PORTABLE', message: `${message}: ${list}${others}`, hint }];
  });
}

/** The number of levels of a schema that are searched. */
const MAX_DEPTH = 30;

function hasOpenArray(schema: JsonSchema, depth = 0): boolean {
  if (depth > MAX_DEPTH) return false;
  const { type, items, prefixItems } = schema;
  const isArray = type === 'array' || (Array.isArray(type) && (type as unknown[]).includes('array'));
  if (isArray && items === undefined && prefixItems === undefined) return true;
  return subschemasOf(schema).some((sub) => isSchemaObject(sub.schema) && hasOpenArray(sub.schema, depth + 1));
}
