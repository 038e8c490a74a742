import { createRequire } from 'node:module';
import { DefinitionError } from '../definition-error.js';
import { callerPlace } from '../own-code.js';
import type { JsonSchema } from '../schema.js';
import type { SchemaSide } from '../standard-schema.js';

/**
 * Converts schemas of a library that cannot write JSON Schema itself: valibot and zod 3. The author installs the
 * package that does it beside the library, so that their versions fit (docs/spec/plugin-api.md#converters).
 */
export interface Converter {
  /** The name by which an author imports the library. */
  readonly library: string;
  /** A prefix of the versions that need the package; '' for all versions. */
  readonly versions: string;
  readonly packageName: string;
  isFor(schema: object): boolean;
  /** Converts to JSON Schema 2020-12. @throws Error if a part cannot be expressed in it */
  convert(converter: never, schema: unknown, io: SchemaSide): JsonSchema;
}

interface ToJsonSchema {
  toJsonSchema(schema: unknown, options: object): JsonSchema;
}

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
  /** Set if the package cannot express the action as JSON Schema. */
  readonly errors?: readonly string[] | undefined;
}

/** Omits checks that JSON Schema cannot express; valibot still applies them. */
function withoutUnknownCheck({ valibotAction, jsonSchema, errors }: ConvertedAction): JsonSchema | undefined {
  const { kind, type, requirement } = valibotAction;
  if (!errors || (kind === 'transformation' && !KEEPS_TYPE.has(type))) return undefined;
  if (!(requirement instanceof RegExp) || requirement.flags === 'u' || jsonSchema.pattern !== requirement.source)
    return jsonSchema;
  // The package drops the flags of the expression, so the pattern would reject texts that the expression accepts.
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

/**
 * For these types the package writes a schema that no JSON value matches, or a reference that may not resolve
 * elsewhere.
 */
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
 * Corrects a part of the package's output: tuples are written with keywords of draft-07, and optional values as "or
 * undefined", although JSON has no undefined.
 */
function checkedPart(part: JsonSchema, { typeName, effect }: Zod3Definition, io: SchemaSide): JsonSchema {
  if (WITHOUT_JSON.has(typeName)) throw new Error(`${typeName} has no JSON Schema`);
  if (effect?.type === 'preprocess' && io === 'input')
    throw new Error('the input of z.preprocess() has no JSON Schema');
  if (effect?.type === 'transform' && io === 'output') throw new Error('the result of transform() has no JSON Schema');
  if (typeName === 'ZodOptional') return (part.anyOf as JsonSchema[] | undefined)?.[1] ?? part;
  if (typeName !== 'ZodTuple') return part;
  const { items, additionalItems, maxItems: _, ...tuple } = part;
  return { ...tuple, prefixItems: items, items: additionalItems ?? false };
}

export const CONVERTERS: readonly Converter[] = [ZOD_3, VALIBOT];

/**
 * Converts with the package that the author has installed.
 * @param subject names the owner of the schema in messages
 * @throws DefinitionError if the package is not installed, Error if a part has no JSON Schema
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
      `${subject}: ${name} needs the package ${packageName} to write JSON Schema, and it is not installed.`,
      `Run \`npm install ${packageName}\` in the folder of the plugin, or pass the JSON Schema too: \`{ schema, json }\`.`,
      { cause: error },
    );
  }
}
