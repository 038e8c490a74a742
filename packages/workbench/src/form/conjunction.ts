import { isObject, isSameJson, type Json, pointer } from '../json/json.js';
import { CHOICE, type FormContext, type Path } from './form-state.js';
import { type Constant, constantOf, isNullSchema, optionLabel } from './option-labels.js';
import { isSchema, type Schema, type SchemaObject, schemaEntries, schemasOf } from './schema.js';
import { ALL_TYPES, hasNoType, inferredTypes, intersectTypes, isOfType, TYPE_LABELS, typesOf } from './schema-types.js';

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
  /** The parts that apply whatever is chosen. */
  readonly ownParts: readonly SchemaObject[];
  readonly choices: readonly Choice[];
  /** Values with their titles, where a choice is only between constants. */
  readonly constants: readonly Constant[] | undefined;
  readonly isNullable: boolean;
  /** No value is allowed here. */
  readonly isImpossible: boolean;
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
    const resolved = all.map((one) => this.#resolved(one));
    const label = optionLabel(schema, target, index, resolved);
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
