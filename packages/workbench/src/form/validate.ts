import type { dereference, SchemaDraft, validate } from '@cfworker/json-schema';
import { isObject, withDoubles } from '../json/json.js';
import type { Schema } from './schema.js';
import { schemaEngine } from './schema-engine.js';

/** Where a value does not match a schema. */
export interface Violation {
  /** A JSON Pointer into the value. */
  readonly pointer: string;
  readonly keyword: string;
  readonly message: string;
}

/** Interprets a schema and the schemas in it: the page may not compile code. */
export class SchemaChecker {
  readonly #root: Schema;
  readonly #draft: SchemaDraft;
  #lookup: ReturnType<typeof dereference> | undefined;

  constructor(root: Schema) {
    this.#root = root;
    this.#draft = isObject(root) ? draftOf(root.$schema) : '2020-12';
  }

  /** Whether a value matches a schema of this root. A schema that cannot be checked matches nothing; none can before the engine is there. */
  matches(schema: Schema, value: unknown): boolean {
    if (typeof schema === 'boolean') return schema;
    try {
      return this.#validate(schema, value, true).valid;
    } catch {
      return false;
    }
  }

  /** @throws Error where a reference leads nowhere, a pattern is not valid, or the engine is not there */
  violations(value: unknown): Violation[] {
    if (typeof this.#root === 'boolean') return [];
    const { valid, errors } = this.#validate(this.#root, value, false);
    if (valid) return [];
    const found = errors.map(({ instanceLocation, keyword, error }) => ({
      pointer: instanceLocation.replace(/^#/, ''),
      keyword,
      message: error,
    }));
    const own = found.filter(({ keyword }) => !STRUCTURAL.has(keyword));
    return own.length > 0 ? own : found;
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

/** Keywords that only say that something in them is wrong. */
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
