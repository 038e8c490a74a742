import type { JsonSchema } from '@mortise/plugin';
import { type PluginProblem, placeOfOrigin, type ToolDefinition } from '@mortise/plugin/runtime';
import { isSchemaObject } from './map-keywords.js';
import { isTooDeep, metaCheck } from './meta-check.js';

/** Returns what MCP's own schema for lists of tools does not allow in a schema; [] if it allows the schema. */
export function shapeFaults(schema: JsonSchema): string[] {
  const { $schema, properties = {}, required = [] } = schema as { [member: string]: unknown };
  const isProperty = (value: unknown) => typeof value === 'boolean' || isSchemaObject(value);
  if ($schema !== undefined && typeof $schema !== 'string') return ['$schema is not a string'];
  if (!isSchemaObject(properties) || !Object.values(properties).every(isProperty))
    return ['properties are not JSON Schemas'];
  if (!Array.isArray(required) || !required.every((name) => typeof name === 'string'))
    return ['required is not a list of names'];
  return isTooDeep(schema) ? ['it is nested too deeply'] : [];
}

/**
 * Returns the problems for which a tool's schemas are refused (docs/spec/plugin-api.md#schemas); [] if both are JSON
 * Schemas.
 * @param file the plugin's entry file
 */
export function checkSchemas(tool: ToolDefinition, file: string): PluginProblem[] {
  return (['inputSchema', 'outputSchema'] as const).flatMap((member) => {
    const faults = tool[member] === undefined ? [] : metaCheck(tool[member]);
    if (faults.length === 0) return [];
    return {
      severity: 'error',
      code: 'TOOL_SCHEMA_INVALID',
      message: `${member} of tool '${tool.name}' is not a JSON Schema: ${faults.join('; ')}`,
      hint: 'Correct the schema. JSON Schema 2020-12 is assumed where $schema names no other draft.',
      location: { file, ...(tool.definedAt ?? placeOfOrigin(file, tool.origin)), subject: tool.name },
    };
  });
}
