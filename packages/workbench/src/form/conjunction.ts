import { isObject, isSameJson, type Json, pointer } from '../json/json.js';
import { CHOICE, type FormContext, type Path } from './form-state.js';
import { type Constant, constantOf, isNullSchema, optionLabel } from './option-labels.js';
import { isSchema, type Schema, type SchemaObject, schemaEntries, schemasOf } from './schema.js';
import { ALL_TYPES, hasNoType, inferredTypes, intersectTypes, isOfType, TYPE_LABELS, typesOf } from './schema-types.js';

/** A choice that the user makes at a place of the form: a branch of `anyOf` or `oneOf`, or one of several types. */
export interface Choice {
  /** The key of the choice in the `choices` of the form's state. */
  readonly key: string;
  readonly options: readonly ChoiceOption[];
  readonly selected: number;
}

export interface ChoiceOption {
  readonly label: string;
  readonly description?: string;
  readonly schema: Schema;
}

/** All schemas that apply to one place at the same time, including those of the chosen options. */
export interface Conjunction {
  readonly parts: readonly SchemaObject[];
  /** The parts that apply whichever options are selected. */
  readonly ownParts: readonly SchemaObject[];
  readonly choices: readonly Choice[];
  /** The allowed values if a choice has only constants as its branches. */
  readonly constants: readonly Constant[] | undefined;
  readonly isNullable: boolean;
  /** True if one of the schemas is `false`, which allows no value. */
  readonly isImpossible: boolean;
}

const MAX_PARTS = 500;

/**
 * Collects all schemas that apply to one place: resolves references, `allOf`, conditions and choices.
 * @param value the value at the place; conditions, and choices that the user has not made, depend on it
 */
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
  /** Parts from a choice that also has a branch for null; they do not forbid null. */
  readonly #besideNull = new Set<SchemaObject>();
  #isImpossible = false;
  #choiceCount = 0;

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
    const nonNullBranches = branches.filter((branch) => !isNullSchema(this.#resolved(branch)));
    const partCount = this.#parts.length;
    this.#addBranches(nonNullBranches);
    if (nonNullBranches.length === branches.length) return;
    this.#nullable ??= true;
    for (const part of this.#parts.slice(partCount)) this.#besideNull.add(part);
  }

  #addBranches(branches: readonly Schema[]): void {
    const constants = branches.map((branch) => constantOf(this.#resolved(branch)));
    if (branches.length > 0 && constants.every((constant) => constant !== undefined)) {
      this.#constants =
        this.#constants?.filter(({ value }) => constants.some((constant) => isSameJson(constant.value, value))) ??
        constants;
      return;
    }
    if (branches.length === 1) this.#add(branches[0]!);
    else if (branches.length > 1)
      this.#choose(branches.map((schema, index) => this.#toOption(schema, index, branches)));
  }

  #toOption(schema: Schema, index: number, branches: readonly Schema[]): ChoiceOption {
    const target = this.#resolved(schema);
    const targets = branches.map((branch) => this.#resolved(branch));
    const label = optionLabel(schema, target, index, targets);
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

  /** Adds the option that the user has chosen; without a choice, the first one that the value matches. */
  #choose(options: readonly ChoiceOption[]): void {
    const key = `${this.#key}${CHOICE}${this.#choiceCount}`;
    this.#choiceCount += 1;
    const chosen = this.#context.state.choices.get(key);
    const selected = chosen !== undefined && chosen < options.length ? chosen : this.#indexOfMatch(options);
    this.#choices.push({ key, options, selected });
    const partCount = this.#parts.length;
    this.#add(options[selected]!.schema);
    for (const part of this.#parts.slice(partCount)) this.#chosen.add(part);
  }

  #indexOfMatch(options: readonly ChoiceOption[]): number {
    if (this.#value === undefined || this.#value === null) return 0;
    const index = options.findIndex(({ schema }) => this.#context.checker.matches(schema, this.#value));
    if (index >= 0) return index;
    const similar = options.findIndex(({ schema }) => this.#isSimilar(this.#resolved(schema)));
    return Math.max(0, similar);
  }

  /** True if the value has a type of the schema and agrees with the constants of its properties. */
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
    const distinct = possible.includes('number') ? possible.filter((type) => type !== 'integer') : possible;
    if (distinct.length < 2) {
      if (types === undefined && distinct.length === 1) this.#parts.push({ type: distinct[0] });
      return;
    }
    this.#choose(distinct.map((type) => ({ label: TYPE_LABELS[type] ?? type, schema: { type } })));
  }

  #allowsNull(): boolean {
    const parts = this.#parts.filter((part) => !this.#besideNull.has(part));
    const types = intersectTypes(parts);
    const enums = parts.flatMap((part) =>
      'const' in part ? [[part.const]] : Array.isArray(part.enum) ? [part.enum] : [],
    );
    if ((types !== undefined && !types.has('null')) || enums.some((values) => !values.includes(null))) return false;
    if (this.#nullable === true || enums.length > 0 || types !== undefined) return true;
    return this.#constants === undefined && hasNoType(this.#parts) && this.#choices.length === 0;
  }
}
