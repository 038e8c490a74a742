import { ExactNumber, isObject, isSameJson, type Json, pointer } from '../json/json.js';
import { actionOf, orderByAction } from './action-members.js';
import { checkValue } from './check-value.js';
import { type Choice, type Conjunction, type Constant, collect, intersectTypes } from './conjunction.js';
import type { FormContext, Path } from './form-state.js';
import { isSchema, type Schema, type SchemaObject, schemaEntries, schemasOf } from './schema.js';

/** What a person sees of one place of a value. */
export interface Field {
  readonly path: Path;
  /** A JSON Pointer. */
  readonly pointer: string;
  readonly label: string;
  /** The name as the schema has it, where the label is a title. */
  readonly name: string;
  readonly description?: string;
  readonly examples: readonly Json[];
  readonly default?: Json;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly isDeprecated: boolean;
  readonly value: Json | undefined;
  readonly choices: readonly Choice[];
  /** What a value has to be, in short. */
  readonly rules: readonly string[];
  /** What is wrong with the value here, not below. */
  readonly issues: readonly string[];
  readonly input: FieldInput;
  readonly schemas: readonly Schema[];
  /** A member that the person named: it can be renamed and removed. */
  readonly isNamedHere?: true;
  /** A parameter of another action than the chosen one. */
  readonly isOfOtherAction?: true;
}

export type FieldInput =
  | { readonly kind: 'text'; readonly format?: string; readonly isSecret: boolean; readonly isMultiLine: boolean }
  | { readonly kind: 'number'; readonly isInteger: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'constants'; readonly options: readonly Constant[] }
  | ObjectInput
  | ListInput
  | { readonly kind: 'json' };

export interface ObjectInput {
  readonly kind: 'object';
  readonly members: readonly Field[];
  /** What further members have to match; undefined where none are allowed. */
  readonly additional?: readonly Schema[];
}

export interface ListInput {
  readonly kind: 'list';
  readonly items: readonly Field[];
  /** Items with a meaning by their position. */
  readonly tupleLength: number;
  /** What the next item has to match; undefined where no more are allowed. */
  readonly next?: readonly Schema[];
}

/** The root field of a form. */
export function buildForm(context: FormContext): Field {
  return buildField([context.schema], [], context, { label: 'Arguments', isRequired: true }, context.state.value);
}

interface Role {
  readonly label: string;
  readonly isRequired: boolean;
  readonly isNamedHere?: true;
  readonly isOfOtherAction?: boolean;
}

function buildField(
  schemas: readonly Schema[],
  path: Path,
  context: FormContext,
  role: Role,
  value: Json | undefined,
): Field {
  const conjunction = collect(schemas, value, path, context);
  const { parts } = conjunction;
  const title = path.length === 0 ? undefined : firstText(conjunction.ownParts, 'title');
  const description = firstText(conjunction.ownParts, 'description');
  const defaultValue = firstOf(parts, 'default');
  return {
    path,
    pointer: pointer(path),
    label: title ?? role.label,
    name: role.label,
    ...(description !== undefined && { description }),
    examples: parts.flatMap(({ examples }) => (Array.isArray(examples) ? (examples as Json[]) : [])).slice(0, 5),
    ...(defaultValue !== undefined && { default: defaultValue }),
    isRequired: role.isRequired,
    isNullable: conjunction.isNullable,
    isDeprecated: parts.some(({ deprecated }) => deprecated === true),
    value,
    choices: conjunction.choices,
    ...checkValue(value, conjunction, role.isRequired),
    input: inputOf(conjunction, path, context, value, role.isRequired),
    schemas,
    ...(role.isNamedHere && { isNamedHere: true }),
    ...(role.isOfOtherAction && { isOfOtherAction: true }),
  };
}

