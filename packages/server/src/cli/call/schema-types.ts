import type { JsonSchema } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';
import { isSchemaObject } from '../../json-schema/map-keywords.js';
import { targetOf } from '../../json-schema/reference.js';

/** A schema, and the root schema that its `$ref`s refer to. */
export interface SchemaAt {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

const MAX_DEPTH = 8;
const COMBINED = ['anyOf', 'oneOf', 'allOf'] as const;

/** Returns the schema of a member, also if it is in anyOf, oneOf, allOf or a local `$ref`. */
export function memberOf({ schema, root }: SchemaAt, key: string): SchemaAt | undefined {
  for (const { properties } of parts(schema, root)) {
    const member = isSchemaObject(properties) ? ownMember<unknown>(properties, key) : undefined;
    if (isSchemaObject(member)) return { schema: member, root };
  }
  return undefined;
}

/** Returns the schema of a list's items, if there is one. */
export function itemsOf({ schema, root }: SchemaAt): SchemaAt | undefined {
  for (const { items } of parts(schema, root)) if (isSchemaObject(items)) return { schema: items, root };
  return undefined;
}

/** Returns the JSON Schema types that a value may have; an empty set if the schema does not restrict them. */
export function typesOf({ schema, root }: SchemaAt): ReadonlySet<string> {
  return new Set([...parts(schema, root)].flatMap(ownTypes));
}

function ownTypes({ type, enum: values, const: value }: JsonSchema): string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type;
  if (Array.isArray(values)) return values.map(typeOfValue);
  return value === undefined ? [] : [typeOfValue(value)];
}

/** Yields the schema itself and all schemas that it combines or refers to. */
function* parts(schema: JsonSchema, root: JsonSchema, depth = 0): Generator<JsonSchema> {
  if (depth > MAX_DEPTH) return;
  yield schema;
  const branches = COMBINED.flatMap((keyword) => schema[keyword] ?? []);
  const target = typeof schema.$ref === 'string' ? targetOf(schema.$ref, root) : undefined;
  for (const part of [...branches, target].filter(isSchemaObject)) yield* parts(part, root, depth + 1);
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
