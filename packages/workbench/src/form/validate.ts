import type { dereference, SchemaDraft, validate } from '@cfworker/json-schema';
import { isObject, withDoubles } from '../json/json.js';
import type { Schema } from './schema.js';
import { schemaEngine } from './schema-engine.js';

export interface Violation {
  /** A JSON Pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** Checks values against a schema and its subschemas. It interprets them, because the page may not compile code. */
export class SchemaChecker {
  readonly #root: Schema;
  readonly #draft: SchemaDraft;
  #lookup: ReturnType<typeof dereference> | undefined;

  constructor(root: Schema) {
    this.#root = root;
    this.#draft = isObject(root) ? draftOf(root.$schema) : '2020-12';
  }

  /**
   * @param schema the root or one of its subschemas
   * @returns false also if the schema cannot be checked, for example because the engine is not loaded
   */
  matches(schema: Schema, value: unknown): boolean {
    if (typeof schema === 'boolean') return schema;
    try {
      return this.#validate(schema, value, true).valid;
    } catch {
      return false;
    }
  }

  /**
   * Checks a value against the root schema.
   * @throws Error if a reference leads nowhere, a pattern is invalid, or the engine is not loaded
   */
  violations(value: unknown): Violation[] {
    if (typeof this.#root === 'boolean') return [];
    const { valid, errors } = this.#validate(this.#root, value, false);
    if (valid) return [];
    const all = errors.map(({ instanceLocation, keyword, error }) => ({
      pointer: instanceLocation.replace(/^#/, ''),
      keyword,
      message: error,
    }));
    const causes = all.filter(({ keyword }) => !STRUCTURAL.has(keyword));
    return causes.length > 0 ? causes : all;
  }

  #validate(schema: Schema, value: unknown, stopsEarly: boolean) {
    const engine = schemaEngine();
    if (engine === undefined) throw new Error('The engine is not loaded.');
    this.#lookup ??= engine.dereference(this.#root as Parameters<typeof dereference>[0]);
    return engine.validate(
      withDoubles(value),
      schema as Parameters<typeof validate>[1],
      this.#draft,
      this.#lookup,
      stopsEarly,
    );
  }
}

/** Keywords whose errors only say that a subschema has an error. */
const STRUCTURAL = new Set([
  'properties',
  'items',
  'prefixItems',
  'allOf',
  '$ref',
  'additionalProperties',
  'if',
  'then',
  'else',
  'dependentSchemas',
  'patternProperties',
]);

function draftOf(dialect: unknown): SchemaDraft {
  const text = String(dialect);
  if (text.includes('2019-09')) return '2019-09';
  if (/draft-0?[67]/.test(text)) return '7';
  return text.includes('draft-04') ? '4' : '2020-12';
}
