import type { JsonSchema } from '@mortise/plugin';
import type { ErrorObject } from 'ajv';
import { compile, explain, TOO_DEEP, unknownDialect } from './compile.js';
import { createAjv, type Dialect, dialectOf } from './dialects.js';

const MAX_PROBLEMS = 5;

/** What the meta-schema cannot see: whether references lead somewhere and patterns are regular expressions. */
const NEEDS_COMPILING =
  /"(?:\$ref|\$dynamicRef|\$recursiveRef|\$id|\$anchor|\$dynamicAnchor|pattern|patternProperties)":/;

/** Levels of JSON nesting; far more than any author writes, and well within the stack. */
const MAX_DEPTH = 200;

/**
 * What is wrong with a schema, each with its JSON pointer; [] when it is a JSON Schema of its dialect. At most five.
 * @param schema any JSON value
 */
export function metaCheck(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null || Array.isArray(schema)) return ['it is no object'];
  if (isDeeper(schema, MAX_DEPTH)) return [TOO_DEEP];
  const dialect = dialectOf(schema as JsonSchema);
  if (!dialect) return [unknownDialect((schema as JsonSchema).$schema)];
  try {
    const ajv = metaValidator(dialect);
    const { $schema, ...keywords } = schema as JsonSchema;
    if (!ajv.validateSchema(keywords)) return describe(ajv.errors ?? []);
    if (NEEDS_COMPILING.test(JSON.stringify(schema))) compile(schema as JsonSchema);
    return [];
  } catch (error) {
    return [explain(error)];
  }
}

const validators = new Map<Dialect, ReturnType<typeof createAjv>>();

function metaValidator(dialect: Dialect): ReturnType<typeof createAjv> {
  const known = validators.get(dialect) ?? createAjv(dialect, { allErrors: true });
  validators.set(dialect, known);
  return known;
}

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function describe(errors: readonly ErrorObject[]): string[] {
  const specific = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const lines = specific.map(({ instancePath, message, params }) => {
    const allowed = params.allowedValues as unknown[] | undefined;
    return `${instancePath || 'its root'} ${allowed ? `must be one of ${allowed.join(', ')}` : message}`;
  });
  return [...new Set(lines)].slice(0, MAX_PROBLEMS);
}
