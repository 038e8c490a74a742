import { isObject, type Json } from '../json/json.js';
import { type Schema, schemaEntries } from './schema.js';
import { TYPE_LABELS, typesOf } from './schema-types.js';

/** An allowed value of a field that accepts only listed values. */
export interface Constant {
  readonly value: Json;
  readonly title?: string;
  readonly description?: string;
}

export function isNullSchema(schema: Schema): boolean {
  if (!isObject(schema)) return false;
  return (
    schema.type === 'null' ||
    ('const' in schema && schema.const === null) ||
    (Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null)
  );
}

/** The only value that a schema allows by `const` or a one-element `enum`; undefined for other schemas. */
export function constantOf(schema: Schema): Constant | undefined {
  if (!isObject(schema)) return undefined;
  const hasSingleEnum = Array.isArray(schema.enum) && schema.enum.length === 1;
  if (!('const' in schema) && !hasSingleEnum) return undefined;
  const { title, description } = schema;
  return {
    value: ('const' in schema ? schema.const : (schema.enum as unknown[])[0]) as Json,
    ...(typeof title === 'string' && { title }),
    ...(typeof description === 'string' && { description }),
  };
}

function titleOf(schema: Schema): string | undefined {
  return isObject(schema) && typeof schema.title === 'string' && schema.title !== '' ? schema.title : undefined;
}

/** The constant of the first property that is a constant in all branches. */
function discriminatorOf(schema: Schema, branches: readonly Schema[]): string | undefined {
  if (!isObject(schema)) return undefined;
  for (const [name, property] of schemaEntries(schema.properties)) {
    const constants = branches.map((branch) =>
      isObject(branch) && isObject(branch.properties) ? constantOf(branch.properties[name] as Schema) : undefined,
    );
    const own = constantOf(property);
    if (own !== undefined && constants.every((constant) => constant !== undefined)) return String(own.value);
  }
  return undefined;
}

function describe(schema: Schema, target: Schema, index: number): string {
  const reference =
    isObject(schema) && typeof schema.$ref === 'string' ? /([^/#]+)$/.exec(schema.$ref)?.[1] : undefined;
  if (reference !== undefined) return reference;
  if (!isObject(target)) return `Option ${index + 1}`;
  const constant = constantOf(target);
  if (constant !== undefined) return JSON.stringify(constant.value);
  const required = Array.isArray(target.required) ? target.required : [];
  if (required.length > 0) return `With ${required.join(', ')}`;
  const names = schemaEntries(target.properties).map(([name]) => name);
  if (names.length > 0) return `With ${names.slice(0, 3).join(', ')}`;
  const [type] = typesOf(target);
  if (Array.isArray(target.enum)) return target.enum.slice(0, 3).map(String).join(', ');
  if (typeof target.format === 'string') return `${TYPE_LABELS[type ?? 'string']} (${target.format})`;
  if (type === 'array' && isObject(target.items))
    return `List of ${(TYPE_LABELS[typesOf(target.items)[0] ?? ''] ?? 'values').toLowerCase()}`;
  return type === undefined ? `Option ${index + 1}` : (TYPE_LABELS[type] ?? type);
}

/**
 * The label of an option: its title, the constant that tells it apart from the other branches, or a short description
 * of its schema.
 * @param schema the branch as it is written
 * @param target the branch with its reference resolved
 * @param branches all branches of the choice, resolved
 */
export function optionLabel(schema: Schema, target: Schema, index: number, branches: readonly Schema[]): string {
  return titleOf(schema) ?? titleOf(target) ?? discriminatorOf(target, branches) ?? describe(schema, target, index);
}
