import type { JsonSchema } from '@mortise/plugin';
import type { ErrorObject } from 'ajv';
import { createAjv, DIALECTS, dialectOf } from './dialects.js';
import { mapKeywords } from './map-keywords.js';

/** One way in which a value does not fit a schema. */
export type Violation = ErrorObject;

export interface Validator {
  /** Whether the value is valid. Does not change it. */
  (value: unknown): boolean;
  /** The violations that the last call found; [] when it found none. */
  readonly errors: readonly Violation[];
}

export interface CompileOptions {
  /** Whether to look for every violation, or to stop at the first. Default true. */
  allErrors?: boolean;
}

/** Keywords that Ajv has beyond JSON Schema, where they mean nothing. */
const AJV_ONLY = new Set(['nullable', '$async', 'id']);

/**
 * A validator for a schema of any dialect. Schemas share nothing: the `$id` of one is unknown to all others.
 * A pattern is run as its author wrote it and may be slow on hostile input.
 * @throws Error that says what no validator can be made of: `$schema`, `$ref` (nothing is fetched), pattern, depth.
 */
export function compile(schema: JsonSchema, { allErrors = true }: CompileOptions = {}): Validator {
  const dialect = dialectOf(schema);
  if (!dialect) throw new Error(unknownDialect(schema.$schema));
  try {
    const ajv = createAjv(dialect, { allErrors, verbose: true, validateSchema: false });
    const validate = ajv.compile(mapKeywords(schema, (keyword, value) => (AJV_ONLY.has(keyword) ? undefined : value)));
    const validator: (value: unknown) => boolean = (value) => validate(value);
    return Object.defineProperty(validator as Validator, 'errors', { get: () => validate.errors ?? [] });
  } catch (error) {
    throw new Error(explain(error), { cause: error });
  }
}

/** What to say of a `$schema` that names nothing known. */
export function unknownDialect(named: unknown): string {
  return `$schema names ${JSON.stringify(named)}; supported are ${DIALECTS.join(', ')}`;
}

/** What to say of an exception of Ajv. */
export function explain(error: unknown): string {
  if (error instanceof RangeError) return TOO_DEEP;
  const { message, missingRef } = error as Error & { missingRef?: string };
  return missingRef === undefined ? message : `$ref '${missingRef}' leads nowhere; nothing is fetched from elsewhere`;
}

/** What to say of a schema whose nesting no validator can be made of. */
export const TOO_DEEP = 'it is nested too deeply';
