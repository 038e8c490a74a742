import type { JsonSchema } from '@mortise/plugin';
import type { PluginProblem, ReadEntry, ToolDefinition } from '@mortise/plugin/runtime';
import { isSchemaObject } from '../../json-schema/map-keywords.js';
import { isTooDeep, metaCheck } from '../../json-schema/meta-check.js';
import { shapeFaults } from '../../json-schema/validate-tool-schemas.js';

/** What official clients require of the keywords at a schema's root: one tool that lacks it costs them the whole list. */
const ROOT: Readonly<Record<string, (value: unknown) => boolean>> = {
  $schema: (value) => typeof value === 'string',
  type: (value) => value === 'object',
  properties: (value) => shapeFaults({ properties: value } as JsonSchema).length === 0,
  required: (value) => shapeFaults({ required: value } as JsonSchema).length === 0,
};

/**
 * The entry of a tool of a mounted server, without what official clients would refuse in its schemas. The server judges its
 * arguments itself, so a doubtful keyword costs a check and never the tool (docs/spec/plugin-definitions.md#doubtful-schemas).
 * @param entry any JSON object
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

/** The tool with warnings about keywords of its inputSchema that are passed on unchecked. */
export function withSchemaDoubts(read: ReadEntry<ToolDefinition>, file: string): ReadEntry<ToolDefinition> {
  const { definition } = read;
  if (!definition) return read;
  const doubts = doubt(definition.name, 'inputSchema', metaCheck(definition.inputSchema), file);
  return doubts.length === 0 ? read : { definition, problems: [...read.problems, ...doubts] };
}

const MAX_SUBJECT_CHARS = 200;

function listableRoot(schema: unknown): { schema: object; faults: string[] } {
  if (!isSchemaObject(schema)) return { schema: { type: 'object' }, faults: ['it is not an object'] };
  if (isTooDeep(schema)) return { schema: { type: 'object' }, faults: ['it is nested too deeply'] };
  const wrong = Object.keys(ROOT).filter(
    (keyword) => schema[keyword] !== undefined && !ROOT[keyword]!(schema[keyword]),
  );
  if (wrong.length === 0) return { schema, faults: [] };
  const kept = Object.fromEntries(Object.entries(schema).filter(([keyword]) => !wrong.includes(keyword)));
  return {
    schema: { type: 'object', ...kept },
    faults: wrong.map((keyword) => `its root has ${keyword} ${JSON.stringify(schema[keyword]).slice(0, 100)}`),
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
