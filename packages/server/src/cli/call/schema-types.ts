import type { JsonSchema } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';
import { isSchemaObject } from '../../json-schema/map-keywords.js';
import { targetOf } from '../../json-schema/reference.js';

/** A schema, and the document that its `$ref`s point into. */
export interface SchemaAt {
  readonly schema: JsonSchema;
  readonly root: JsonSchema;
}

const MAX_DEPTH = 8;
const COMBINED = ['anyOf', 'oneOf', 'allOf'] as const;

/** The schema of a member, also where anyOf, oneOf, allOf or a local `$ref` holds it. */
export function memberOf({ schema, root }: SchemaAt, key: string): SchemaAt | undefined {
  for (const { properties } of parts(schema, root)) {
    const member = isSchemaObject(properties) ? ownMember<unknown>(properties, key) : undefined;
    if (isSchemaObject(member)) return { schema: member, root };
  }
  return undefined;
}

/** The schema of a list's items. */
export function itemsOf({ schema, root }: SchemaAt): SchemaAt | undefined {
  for (const { items } of parts(schema, root)) if (isSchemaObject(items)) return { schema: items, root };
  return undefined;
}

/** The types that a value may have, as JSON Schema names them; empty when the schema leaves it open. */
export function typesOf({ schema, root }: SchemaAt): ReadonlySet<string> {
  return new Set([...parts(schema, root)].flatMap(ownTypes));
}

function ownTypes({ type, enum: values, const: value }: JsonSchema): string[] {
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type;
  if (Array.isArray(values)) return values.map(typeOfValue);
  return value === undefined ? [] : [typeOfValue(value)];
}

/** The schema itself and everything that it combines. */
function* parts(schema: JsonSchema, root: JsonSchema, depth = 0): Generator<JsonSchema> {
  if (depth > MAX_DEPTH) return;
  yield schema;
  const combined = COMBINED.flatMap((keyword) => schema[keyword] ?? []);
  const referred = typeof schema.$ref === 'string' ? targetOf(schema.$ref, root) : undefined;
  for (const part of [...combined, referred].filter(isSchemaObject)) yield* parts(part, root, depth + 1);
}

function typeOfValue(value: unknown): string {
  if (value === null) return 'null';
  return Array.isArray(value) ? 'array' : typeof value;
}
