import { isObject, isSameJson, type Json, pointer } from '../json/json.js';
import { CHOICE, type FormContext, type Path } from './form-state.js';
import { isSchema, type Schema, type SchemaObject, schemaEntries, schemasOf } from './schema.js';

/** A choice that the person makes at a place: `anyOf`, `oneOf`, or one of several types. */
export interface Choice {
  /** Of the form's state. */
  readonly key: string;
  readonly options: readonly ChoiceOption[];
  readonly selected: number;
}

export interface ChoiceOption {
  readonly label: string;
  readonly description?: string;
  readonly schema: Schema;
}

/** All schemas that apply to one place at the same time, with what was chosen, and without what only combines others. */
export interface Conjunction {
  readonly parts: readonly SchemaObject[];
  /** Those that apply whatever is chosen. */
  readonly ownParts: readonly SchemaObject[];
  readonly choices: readonly Choice[];
  /** Values with their titles, where a choice is only between constants. */
  readonly constants: readonly Constant[] | undefined;
  readonly isNullable: boolean;
  /** No value is allowed here. */
  readonly isImpossible: boolean;
}

export interface Constant {
  readonly value: Json;
  readonly title?: string;
  readonly description?: string;
}

const MAX_PARTS = 500;

/** Resolves references, `allOf`, conditions and choices at one place. */
export function collect(
  schemas: readonly Schema[],
  value: Json | undefined,
  path: Path,
  context: FormContext,
): Conjunction {
  return new Collector(value, path, context).run(schemas);
}

class Collector {
  readonly #value: Json | undefined;
  readonly #key: string;
  readonly #context: FormContext;
  readonly #parts: SchemaObject[] = [];
  readonly #choices: Choice[] = [];
  readonly #seen = new Set<Schema>();
  #constants: readonly Constant[] | undefined;
  #nullable: boolean | undefined;
  readonly #chosen = new Set<SchemaObject>();
  /** Alternatives to null: they do not forbid it. */
  readonly #besideNull = new Set<SchemaObject>();
  #isImpossible = false;
  #groups = 0;

  constructor(value: Json | undefined, path: Path, context: FormContext) {
    this.#value = value;
    this.#key = pointer(path);
    this.#context = context;
  }

  run(schemas: readonly Schema[]): Conjunction {
    this.#addAll(schemas);
    this.#chooseType();
    return {
      parts: this.#parts,
      ownParts: this.#parts.filter((part) => !this.#chosen.has(part)),
      choices: this.#choices,
      constants: this.#constants,
      isNullable: this.#nullable ?? false,
      isImpossible: this.#isImpossible,
    };
  }

