import { isObject, type Json } from '../json/json.js';
import { actionOf, orderByAction } from './action-members.js';
import type { ObjectInput, Place } from './field.js';
import { isSchema, type Schema, type SchemaObject, schemaEntries } from './schema.js';

/** The members of an object: declared ones, those that are required, and those that the person named. */
export function objectInput(parts: readonly SchemaObject[], { path, value, isRequired, build }: Place): ObjectInput {
  const additional = additionalSchemas(parts);
  const shape = { kind: 'object' as const, ...(additional !== undefined && { additional }) };
  // What is absent is opened on demand: a schema may refer to itself.
  const isOpen =
    isObject(value) || path.length === 0 || (isRequired && value === undefined && path.length < MAX_OPEN_DEPTH);
  if (!isOpen) return { ...shape, members: [] };
  const object = isObject(value) ? value : {};
  const required = new Set(parts.flatMap(({ required: names }) => (Array.isArray(names) ? names : [])));
  const properties = propertiesOf(parts);
  const action = actionOf(properties, required, object);
  const declared = [...properties].map(([name, schemas]) =>
    build(
      [...schemas, ...patternSchemas(parts, name)],
      [...path, name],
      {
        label: name,
        isRequired: required.has(name) || (action?.needs(schemas) ?? false),
        isOfOtherAction: action?.isOther(name, schemas) ?? false,
      },
      own(object, name),
    ),
  );
  const named = Object.keys(object)
    .filter((name) => !properties.has(name))
    .map((name) =>
      build(
        memberSchemas(parts, name, additional),
        [...path, name],
        { label: name, isRequired: required.has(name), isNamedHere: true },
        object[name],
      ),
    );
  const missing = [...required]
    .filter((name) => !properties.has(name) && !Object.hasOwn(object, name))
    .map((name) =>
      build(memberSchemas(parts, name, additional), [...path, name], { label: name, isRequired: true }, undefined),
    );
  return { ...shape, members: [...orderByAction(declared, action), ...missing, ...named] };
}

const MAX_OPEN_DEPTH = 6;

function own(object: Record<string, Json>, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** All schemas of each property. */
export function propertiesOf(parts: readonly SchemaObject[]): Map<string, Schema[]> {
  const properties = new Map<string, Schema[]>();
  for (const part of parts) {
    for (const [name, schema] of schemaEntries(part.properties)) {
      properties.set(name, [...(properties.get(name) ?? []), schema]);
    }
  }
  return properties;
}

function patternSchemas(parts: readonly SchemaObject[], name: string): Schema[] {
  return parts.flatMap(({ patternProperties }) =>
    schemaEntries(patternProperties)
      .filter(([pattern]) => patternMatches(pattern, name))
      .map(([, schema]) => schema),
  );
}

function patternMatches(pattern: string, name: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(name);
  } catch {
    return false;
  }
}

/** What a member has to match that no property describes. */
export function memberSchemas(
  parts: readonly SchemaObject[],
  name: string,
  additional: readonly Schema[] | undefined,
): readonly Schema[] {
  const byPattern = patternSchemas(parts, name);
  return byPattern.length > 0 ? byPattern : (additional ?? [true]);
}

/** undefined: only declared members are allowed. */
function additionalSchemas(parts: readonly SchemaObject[]): Schema[] | undefined {
  const schemas = parts.flatMap((part) => [part.additionalProperties, part.unevaluatedProperties].filter(isSchema));
  const patterns = parts.some(({ patternProperties }) => isObject(patternProperties));
  if (schemas.includes(false)) return patterns ? firstPattern(parts) : undefined;
  if (schemas.length > 0) return schemas;
  return patterns ? firstPattern(parts) : [true];
}

function firstPattern(parts: readonly SchemaObject[]): Schema[] {
  return parts
    .flatMap(({ patternProperties }) => schemaEntries(patternProperties).map(([, schema]) => schema))
    .slice(0, 1);
}
