import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema, JsonSchemaProperty } from '@mortise/plugin';
import { mapKeywords } from './map-keywords.js';

/** What every error result fits; top level only (docs/spec/dotnet-results.md#output-schema). */
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

/** The location of a tool's own schema in the advertised one. */
const OWN = '#/anyOf/0';

/**
 * The outputSchema that clients see: the tool's own, or an ErrorResponse, for clients check error results against it
 * too (docs/spec/plugin-results.md#advertised-output-schema). `$defs` and `definitions` move to the root; references into the
 * schema continue leading where they led.
 */
export function advertisedOutputSchema(schema: JsonSchema): JsonSchema {
  if (fitsErrors(schema)) return schema;
  const { $schema, $id, $defs, definitions, ...own } = moveReferences(schema, baseOf(schema));
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    anyOf: [own, ERROR_RESPONSE_SCHEMA],
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

/** Whether every ErrorResponse fits the schema as it is: named properties alone, and those of errors by type alone. */
function fitsErrors(schema: JsonSchema): boolean {
  const { type, properties = {}, ...more } = schema;
  if (type !== 'object' || Object.keys(more).some((keyword) => !ANNOTATIONS.has(keyword))) return false;
  return Object.entries(ERROR_TYPES).every(([name, of]) => isDeepStrictEqual(properties[name], { type: of }));
}

const REFERENCES = new Set(['$ref', '$dynamicRef']);

/** References inside a subschema with its own `$id` are relative to that subschema and are not changed. */
function moveReferences(schema: JsonSchema, base: string): JsonSchema {
  return mapKeywords(
    schema,
    (keyword, value) => (REFERENCES.has(keyword) && typeof value === 'string' ? moved(value, base) : value),
    (subschema) => subschema.$id !== undefined,
  );
}

const baseOf = ({ $id }: JsonSchema) => (typeof $id === 'string' ? $id.replace(/#$/, '') : '');

function moved(reference: string, base: string): string {
  const [document, fragment = ''] = reference.split('#', 2);
  if (document !== '' && document !== base) return reference;
  if (fragment === '') return OWN;
  const isHoisted = /^\/(?:\$defs|definitions)\//.test(fragment);
  return fragment.startsWith('/') && !isHoisted ? OWN + fragment : `#${fragment}`;
}

/**
 * The same schema with objects for the booleans among its root's properties: JSON Schema has both, and MCP's schema of a
 * list, which official clients check, only objects.
 */
export function listableSchema(schema: JsonSchema): JsonSchema {
  const entries = Object.entries(schema.properties ?? {});
  if (!entries.some(([, property]) => typeof property === 'boolean')) return schema;
  const asObject = (property: boolean | JsonSchemaProperty): JsonSchemaProperty =>
    typeof property === 'boolean' ? (property ? {} : { not: {} }) : property;
  return { ...schema, properties: Object.fromEntries(entries.map(([name, property]) => [name, asObject(property)])) };
}
