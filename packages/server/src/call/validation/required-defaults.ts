import type { JsonObject, JsonSchema, JsonValue } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';
import { isSchemaObject } from '../../json-schema/map-keywords.js';
import { targetOf } from '../../json-schema/reference.js';

/** References that lead to references are followed this far. */
const MAX_REFERENCES = 10;
/** Arguments that nest deeper are refused (docs/spec/arguments.md#validation). */
const MAX_DEPTH = 64;

/** Schemas are never changed, so each is searched once. */
const cache = new WeakMap<JsonSchema, boolean>();

/**
 * The arguments with the defaults of the properties that `schema` both requires and gives a default
 * (docs/spec/arguments.md#required-defaults), at every level that `properties`, `items` and `$ref` lead to. Returns the same
 * object if nothing is missing.
 */
export function fillRequiredDefaults(args: JsonObject, schema: JsonSchema): JsonObject {
  let hasDefaults = cache.get(schema);
  if (hasDefaults === undefined) {
    hasDefaults = hasRequiredDefault(schema);
    cache.set(schema, hasDefaults);
  }
  return hasDefaults ? (filled(args, schema, schema) as JsonObject) : args;
}

function hasRequiredDefault(node: unknown): boolean {
  if (typeof node !== 'object' || node === null) return false;
  return (isSchemaObject(node) && requiredDefaults(node).length > 0) || Object.values(node).some(hasRequiredDefault);
}

function requiredDefaults({ properties, required }: JsonSchema): [name: string, value: JsonValue][] {
  if (!isSchemaObject(properties) || !Array.isArray(required)) return [];
  return required.flatMap((name): [string, JsonValue][] => {
    const property = ownMember<unknown>(properties, name);
    return isSchemaObject(property) && property.default !== undefined ? [[name, property.default as JsonValue]] : [];
  });
}

function filled(value: JsonValue, node: unknown, root: JsonSchema, depth = 1): JsonValue {
  const schema = depth > MAX_DEPTH ? undefined : resolved(node, root);
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return filledItems(value, schema, root, depth);
  const { properties } = schema;
  const missing = requiredDefaults(schema).filter(([name]) => !Object.hasOwn(value, name));
  const changed = Object.entries(isSchemaObject(properties) ? properties : {}).flatMap(([name, property]) => {
    if (!Object.hasOwn(value, name)) return [];
    const inner = filled(value[name]!, property, root, depth + 1);
    return inner === value[name] ? [] : [[name, inner] as const];
  });
  if (missing.length === 0 && changed.length === 0) return value;
  return { ...value, ...structuredClone(Object.fromEntries(missing)), ...Object.fromEntries(changed) };
}

function filledItems(items: JsonValue[], { items: schema }: JsonSchema, root: JsonSchema, depth: number): JsonValue[] {
  if (!isSchemaObject(schema)) return items;
  const copy = items.map((item) => filled(item, schema, root, depth + 1));
  return copy.every((item, at) => item === items[at]) ? items : copy;
}

/** The schema itself, or where its `$ref` leads; undefined for what is not an object. */
function resolved(node: unknown, root: JsonSchema): JsonSchema | undefined {
  let schema = node;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    if (!isSchemaObject(schema)) return undefined;
    if (typeof schema.$ref !== 'string' || schema.properties !== undefined || schema.items !== undefined) return schema;
    schema = targetOf(schema.$ref, root);
  }
  return undefined;
}
