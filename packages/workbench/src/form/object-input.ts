import { isObject, type Json } from '../json/json.js';
import { actionOf, orderByAction } from './action-members.js';
import type { ObjectInput, Place } from './field.js';
import { isSchema, type Schema, type SchemaObject, schemaEntries } from './schema.js';

/**
 * Builds the fields for the members of an object: the declared ones, required ones without a declaration, and those
 * that the user has named.
 */
export function objectInput(parts: readonly SchemaObject[], { path, value, isRequired, build }: Place): ObjectInput {
  const additional = additionalSchemas(parts);
  const shape = { kind: 'object' as const, ...(additional !== undefined && { additional }) };
  // An absent object opens when the user adds it, because a schema may refer to itself.
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
      ownMember(object, name),
    ),
  );
  const undeclared = Object.keys(object)
    .filter((name) => !properties.has(name))
    .map((name) =>
      build(
        memberSchemas(parts, name, additional),
        [...path, name],
        { label: name, isRequired: required.has(name), isNamedByUser: true },
        object[name],
      ),
    );
  const missing = [...required]
    .filter((name) => !properties.has(name) && !Object.hasOwn(object, name))
    .map((name) =>
      build(memberSchemas(parts, name, additional), [...path, name], { label: name, isRequired: true }, undefined),
    );
  return { ...shape, members: [...orderByAction(declared, action), ...missing, ...undeclared] };
}

const MAX_OPEN_DEPTH = 6;

function ownMember(object: Record<string, Json>, name: string): Json | undefined {
  return Object.hasOwn(object, name) ? object[name] : undefined;
}

/** Groups the schemas of all parts by the name of the property. */
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

/** The schemas of a member that `properties` does not declare. */
export function memberSchemas(
  parts: readonly SchemaObject[],
  name: string,
  additional: readonly Schema[] | undefined,
): readonly Schema[] {
  const byPattern = patternSchemas(parts, name);
  return byPattern.length > 0 ? byPattern : (additional ?? [true]);
}

/** The schemas of additional members; undefined if only declared members are allowed. */
function additionalSchemas(parts: readonly SchemaObject[]): Schema[] | undefined {
  const schemas = parts.flatMap((part) => [part.additionalProperties, part.unevaluatedProperties].filter(isSchema));
  const hasPatterns = parts.some(({ patternProperties }) => isObject(patternProperties));
  if (schemas.includes(false)) return hasPatterns ? firstPatternSchema(parts) : undefined;
  if (schemas.length > 0) return schemas;
  return hasPatterns ? firstPatternSchema(parts) : [true];
}

function firstPatternSchema(parts: readonly SchemaObject[]): Schema[] {
  return parts
    .flatMap(({ patternProperties }) => schemaEntries(patternProperties).map(([, schema]) => schema))
    .slice(0, 1);
}
