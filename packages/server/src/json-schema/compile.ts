import type { JsonSchema } from '@mortise/plugin';
import type { ErrorObject } from 'ajv';
import { estimateJsonSize } from '../util/json-size.js';
import { createAjv, DIALECTS, dialectOf } from './dialects.js';
import { resolveDynamicReferences } from './dynamic-references.js';
import { mapKeywords } from './map-keywords.js';

/** One way in which a value does not fit a schema. */
export type Violation = ErrorObject;

export interface Validator {
  /** Whether the value is valid. Does not change it. */
  (value: unknown): boolean;
  /** The violations that the last call found; [] when it found none. */
  readonly errors: readonly Violation[];
  /** It looks for every violation, asked to or not. */
  readonly findsAll: boolean;
}

export interface CompileOptions {
  /** Whether to look for every violation, or to stop at the first. Default true. */
  allErrors?: boolean;
}

/**
 * Schemas of more characters are compiled in the quickest way: code that stops at the first violation takes quadratic
 * time to make, and to tidy up the code takes longer than to make it.
 */
const LARGE_CHARS = 20_000;

/** Keywords that Ajv has beyond JSON Schema, where they mean nothing. */
const AJV_ONLY = new Set(['nullable', '$async', 'id']);

/**
 * A validator for a schema of any dialect. Schemas share nothing: the `$id` of one is unknown to all others.
 * The author's schema is compiled unchanged and can be slow, especially its patterns: see quick-check.ts.
 * @throws Error that names what cannot be compiled: `$schema`, `$ref` (nothing is fetched), pattern, depth.
 */
export function compile(schema: JsonSchema, { allErrors: isExhaustive = true }: CompileOptions = {}): Validator {
  const isLarge = estimateJsonSize(schema, LARGE_CHARS) > LARGE_CHARS;
  const allErrors = isExhaustive || isLarge;
  const fixed = { verbose: true, validateSchema: false, ...(isLarge && { code: { optimize: 0 } }) };
  const dialect = dialectOf(schema);
  if (!dialect) throw new Error(unknownDialect(schema.$schema));
  const own = mapKeywords(resolveDynamicReferences(schema), (keyword, value) =>
    AJV_ONLY.has(keyword) ? undefined : value,
  );
  const make = (all: boolean) => createAjv(dialect, { ...fixed, allErrors: all }).compile(own);
  /** Code that stops at the first violation is nested as deep as the schema has properties: if that is too deep, code that continues after a violation is used. */
  const isTooDeep = (error: unknown) => !allErrors && error instanceof RangeError;
  const makeFirst = () => {
    try {
      return make(allErrors);
    } catch (error) {
      if (!isTooDeep(error)) throw error;
      return make(true);
    }
  };
  try {
    let validate = makeFirst();
    const validator: (value: unknown) => boolean = (value) => {
      try {
        return validate(value);
      } catch (error) {
        if (!isTooDeep(error)) throw error;
        validate = make(true);
        return validate(value);
      }
    };
    Object.defineProperty(validator, 'errors', { get: () => validate.errors ?? [] });
    return Object.assign(validator, { findsAll: allErrors }) as Validator;
  } catch (error) {
    throw new Error(explain(error), { cause: error });
  }
}

/** The message for a `$schema` that is not supported. */
export function unknownDialect(named: unknown): string {
  return `$schema names ${JSON.stringify(named)}; supported are ${DIALECTS.join(', ')}`;
}

/** The message for an exception of Ajv. */
export function explain(error: unknown): string {
  if (error instanceof RangeError) return TOO_DEEP;
  const { message, missingRef } = error as Error & { missingRef?: string };
  return missingRef === undefined ? message : isDangling(missingRef);
}

export function isDangling(reference: string): string {
  return `$ref '${reference}' cannot be resolved (external references are not fetched)`;
}

/** The message for a schema that is nested too deeply to compile. */
export const TOO_DEEP = 'it is nested too deeply';
