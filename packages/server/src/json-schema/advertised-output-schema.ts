import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema, JsonSchemaProperty } from '@mortise/plugin';
import { mapKeywords } from './map-keywords.js';

/** The schema of error results; only the top level is described (docs/spec/dotnet-results.md#output-schema). */
export const ERROR_RESPONSE_SCHEMA: JsonSchema = {
  type: 'object',
  properties: {
    success: { const: false },
    errors: { type: 'array' },
    exitCode: { type: 'integer' },
    metadata: { type: 'object' },
    lockInfo: { type: 'object' },
  },
  required: ['success', 'errors', 'exitCode'],
};

/** The pointer to the tool's own schema in the advertised one. */
const OWN_POINTER = '#/anyOf/0';

/**
 * Returns the outputSchema that clients see. It allows an ErrorResponse too, because clients also check error results
 * (docs/spec/plugin-results.md#advertised-output-schema). `$defs` and `definitions` move to the root; references within
 * the schema are changed so that their targets stay the same.
 */
export function advertisedOutputSchema(schema: JsonSchema): JsonSchema {
  if (fitsErrors(schema)) return schema;
  const { $schema, $id, $defs, definitions, ...ownSchema } = moveReferences(schema, baseOf(schema));
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    anyOf: [ownSchema, ERROR_RESPONSE_SCHEMA],
    ...($defs !== undefined && { $defs }),
    ...(definitions !== undefined && { definitions }),
  };
}

const ANNOTATIONS = new Set(['$schema', '$id', 'title', 'description']);
const ERROR_TYPES = {
  success: 'boolean',
  errors: 'array',
  exitCode: 'integer',
  metadata: 'object',
  lockInfo: 'object',
};

/**
 * True if every ErrorResponse fits the schema: it has only properties, and restricts nothing but the types of the
 * properties that an ErrorResponse has.
 */
function fitsErrors(schema: JsonSchema): boolean {
  const { type, properties = {}, ...others } = schema;
  if (type !== 'object' || Object.keys(others).some((keyword) => !ANNOTATIONS.has(keyword))) return false;
  return Object.entries(ERROR_TYPES).every(([name, errorType]) =>
    isDeepStrictEqual(properties[name], { type: errorType }),
  );
}

const REFERENCES = new Set(['$ref', '$dynamicRef']);

/** Leaves references inside a subschema with its own `$id` unchanged, because they are relative to that subschema. */
function moveReferences(schema: JsonSchema, base: string): JsonSchema {
  return mapKeywords(
    schema,
    (keyword, value) => (REFERENCES.has(keyword) && typeof value === 'string' ? movedReference(value, base) : value),
    (subschema) => subschema.$id !== undefined,
  );
}

const baseOf = ({ $id }: JsonSchema) => (typeof $id === 'string' ? $id.replace(/#$/, '') : '');

function movedReference(reference: string, base: string): string {
  const [document, fragment = ''] = reference.split('#', 2);
  if (document !== '' && document !== base) return reference;
  if (fragment === '') return OWN_POINTER;
  const isHoisted = /^\/(?:\$defs|definitions)\//.test(fragment);
  return fragment.startsWith('/') && !isHoisted ? OWN_POINTER + fragment : `#${fragment}`;
}

/**
 * Replaces boolean schemas of the root's properties with equivalent objects. JSON Schema allows booleans, but official
 * clients check lists of tools against MCP's own schema, which does not.
 */
export function listableSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema.properties ?? {});
  if (!entries.some(([, property]) => typeof property === 'boolean')) return schema;
  const asObject = (property: boolean | JsonSchemaProperty): JsonSchemaProperty =>
    typeof property === 'boolean' ? (property ? {} : { not: {} }) : property;
  return { ...schema, properties: Object.fromEntries(entries.map(([name, property]) => [name, asObject(property)])) };
}
