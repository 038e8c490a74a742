import type { JsonSchema } from '@mortise/plugin';
import type { ErrorObject } from 'ajv';
import { estimateJsonSize } from '../util/json-size.js';
import { createAjv, DIALECTS, dialectOf } from './dialects.js';
import { resolveDynamicReferences } from './dynamic-references.js';
import { mapKeywords } from './map-keywords.js';

/** One way in which a value violates a schema. */
export type Violation = ErrorObject;

export interface Validator {
  /** Returns true if the value is valid. Does not change the value. */
  (value: unknown): boolean;
  /** The violations that the last call found. */
  readonly errors: readonly Violation[];
  /** True if the validator finds every violation. For a large schema it always does, even without `allErrors`. */
  readonly findsAll: boolean;
}

export interface CompileOptions {
  /** true: find every violation; false: stop at the first one. Default: true. */
  allErrors?: boolean;
}

/**
 * Schemas with more characters are compiled in the quickest way. Ajv needs quadratic time for code that stops at the
 * first violation, and optimizing code takes longer than generating it.
 */
const LARGE_CHARS = 20_000;

/** Keywords that have a meaning for Ajv, but not in JSON Schema. They are removed. */
const AJV_ONLY = new Set(['nullable', '$async', 'id']);

/**
 * Compiles a schema of any dialect. Compiled schemas share nothing: the `$id` of one is unknown to all others. A
 * validator can be slow, especially if the author uses patterns: see quick-check.ts.
 * @throws Error that names the cause: `$schema`, a `$ref` (nothing is fetched), a pattern, or the depth
 */
export function compile(schema: JsonSchema, { allErrors: isAskedForAll = true }: CompileOptions = {}): Validator {
  const isLarge = estimateJsonSize(schema, LARGE_CHARS) > LARGE_CHARS;
  const findsAll = isAskedForAll || isLarge;
  const options = { verbose: true, validateSchema: false, ...(isLarge && { code: { optimize: 0 } }) };
  const dialect = dialectOf(schema);
  if (!dialect) throw new Error(unknownDialect(schema.$schema));
  const ajvSchema = mapKeywords(resolveDynamicReferences(schema), (keyword, value) =>
    AJV_ONLY.has(keyword) ? undefined : value,
  );
  const generate = (allErrors: boolean) => createAjv(dialect, { ...options, allErrors }).compile(ajvSchema);
  /**
   * Code that stops at the first violation has one level of nesting for each property of the schema. If it is nested
   * too deeply for the stack, code that continues after a violation replaces it.
   */
  const isTooDeep = (error: unknown) => !findsAll && error instanceof RangeError;
  const generateFirst = () => {
    try {
      return generate(findsAll);
    } catch (error) {
      if (!isTooDeep(error)) throw error;
      return generate(true);
    }
  };
  try {
    let validate = generateFirst();
    const validator: (value: unknown) => boolean = (value) => {
      try {
        return validate(value);
      } catch (error) {
        if (!isTooDeep(error)) throw error;
        validate = generate(true);
        return validate(value);
      }
    };
    Object.defineProperty(validator, 'errors', { get: () => validate.errors ?? [] });
    return Object.assign(validator, { findsAll }) as Validator;
  } catch (error) {
    throw new Error(explain(error), { cause: error });
  }
}

/** Returns the message for a `$schema` that is not supported. */
export function unknownDialect(dialect: unknown): string {
  return `$schema names ${JSON.stringify(dialect)}; supported are ${DIALECTS.join(', ')}`;
}

/** Returns the message for an exception of Ajv. */
export function explain(error: unknown): string {
  if (error instanceof RangeError) return TOO_DEEP;
  const { message, missingRef } = error as Error & { missingRef?: string };
  return missingRef === undefined ? message : danglingReference(missingRef);
}

/** Returns the message for a reference whose target does not exist. */
export function danglingReference(reference: string): string {
  return `$ref '${reference}' cannot be resolved (external references are not fetched)`;
}

/** The message for a schema that is nested too deeply to compile. */
export const TOO_DEEP = 'it is nested too deeply';
