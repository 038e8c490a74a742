import { isObject } from '../json/json.js';
import type { Schema } from './schema.js';

type Engine = typeof import('./schema-engine-parts.js');

let engine: Engine | undefined;
let loading: Promise<void> | undefined;

/** The interpreter of JSON Schema; undefined until {@link loadSchemaEngine} has loaded it. */
export function schemaEngine(): Engine | undefined {
  return engine;
}

/**
 * Loads the engine once. It is not part of the page's first script, because a form without choices can be drawn without
 * it (see {@link hasChoices}).
 */
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

/** True if a form needs the engine to be drawn, because its fields depend on which subschemas the value matches. */
export function hasChoices(schema: Schema): boolean {
  return Object.entries(isObject(schema) ? schema : {}).some(
    ([keyword, value]) => CHOICE_KEYWORDS.has(keyword) || (typeof value === 'object' && hasChoicesIn(value)),
  );
}

const CHOICE_KEYWORDS = new Set(['if', 'anyOf', 'oneOf']);

function hasChoicesIn(value: unknown): boolean {
  return Array.isArray(value) ? value.some(hasChoicesIn) : hasChoices(value as Schema);
}