  #addAll(schemas: readonly Schema[]): void {
    for (const schema of schemas) this.#add(schema);
  }

  #add(schema: Schema): void {
    if (schema === true || this.#seen.has(schema) || this.#parts.length > MAX_PARTS) return;
    if (schema === false) {
      this.#isImpossible = true;
      return;
    }
    this.#seen.add(schema);
    this.#parts.push(schema);
    for (const keyword of ['$ref', '$dynamicRef', '$recursiveRef']) {
      const target = this.#context.references.resolve(schema[keyword]);
      if (target !== undefined) this.#add(target);
    }
    this.#addAll(schemasOf(schema.allOf));
    this.#addCondition(schema);
    this.#addDependents(schema);
    for (const keyword of ['anyOf', 'oneOf']) {
      const branches = schemasOf(schema[keyword]);
      if (branches.length > 0) this.#addChoice(branches);
    }
  }

  #addCondition(schema: SchemaObject): void {
    if (!isSchema(schema.if) || this.#value === undefined) return;
    const next = this.#context.checker.matches(schema.if, this.#value) ? schema.then : schema.else;
    if (isSchema(next)) this.#add(next);
  }

  #addDependents(schema: SchemaObject): void {
    if (!isObject(this.#value)) return;
    for (const keyword of ['dependentRequired', 'dependentSchemas', 'dependencies']) {
      const entries = isObject(schema[keyword]) ? Object.entries(schema[keyword]) : [];
      for (const [name, dependent] of entries) {
        if (!Object.hasOwn(this.#value, name) || this.#value[name] === undefined) continue;
        if (Array.isArray(dependent)) this.#parts.push({ required: dependent });
        else if (isSchema(dependent)) this.#add(dependent);
      }
    }
  }

  #addChoice(branches: readonly Schema[]): void {
    const others = branches.filter((branch) => !isNullSchema(this.#resolved(branch)));
    const before = this.#parts.length;
    this.#addBranches(others);
    if (others.length === branches.length) return;
    this.#nullable ??= true;
    for (const part of this.#parts.slice(before)) this.#besideNull.add(part);
  }

  #addBranches(others: readonly Schema[]): void {
    const constants = others.map((branch) => constantOf(this.#resolved(branch)));
    if (others.length > 0 && constants.every((constant) => constant !== undefined)) {
      this.#constants =
        this.#constants?.filter(({ value }) => constants.some((one) => isSameJson(one.value, value))) ?? constants;
      return;
    }
    if (others.length === 1) this.#add(others[0]!);
    else if (others.length > 1) this.#choose(others.map((schema, index) => this.#toOption(schema, index, others)));
  }

  #toOption(schema: Schema, index: number, all: readonly Schema[]): ChoiceOption {
    const target = this.#resolved(schema);
    const label =
      titleOf(schema) ??
      titleOf(target) ??
      discriminatorOf(
        target,
        all.map((one) => this.#resolved(one)),
      ) ??
      labelOf(schema, target, index);
    const description = isObject(target) && typeof target.description === 'string' ? target.description : undefined;
    return { label, ...(description !== undefined && { description }), schema };
  }

  #resolved(schema: Schema): Schema {
    let target = schema;
    for (let steps = 0; steps < 20 && isObject(target) && typeof target.$ref === 'string'; steps += 1) {
      const next = this.#context.references.resolve(target.$ref);
      if (next === undefined) break;
      target = next;
    }
    return target;
  }

  /** A value that is there chooses the first branch that it matches, unless the person has chosen. */
  #choose(options: readonly ChoiceOption[]): void {
    const key = `${this.#key}${CHOICE}${this.#groups}`;
    this.#groups += 1;
    const chosen = this.#context.state.choices.get(key);
    const selected = chosen !== undefined && chosen < options.length ? chosen : this.#matching(options);
    this.#choices.push({ key, options, selected });
    const before = this.#parts.length;
    this.#add(options[selected]!.schema);
    for (const part of this.#parts.slice(before)) this.#chosen.add(part);
  }

  #matching(options: readonly ChoiceOption[]): number {
    if (this.#value === undefined || this.#value === null) return 0;
    const index = options.findIndex(({ schema }) => this.#context.checker.matches(schema, this.#value));
    if (index >= 0) return index;
    const similar = options.findIndex(({ schema }) => this.#isSimilar(this.#resolved(schema)));
    return Math.max(0, similar);
  }

  /** The right type, and constants that agree. */
  #isSimilar(schema: Schema): boolean {
    if (!isObject(schema)) return schema === true;
    const types = typesOf(schema);
    if (types.length > 0 && !types.some((type) => isOfType(this.#value, type))) return false;
    if (!isObject(this.#value)) return true;
    const value = this.#value;
    return schemaEntries(schema.properties).every(([name, property]) => {
      const constant = constantOf(property);
      return constant === undefined || !Object.hasOwn(value, name) || isSameJson(constant.value, value[name]);
    });
  }

  #chooseType(): void {
    const types = intersectTypes(this.#parts);
    const enumerated = this.#parts.some(({ enum: values }) => Array.isArray(values));
    this.#nullable = this.#allowsNull();
    if (this.#constants !== undefined || enumerated || this.#parts.some((part) => 'const' in part)) return;
    const possible = [...(types ?? inferredTypes(this.#parts) ?? ALL_TYPES)].filter((type) => type !== 'null');
    const wanted = possible.includes('number') ? possible.filter((type) => type !== 'integer') : possible;
    if (wanted.length < 2) {
      if (types === undefined && wanted.length === 1) this.#parts.push({ type: wanted[0] });
      return;
    }
    this.#choose(wanted.map((type) => ({ label: TYPE_LABELS[type] ?? type, schema: { type } })));
  }

  #allowsNull(): boolean {
    const parts = this.#parts.filter((part) => !this.#besideNull.has(part));
    const types = intersectTypes(parts);
    const listed = parts.flatMap((part) =>
      'const' in part ? [[part.const]] : Array.isArray(part.enum) ? [part.enum] : [],
    );
    if ((types !== undefined && !types.has('null')) || listed.some((values) => !values.includes(null))) return false;
    if (this.#nullable === true || listed.length > 0 || types !== undefined) return true;
    return this.#constants === undefined && hasNoType(this.#parts) && this.#choices.length === 0;
  }
}

export const TYPE_LABELS: Readonly<Record<string, string>> = {
  string: 'Text',
  number: 'Number',
  integer: 'Whole number',
  boolean: 'True or false',
  object: 'Object',
  array: 'List',
  null: 'null',
};

const ALL_TYPES = ['string', 'number', 'boolean', 'object', 'array', 'null'];

export function typesOf(schema: SchemaObject): string[] {
  if (typeof schema.type === 'string') return [schema.type];
  return Array.isArray(schema.type) ? schema.type.filter((type) => typeof type === 'string') : [];
}

/** undefined: no part names a type. */
export function intersectTypes(parts: readonly SchemaObject[]): Set<string> | undefined {
  let common: Set<string> | undefined;
  for (const part of parts) {
    const types = typesOf(part);
    if (types.length === 0) continue;
    const previous: Set<string> | undefined = common;
    common = new Set(previous === undefined ? types : types.flatMap((type) => overlap(type, previous)));
  }
  return common;
}

function overlap(type: string, others: ReadonlySet<string>): string[] {
  if (others.has(type)) return [type];
  if (type === 'integer' && others.has('number')) return ['integer'];
  return type === 'number' && others.has('integer') ? ['integer'] : [];
}

const KEYWORDS_OF_TYPE: readonly (readonly [type: string, keywords: readonly string[]])[] = [
  [
    'object',
    [
      'properties',
      'required',
      'additionalProperties',
      'patternProperties',
      'propertyNames',
      'minProperties',
      'maxProperties',
      'dependentRequired',
      'unevaluatedProperties',
    ],
  ],
  ['array', ['items', 'prefixItems', 'minItems', 'maxItems', 'uniqueItems', 'contains', 'unevaluatedItems']],
  ['string', ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType']],
  ['number', ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']],
];

/** The types that the keywords of schemas without `type` are about. */
function inferredTypes(parts: readonly SchemaObject[]): string[] | undefined {
  const types = KEYWORDS_OF_TYPE.filter(([, keywords]) => parts.some((part) => keywords.some((word) => word in part)));
  return types.length > 0 ? types.map(([type]) => type) : undefined;
}

function hasNoType(parts: readonly SchemaObject[]): boolean {
  return inferredTypes(parts) === undefined;
}

export function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null;
    case 'array':
      return Array.isArray(value);
    case 'object':
      return isObject(value);
    case 'integer':
    case 'number':
      return (
        typeof value === 'number' ||
        (typeof value === 'object' && value !== null && !Array.isArray(value) && !isObject(value))
      );
    default:
      return typeof value === type;
  }
}

function isNullSchema(schema: Schema): boolean {
  if (!isObject(schema)) return false;
  return (
    schema.type === 'null' ||
    ('const' in schema && schema.const === null) ||
    (Array.isArray(schema.enum) && schema.enum.length === 1 && schema.enum[0] === null)
  );
}

/** Of a schema that allows one value. */
function constantOf(schema: Schema): Constant | undefined {
  if (!isObject(schema)) return undefined;
  const single = Array.isArray(schema.enum) && schema.enum.length === 1;
  if (!('const' in schema) && !single) return undefined;
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

/** The constant of a member by which all branches differ. */
function discriminatorOf(schema: Schema, all: readonly Schema[]): string | undefined {
  if (!isObject(schema)) return undefined;
  for (const [name, property] of schemaEntries(schema.properties)) {
    const constants = all.map((branch) =>
      isObject(branch) && isObject(branch.properties) ? constantOf(branch.properties[name] as Schema) : undefined,
    );
    const own = constantOf(property);
    if (own !== undefined && constants.every((constant) => constant !== undefined)) return String(own.value);
  }
  return undefined;
}

function labelOf(schema: Schema, target: Schema, index: number): string {
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
