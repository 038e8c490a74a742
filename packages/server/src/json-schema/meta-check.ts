import { setImmediate as nextTurn } from 'node:timers/promises';
import type { JsonSchema } from '@mortise/plugin';
import type { ErrorObject } from 'ajv';
import { compile, danglingReference, explain, TOO_DEEP, unknownDialect } from './compile.js';
import { createAjv, type Dialect, dialectOf, loadAjv, toRegExp } from './dialects.js';
import { isSchemaObject } from './map-keywords.js';
import { isPlainSchema } from './plain-schema.js';
import { targetOf } from './reference.js';
import { subschemasOf } from './subschemas.js';

const MAX_PROBLEMS = 5;

/** Matches references that are not JSON pointers. Only the compiler can resolve them. */
const NEEDS_COMPILING = /"(?:\$dynamicRef|\$recursiveRef|\$id|\$anchor|\$dynamicAnchor)":|"\$ref":"(?!#(?:\/|"))/;

/**
 * A schema that NEEDS_COMPILING and has at most this many characters is compiled during the check, which takes about
 * 50 ms. A longer schema is compiled when its tool is first called.
 */
const MAX_COMPILED_CHARS = 10_000;

/** The maximum nesting of a schema: far more than any author writes, and well within the stack. */
const MAX_DEPTH = 200;

/** The problems of each schema that has been checked. Schemas never change. */
const problemsBySchema = new WeakMap<object, string[]>();

/**
 * Returns up to five problems of a schema, most of them with a JSON pointer; [] if it is a valid JSON Schema of its
 * dialect.
 * @param schema any JSON value
 */
export function metaCheck(schema: unknown): string[] {
  if (!isSchemaObject(schema)) return ['it is not an object'];
  const problems = problemsBySchema.get(schema) ?? check(schema);
  problemsBySchema.set(schema, problems);
  return problems;
}

function check(schema: JsonSchema): string[] {
  if (isTooDeep(schema)) return [TOO_DEEP];
  const dialect = dialectOf(schema);
  if (!dialect) return [unknownDialect(schema.$schema)];
  try {
    const { $schema, ...keywords } = schema;
    if (dialect === '2020-12' && isPlainSchema(keywords)) return problemsBeyondMetaSchema(schema);
    const ajv = metaValidator(dialect);
    if (!ajv.validateSchema(keywords)) return describe(ajv.errors ?? []);
    const text = JSON.stringify(schema);
    if (!NEEDS_COMPILING.test(text)) return problemsBeyondMetaSchema(schema);
    if (text.length <= MAX_COMPILED_CHARS) compile(schema);
    return [];
  } catch (error) {
    return [explain(error)];
  }
}

/** Finds what the meta-schema cannot detect: invalid patterns, and references that have no target or never end. */
function problemsBeyondMetaSchema(root: JsonSchema): string[] {
  const problems = new Set<string>();
  const entered = new Set<JsonSchema>();
  /** The schemas that are applied to the current value. A reference back to one of them would never end. */
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
      else if (typeof target !== 'boolean') problems.add(danglingReference($ref));
    }
    const subschemas = subschemasOf(schema);
    for (const subschema of subschemas) if (subschema.isSameValue) enter(subschema.schema);
    sameValue.delete(schema);
    for (const subschema of subschemas) if (!subschema.isSameValue) pending.push(subschema.schema);
  }

  const pending = [root];
  for (let schema = pending.pop(); schema; schema = pending.pop()) enter(schema);
  problems.delete('');
  return [...problems].slice(0, MAX_PROBLEMS);
}

/** Returns '' for a valid pattern. */
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

let preparation: Promise<void> | undefined;

interface WithSchemas {
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema | undefined;
}

/**
 * Loads and compiles the meta-schema for {@link metaCheck}, if any schema of these tools needs it. It works in short
 * steps, because a single one would block the event loop for 70 ms. Later calls do no more work. Never rejects.
 */
export async function prepareMetaCheck(tools: readonly WithSchemas[]): Promise<void> {
  const schemas = tools.flatMap(({ inputSchema, outputSchema = {} }) => [inputSchema, outputSchema]);
  if (schemas.every((schema) => isTooDeep(schema) || isPlainSchema(schema))) return;
  preparation ??= prepare('2020-12');
  await preparation;
}

async function prepare(dialect: Dialect): Promise<void> {
  loadAjv(dialect);
  await nextTurn();
  const ajv = metaValidator(dialect);
  for (const id of Object.keys(ajv.schemas)) {
    await nextTurn();
    // Only the vocabularies are compiled here; the meta-schema uses them and is compiled with the first check.
    if (id.includes('/meta/')) ajv.getSchema(id);
  }
}

/** True if a schema has more levels of nesting than the 200 that are allowed. */
export const isTooDeep = (schema: JsonSchema): boolean => isDeeper(schema, MAX_DEPTH);

function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  return levels === 0 || Object.values(value).some((inner) => isDeeper(inner, levels - 1));
}

function describe(errors: readonly ErrorObject[]): string[] {
  const specificErrors = errors.filter(({ keyword }) => keyword !== 'anyOf');
  const lines = specificErrors.map(({ instancePath, message, params }) => {
    const allowedValues = params.allowedValues as unknown[] | undefined;
    return `${instancePath || 'its root'} ${allowedValues ? `must be one of ${allowedValues.join(', ')}` : message}`;
  });
  return [...new Set(lines)].slice(0, MAX_PROBLEMS);
}