function inputOf(
  conjunction: Conjunction,
  path: Path,
  context: FormContext,
  value: Json | undefined,
  isRequired: boolean,
): FieldInput {
  const { parts } = conjunction;
  const options = constantsOf(conjunction);
  if (options !== undefined) return { kind: 'constants', options };
  const [type] = [...(intersectTypes(parts) ?? [])].filter((one) => one !== 'null');
  switch (type) {
    case 'string':
      return textInput(parts);
    case 'number':
    case 'integer':
      return { kind: 'number', isInteger: type === 'integer' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'object':
      return objectInput(parts, path, context, value, isRequired);
    case 'array':
      return listInput(parts, path, context, value);
    default:
      return { kind: 'json' };
  }
}

const SECRET = /^(password|passphrase|secret|token|api[-_]?key|access[-_]?key|client[-_]?secret)$/i;

function textInput(parts: readonly SchemaObject[]): FieldInput {
  const format = firstText(parts, 'format');
  const isMultiLine = parts.some(
    ({ contentMediaType, maxLength }) => contentMediaType !== undefined || Number(maxLength) > 200,
  );
  return {
    kind: 'text',
    ...(format !== undefined && { format }),
    isSecret: format === 'password' || parts.some(({ writeOnly }) => writeOnly === true),
    isMultiLine,
  };
}

/** Whether a member's name says that its value is secret. */
export function isSecretField({ input, name }: Field): boolean {
  return input.kind === 'text' && (input.isSecret || SECRET.test(name));
}

/** The values that are allowed, without null. */
function constantsOf({ parts, constants }: Conjunction): Constant[] | undefined {
  let options = constants;
  for (const part of parts) {
    const listed =
      'const' in part ? [part.const as Json] : Array.isArray(part.enum) ? (part.enum as Json[]) : undefined;
    if (listed === undefined) continue;
    const titles = Array.isArray(part.enumNames) ? part.enumNames : [];
    const previous = options;
    options =
      previous === undefined
        ? listed.map((value, index) => ({ value, ...(typeof titles[index] === 'string' && { title: titles[index] }) }))
        : previous.filter(({ value }) => listed.some((one) => isSameJson(one, value)));
  }
  return options?.filter(({ value }) => value !== null);
}

function objectInput(
  parts: readonly SchemaObject[],
  path: Path,
  context: FormContext,
  value: Json | undefined,
  isRequired: boolean,
): ObjectInput {
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
    buildField(
      [...schemas, ...patternSchemas(parts, name)],
      [...path, name],
      context,
      {
        label: name,
        isRequired: required.has(name),
        isOfOtherAction: action?.isOther(name, schemas) ?? false,
      },
      own(object, name),
    ),
  );
  const named = Object.keys(object)
    .filter((name) => !properties.has(name))
    .map((name) =>
      buildField(
        memberSchemas(parts, name, additional),
        [...path, name],
        context,
        { label: name, isRequired: required.has(name), isNamedHere: true },
        object[name],
      ),
    );
  const missing = [...required]
    .filter((name) => !properties.has(name) && !Object.hasOwn(object, name))
    .map((name) =>
      buildField(
        memberSchemas(parts, name, additional),
        [...path, name],
        context,
        { label: name, isRequired: true },
        undefined,
      ),
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

function listInput(
  parts: readonly SchemaObject[],
  path: Path,
  context: FormContext,
  value: Json | undefined,
): ListInput {
  const tuples = parts.map(({ prefixItems, items }) => schemasOf(Array.isArray(items) ? items : prefixItems));
  const tupleLength = Math.max(0, ...tuples.map((tuple) => tuple.length));
  const schemasAt = (index: number): Schema[] =>
    parts.flatMap((part, at) => {
      const tuple = tuples[at]!;
      if (index < tuple.length) return [tuple[index]!];
      const rest = Array.isArray(part.items) ? part.additionalItems : (part.items ?? part.unevaluatedItems);
      return isSchema(rest) ? [rest] : [];
    });
  const values: readonly (Json | undefined)[] = Array.isArray(value) ? value : [];
  const maxItems = Math.min(
    ...parts.map(({ maxItems: most }) => (typeof most === 'number' ? most : Number.POSITIVE_INFINITY)),
  );
  const next = schemasAt(values.length);
  const titleOf = (index: number) =>
    index < tupleLength ? firstText(schemasAt(index).filter(isObject), 'title') : undefined;
  const items = values.map((item, index) =>
    buildField(
      schemasAt(index),
      [...path, index],
      context,
      { label: titleOf(index) ?? `Item ${index + 1}`, isRequired: true },
      item,
    ),
  );
  const canAdd = values.length < maxItems && !next.includes(false);
  return { kind: 'list', items, tupleLength, ...(canAdd && { next }) };
}

function firstOf(parts: readonly SchemaObject[], keyword: string): Json | undefined {
  return parts.find((part) => keyword in part)?.[keyword] as Json | undefined;
}

function firstText(parts: readonly SchemaObject[], keyword: string): string | undefined {
  return parts.map((part) => part[keyword]).find((text): text is string => typeof text === 'string' && text !== '');
}

export function isExactNumber(value: unknown): value is ExactNumber {
  return value instanceof ExactNumber;
}
