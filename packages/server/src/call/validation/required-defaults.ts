import type { JsonObject, JsonSchema, JsonValue } from '@mortise/plugin';
import { ownMember } from '@mortise/plugin/runtime';
import { isSchemaObject } from '../../json-schema/map-keywords.js';
import { targetOf } from '../../json-schema/reference.js';

/** The longest chain of `$ref`s that is followed. */
const MAX_REFERENCES = 10;
/** Arguments that nest deeper are refused later (docs/spec/arguments.md#validation). */
const MAX_DEPTH = 64;

const hasDefaultsCache = new WeakMap<JsonSchema, boolean>();

/**
 * Adds missing arguments that the schema requires and for which it has a default
 * (docs/spec/arguments.md#required-defaults), at every level that `properties`, `items` and `$ref` lead to.
 * @returns the same object if nothing is missing
 */
export function fillRequiredDefaults(args: JsonObject, schema: JsonSchema): JsonObject {
  let hasDefaults = hasDefaultsCache.get(schema);
  if (hasDefaults === undefined) {
    hasDefaults = hasRequiredDefault(schema);
    hasDefaultsCache.set(schema, hasDefaults);
  }
  return hasDefaults ? (withDefaults({ value: args, node: schema, root: schema, depth: 1 }) as JsonObject) : args;
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

/** A value in the arguments, and the part of the schema that describes it. */
interface Place<T extends JsonValue = JsonValue> {
  readonly value: T;
  readonly node: unknown;
  /** The schema of all arguments, in which `$ref`s are resolved. */
  readonly root: JsonSchema;
  readonly depth: number;
}

function withDefaults({ value, node, root, depth }: Place): JsonValue {
  const schema = depth > MAX_DEPTH ? undefined : resolveNode(node, root);
  if (schema === undefined || typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return itemsWithDefaults({ value, node: schema.items, root, depth: depth + 1 });
  const { properties } = schema;
  const missing = requiredDefaults(schema).filter(([name]) => !Object.hasOwn(value, name));
  const changed = Object.entries(isSchemaObject(properties) ? properties : {}).flatMap(([name, property]) => {
    if (!Object.hasOwn(value, name)) return [];
    const member = withDefaults({ value: value[name]!, node: property, root, depth: depth + 1 });
    return member === value[name] ? [] : [[name, member] as const];
  });
  if (missing.length === 0 && changed.length === 0) return value;
  return { ...value, ...structuredClone(Object.fromEntries(missing)), ...Object.fromEntries(changed) };
}

function itemsWithDefaults({ value: items, ...place }: Place<JsonValue[]>): JsonValue[] {
  if (!isSchemaObject(place.node)) return items;
  const copy = items.map((value) => withDefaults({ ...place, value }));
  return copy.every((item, index) => item === items[index]) ? items : copy;
}

/** Returns the schema at the node, or the target of its `$ref`; undefined if there is no schema object. */
function resolveNode(node: unknown, root: JsonSchema): JsonSchema | undefined {
  let schema = node;
  for (let count = 0; count < MAX_REFERENCES; count++) {
    if (!isSchemaObject(schema)) return undefined;
    if (typeof schema.$ref !== 'string' || schema.properties !== undefined || schema.items !== undefined) return schema;
    schema = targetOf(schema.$ref, root);
  }
  return undefined;
}
