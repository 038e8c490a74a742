import { isJsonObject, type JsonObject } from '../json.js';
import type { JsonSchema } from '../schema.js';
import { isStandardSchema } from '../standard-schema.js';
import type { DefinitionProblems } from './definition-problems.js';
import { asSentence, describeError, describeValue } from './describe.js';
import { quoted } from './quoted.js';
import { isUnionOfObjects, schemaFault, schemaMistakes } from './schema-mistakes.js';
import { toJsonValue } from './to-json-value.js';

/** Checks the input schema of a tool. Without one, the tool accepts any object. */
export function checkInputSchema(schema: unknown, problems: DefinitionProblems): JsonSchema {
  if (schema == null) {
    problems.add('SCHEMA_MISSING', `${problems.tool} has no inputSchema; any object is accepted.`);
    return { type: 'object' };
  }
  return checkSchema('inputSchema', schema, problems);
}

/** Reads a schema as plain data, and sets the type of its root to `object` if it has none. @throws RefusedToolError */
export function checkSchema(
  member: 'inputSchema' | 'outputSchema',
  value: unknown,
  problems: DefinitionProblems,
): JsonSchema {
  const subject = `The ${member} of ${problems.tool}`;
  if (isStandardSchema(value) && !isJsonSchemaToo(value)) {
    problems.refuse(
      'TOOL_SCHEMA_INVALID',
      `${subject} is a schema of ${value['~standard'].vendor}, not a JSON Schema.`,
    );
  }
  const schema = jsonSchema(subject, value, problems);
  const fault = problems.isAuthored ? schemaFault(schema) : undefined;
  if (fault !== undefined) problems.refuse('TOOL_SCHEMA_INVALID', `${subject} ${fault}.`);
  const mistakes = schemaMistakes(schema);
  for (const mistake of mistakes) problems.add('SCHEMA_SUSPICIOUS', `${subject} ${mistake}.`);
  if (schema.type === undefined) {
    // An empty schema means that there are no arguments; servers of the official SDK write it so.
    const hasNoArguments = member === 'inputSchema' && Object.keys(schema).length === 0;
    const isClear = mistakes.length > 0 || hasNoArguments || isUnionOfObjects(schema);
    if (!isClear) problems.add('SCHEMA_TYPE_MISSING', `${subject} has no type at its root; object was assumed.`);
    return { type: 'object', ...schema };
  }
  if (schema.type !== 'object') {
    const type = typeof schema.type === 'string' ? `the type ${quoted(schema.type)}` : 'another type';
    problems.refuse('TOOL_SCHEMA_INVALID', `${subject} has ${type} at its root; MCP requires 'object'.`);
  }
  return schema;
}

/** The result of `z.toJSONSchema()` has hidden members of a Standard Schema in addition to the JSON Schema. */
const isJsonSchemaToo = (value: object): boolean => typeof (value as JsonSchema).$schema === 'string';

function jsonSchema(subject: string, value: unknown, problems: DefinitionProblems): JsonSchema & JsonObject {
  try {
    const schema = typeof value === 'object' ? toJsonValue(value) : undefined;
    if (isJsonObject(schema)) return schema as JsonSchema & JsonObject;
  } catch (error) {
    problems.refuse('TOOL_SCHEMA_INVALID', `${subject} cannot be written as JSON: ${asSentence(describeError(error))}`);
  }
  return problems.refuse('TOOL_SCHEMA_INVALID', `${subject} is ${describeValue(value)}, not an object.`);
}
