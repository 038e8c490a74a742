import type { JsonSchema } from '@mortise/plugin';
import type { ParsedEntry, PluginProblem, ToolDefinition } from '@mortise/plugin/runtime';
import { isSchemaObject } from '../../json-schema/map-keywords.js';
import { isTooDeep, metaCheck } from '../../json-schema/meta-check.js';
import { shapeFaults } from '../../json-schema/validate-tool-schemas.js';

/**
 * Tests that official clients make on keywords at a schema's root. These clients drop the whole list if one tool fails.
 */
const ROOT_TESTS: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: (value) => typeof value === 'string',
  type: (value) => value === 'object',
  properties: (value) => shapeFaults({ properties: value } as JsonSchema).length === 0,
  required: (value) => shapeFaults({ required: value } as JsonSchema).length === 0,
};

/**
 * Removes everything that official clients would refuse from the schemas of a mounted server's tool. The tool itself is
 * always kept, because the server validates arguments itself (docs/spec/plugin-definitions.md#doubtful-schemas).
 * @param entry the tool, which can be any JSON object
 * @returns the entry, with a warning for each schema that has faults
 */
export function withListableSchemas(entry: object, file: string): { entry: object; problems: PluginProblem[] } {
  const { name, inputSchema, outputSchema } = entry as Record<string, unknown>;
  const subject = typeof name === 'string' ? name.slice(0, MAX_SUBJECT_CHARS) : '';
  const input = inputSchema == null ? undefined : listableRoot(inputSchema);
  const outputFaults = outputSchema == null ? [] : [listableRoot(outputSchema).faults, metaCheck(outputSchema)].flat();
  const { outputSchema: _dropped, ...others } = entry as Record<string, unknown>;
  return {
    entry: {
      ...(outputFaults.length === 0 ? entry : others),
      ...(input && input.faults.length > 0 && { inputSchema: input.schema }),
    },
    problems: [
      ...doubt(subject, 'inputSchema', input?.faults ?? [], file),
      ...doubt(subject, 'outputSchema', outputFaults, file),
    ],
  };
}

/** Adds a warning if the inputSchema of the tool has invalid keywords, which clients get unchanged. */
export function withSchemaDoubts(read: ParsedEntry<ToolDefinition>, file: string): ParsedEntry<ToolDefinition> {
  const { definition } = read;
  if (!definition) return read;
  const doubts = doubt(definition.name, 'inputSchema', metaCheck(definition.inputSchema), file);
  return doubts.length === 0 ? read : { definition, problems: [...read.problems, ...doubts] };
}

const MAX_SUBJECT_CHARS = 200;

function listableRoot(schema: unknown): { schema: object; faults: string[] } {
  if (!isSchemaObject(schema)) return { schema: { type: 'object' }, faults: ['it is not an object'] };
  if (isTooDeep(schema)) return { schema: { type: 'object' }, faults: ['it is nested too deeply'] };
  const invalidKeywords = Object.keys(ROOT_TESTS).filter(
    (keyword) => schema[keyword] !== undefined && !ROOT_TESTS[keyword]!(schema[keyword]),
  );
  if (invalidKeywords.length === 0) return { schema, faults: [] };
  const validEntries = Object.entries(schema).filter(([keyword]) => !invalidKeywords.includes(keyword));
  return {
    schema: { type: 'object', ...Object.fromEntries(validEntries) },
    faults: invalidKeywords.map(
      (keyword) => `its root has ${keyword} ${JSON.stringify(schema[keyword]).slice(0, 100)}`,
    ),
  };
}

function doubt(
  tool: string,
  member: 'inputSchema' | 'outputSchema',
  faults: readonly string[],
  file: string,
): PluginProblem[] {
  if (faults.length === 0) return [];
  const consequence = member === 'inputSchema' ? 'This part is not checked' : 'The tool is listed without it';
  return [
    {
      severity: 'warning',
      code: 'SCHEMA_UNCHECKED',
      message: `${member} of tool '${tool}' is not a JSON Schema: ${faults.join('; ')}. ${consequence}.`,
      hint: 'Tell the author of the server; some hosts refuse a tool with such a schema.',
      location: { file, subject: tool },
    },
  ];
}
