import { isObject } from '../json/json.js';
import type { Schema } from './schema.js';

type Engine = typeof import('./schema-engine-parts.js');

let engine: Engine | undefined;
let loading: Promise<void> | undefined;

/** What interprets JSON Schema. Undefined until {@link loadSchemaEngine} has loaded it. */
export function schemaEngine(): Engine | undefined {
  return engine;
}

/** Loads it once: a form that does without is drawn before. */
export function loadSchemaEngine(): Promise<void> {
  loading ??= import('./schema-engine-parts.js').then(
    (parts) => {
      engine = parts;
    },
    (error) => {
      loading = undefined;
      throw error;
    },
  );
  return loading;
}

/** Whether the fields of a schema depend on what its value matches. */
export function hasChoices(schema: Schema): boolean {
  return Object.entries(isObject(schema) ? schema : {}).some(
    ([keyword, value]) => CHOOSING.has(keyword) || (typeof value === 'object' && hasChoicesIn(value)),
  );
}

const CHOOSING = new Set(['if', 'anyOf', 'oneOf']);

function hasChoicesIn(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasChoicesIn) : hasChoices(value as Schema);
}
