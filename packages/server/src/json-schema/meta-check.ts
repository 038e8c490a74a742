import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonSchema } from '@mortise/plugin';
import type { ErrorObject } from 'ajv';
import { compile, explain, isDangling, TOO_DEEP, unknownDialect } from './compile.js';
import { createAjv, type Dialect, dialectOf, loadAjv, toRegExp } from './dialects.js';
import { isSchemaObject } from './map-keywords.js';
import { isPlainSchema } from './plain-schema.js';
import { targetOf } from './reference.js';
import { subschemasOf } from './subschemas.js';

const MAX_PROBLEMS = 5;

/** References that are not JSON pointers can only be resolved by compiling. */
const NEEDS_COMPILING = /"(?:\$dynamicRef|\$recursiveRef|\$id|\$anchor|\$dynamicAnchor)":|"\$ref":"(?!#(?:\/|"))/;

/** The longest such schema that is compiled to look at it, in characters: that takes about 50 ms; others are at their first call. */
const MAX_COMPILED_CHARS = 10_000;

/** Levels of JSON nesting; far more than any author writes, and well within the stack. */
const MAX_DEPTH = 200;

/** Schemas are never changed, so each is checked once. */
const cache = new WeakMap<object, string[]>();

/**
 * What is wrong with a schema, each with its JSON pointer; [] when it is a JSON Schema of its dialect. At most five.
 * @param schema any JSON value
 */
export function metaCheck(schema: unknown): string[] {
  if (!isSchemaObject(schema)) return ['it is not an object'];
  const problems = cache.get(schema) ?? check(schema);
  cache.set(schema, problems);
  return problems;
}

function check(schema: JsonSchema): string[] {
  if (isTooDeep(schema)) return [TOO_DEEP];
  const dialect = dialectOf(schema);
  if (!dialect) return [unknownDialect(schema.$schema)];
  try {
    const { $schema, ...keywords } = schema;
    if (dialect === '2020-12' && isPlainSchema(keywords)) return wrongParts(schema);
    const ajv = metaValidator(dialect);
    if (!ajv.validateSchema(keywords)) return describe(ajv.errors ?? []);
    const text = JSON.stringify(schema);
    if (!NEEDS_COMPILING.test(text)) return wrongParts(schema);
    if (text.length <= MAX_COMPILED_CHARS) compile(schema);
    return [];
  } catch (error) {
    return [explain(error)];
  }
}

/** What the meta-schema cannot detect: invalid patterns, and references that cannot be resolved or refer to themselves. */
function wrongParts(root: JsonSchema): string[] {
  const problems = new Set<string>();
  const entered = new Set<JsonSchema>();
  /** The schemas that are applied to the value now. A reference back to one of them would never end. */
  const sameValue = new Set<JsonSchema>();

  function enter(schema: JsonSchema, reference?: string): void {
    if (sameValue.has(schema)) problems.add(`$ref '${reference}' refers to itself`);
    if (entered.has(schema)) return;
    entered.add(schema);
    for (const pattern of patternsOf(schema)) problems.add(patternFault(pattern));
    sameValue.add(schema);
    const { $ref } = schema;
    if (typeof $ref === 'string') {
      const target = targetOf($ref, root);
      if (isSchemaObject(target)) enter(target, $ref);
      else if (typeof target !== 'boolean') problems.add(isDangling($ref));
    }
    const subschemas = subschemasOf(schema);
    for (const subschema of subschemas) if (subschema.isSameValue) enter(subschema.schema);
    sameValue.delete(schema);
    for (const subschema of subschemas) if (!subschema.isSameValue) later.push(subschema.schema);
  }

  const later = [root];
  for (let next = later.pop(); next; next = later.pop()) enter(next);
  problems.delete('');
  return [...problems].slice(0, MAX_PROBLEMS);
}

/** '' for a pattern that is a regular expression. */
function patternFault(pattern: string): string {
  try {
    toRegExp(pattern, 'u');
    return '';
  } catch (error) {
    return `pattern: ${(error as Error).message}`;
  }
}

function patternsOf({ pattern, patternProperties }: JsonSchema): string[] {
  return [
    ...(typeof pattern === 'string' ? [pattern] : []),
    ...(isSchemaObject(patternProperties) ? Object.keys(patternProperties) : []),
  ];
}

const validators = new Map<Dialect, ReturnType<typeof createAjv>>();

function metaValidator(dialect: Dialect): ReturnType<typeof createAjv> {
  const validator = validators.get(dialect) ?? createAjv(dialect, { allErrors: true });
  validators.set(dialect, validator);
  return validator;
}

let prepared: Promise<void> | undefined;

interface WithSchemas {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
}

/**
 * Loads and compiles in short steps what {@link metaCheck} needs for the schemas of these tools, if they are not plain: in one
 * step that takes the event loop 70 ms. Never rejects; to call it again costs nothing.
 */
export async function prepareMetaCheck(tools: readonly WithSchemas[]): Promise<void> {
  const schemas = tools.flatMap(({ inputSchema, outputSchema = {} }) => [inputSchema, outputSchema]);
  if (schemas.every((schema) => isTooDeep(schema) || isPlainSchema(schema))) return;
  prepared ??= prepare('2020-12');
  await prepared;
}

async function prepare(dialect: Dialect): Promise<void> {
  loadAjv(dialect);
  await nextTurn();
  const ajv = metaValidator(dialect);
  for (const id of Object.keys(ajv.schemas)) {
    await nextTurn();
    // The meta-schema itself needs the vocabularies, and comes with the first schema that is checked.
    if (id.includes('/meta/')) ajv.getSchema(id);
  }
}

/** Whether a schema nests deeper than the 200 levels that are allowed. */
export const isTooDeep = (schema: JsonSchema): boolean => isDeeper(schema, MAX_DEPTH);

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
