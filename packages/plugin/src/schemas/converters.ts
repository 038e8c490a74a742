import { createRequire } from 'node:module';
import { DefinitionError } from '../definition-error.js';
import { callerPlace } from '../own-code.js';
import type { JsonSchema } from '../schema.js';
import type { SchemaSide } from '../standard-schema.js';

/**
 * Schemas of valibot and of zod 3 do not write themselves as JSON Schema. A package of each library does; the author installs it beside
 * the library, so that its version fits (docs/spec/plugin-api.md#converters).
 */
export interface Converter {
  /** The library, as an author imports it. */
  readonly library: string;
  /** The library needs the package in versions that begin with this; the empty text stands for all versions. */
  readonly versions: string;
  readonly packageName: string;
  isFor(schema: object): boolean;
  /** The JSON Schema 2020-12. @throws Error for a part that has none */
  convert(converter: never, schema: unknown, io: SchemaSide): JsonSchema;
}

interface ToJsonSchema {
  toJsonSchema(schema: unknown, options: object): JsonSchema;
}

/** A step of a `pipe` of valibot. */
interface ValibotAction {
  readonly kind: 'validation' | 'transformation' | 'metadata';
  readonly type: string;
  readonly requirement?: unknown;
}

const KEEPS_TYPE = new Set([
  'trim',
  'trim_start',
  'trim_end',
  'to_lower_case',
  'to_upper_case',
  'normalize',
  'brand',
  'flavor',
  'readonly',
]);

const VALIBOT: Converter = {
  library: 'valibot',
  versions: '',
  packageName: '@valibot/to-json-schema',
  isFor(schema) {
    const { kind, type } = schema as { kind?: unknown; type?: unknown };
    return kind === 'schema' && typeof type === 'string';
  },
  convert: ({ toJsonSchema }: ToJsonSchema, schema, io) =>
    toJsonSchema(schema, { target: 'draft-2020-12', typeMode: io, overrideAction: withoutUnknownCheck }),
};

interface ConvertedAction {
  readonly valibotAction: ValibotAction;
  readonly jsonSchema: JsonSchema;
  /** Why the package cannot write the action as JSON Schema. */
  readonly errors?: readonly string[] | undefined;
}

/** A check that JSON Schema cannot express adds no keyword, and valibot still applies it to values. */
function withoutUnknownCheck({ valibotAction, jsonSchema, errors }: ConvertedAction): JsonSchema | undefined {
  const { kind, type, requirement } = valibotAction;
  if (!errors || (kind === 'transformation' && !KEEPS_TYPE.has(type))) return undefined;
  if (!(requirement instanceof RegExp) || requirement.flags === 'u' || jsonSchema.pattern !== requirement.source)
    return jsonSchema;
  // The package has written the expression without its flags, which would refuse other texts.
  const { pattern: _, ...rest } = jsonSchema;
  return rest;
}

interface ZodToJsonSchema {
  zodToJsonSchema(schema: unknown, options: object): JsonSchema;
}

interface Zod3Definition {
  readonly typeName: string;
  readonly effect?: { readonly type: string };
}

/** The package writes a JSON Schema for these that no JSON value fits, or a reference to a place that another schema may not have. */
const WITHOUT_JSON = new Set(['ZodBigInt', 'ZodDate', 'ZodFunction', 'ZodLazy', 'ZodMap', 'ZodPromise', 'ZodSet']);

const ZOD_3: Converter = {
  library: 'zod',
  versions: '3.',
  packageName: 'zod-to-json-schema',
  isFor: (schema) => typeof (schema as { _def?: Partial<Zod3Definition> })._def?.typeName === 'string',
  convert({ zodToJsonSchema }: ZodToJsonSchema, schema, io) {
    const { $schema: _, ...json } = zodToJsonSchema(schema, {
      $refStrategy: 'none',
      applyRegexFlags: true,
      pipeStrategy: io,
      // Only `strict()` forbids additional members.
      removeAdditionalStrategy: 'strict',
      allowedAdditionalProperties: undefined,
      postProcess: (part: JsonSchema, definition: Zod3Definition) => checkedPart(part, definition, io),
    });
    return json;
  },
};

/**
 * Corrects what the package writes for a part: it writes tuples in the keywords of draft-07, and it writes "or undefined" for what is
 * optional, although JSON has no undefined.
 */
function checkedPart(part: JsonSchema, { typeName, effect }: Zod3Definition, io: SchemaSide): JsonSchema {
  if (WITHOUT_JSON.has(typeName)) throw new Error(`a schema of the kind ${typeName} has no JSON Schema`);
  if (effect?.type === 'preprocess' && io === 'input') throw new Error('what a preprocess takes has no schema');
  if (effect?.type === 'transform' && io === 'output') throw new Error('the result of a transform has no schema');
  if (typeName === 'ZodOptional') return (part.anyOf as JsonSchema[] | undefined)?.[1] ?? part;
  if (typeName !== 'ZodTuple') return part;
  const { items, additionalItems, maxItems: _, ...tuple } = part;
  return { ...tuple, prefixItems: items, items: additionalItems ?? false };
}

export const CONVERTERS: readonly Converter[] = [ZOD_3, VALIBOT];

/**
 * Converts by the package that the author has installed. @param subject for messages
 * @throws DefinitionError if it is not installed, Error for a part that has no JSON Schema
 */
export function convertBy(converter: Converter, schema: unknown, { subject, io }: { subject: string; io: SchemaSide }) {
  return converter.convert(load(converter, subject) as never, schema, io);
}

function load({ library, versions, packageName }: Converter, subject: string): unknown {
  const author = callerPlace()?.file;
  try {
    return createRequire(author ?? import.meta.url)(packageName);
  } catch (error) {
    const isAbsent = (error as NodeJS.ErrnoException).code === 'MODULE_NOT_FOUND';
    if (!isAbsent || !String(error).includes(`'${packageName}'`)) throw error;
    const name = `${library}${versions === '' ? '' : ` ${Number.parseInt(versions, 10)}`}`;
    throw new DefinitionError(
      `${subject}: schemas of ${name} have no JSON Schema of their own, and the package ${packageName}, which writes it, is not installed.`,
      `Run \`npm install ${packageName}\` in the folder of the plugin, or give the JSON Schema too: \`{ schema, json }\`.`,
      { cause: error },
    );
  }
}
