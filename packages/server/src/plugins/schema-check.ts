import type { PluginProblem, ToolDefinition } from '@mortise/plugin/host';
import { metaCheck } from '../json-schema/meta-check.js';

/** Why a tool is refused for its schemas (plugins.md §2); [] when both are JSON Schemas. @param file the plugin's entry */
export function checkSchemas(tool: ToolDefinition, file: string): PluginProblem[] {
  return (['inputSchema', 'outputSchema'] as const).flatMap((member) => {
    const wrong = tool[member] === undefined ? [] : metaCheck(tool[member]);
    if (wrong.length === 0) return [];
    return {
      severity: 'error',
      code: 'TOOL_SCHEMA_INVALID',
      message: `${member} of tool '${tool.name}' is no JSON Schema: ${wrong.join('; ')}`,
      hint: 'Correct the schema. JSON Schema 2020-12 is assumed where $schema names no other draft.',
      place: { file, subject: tool.name },
    };
  });
}
