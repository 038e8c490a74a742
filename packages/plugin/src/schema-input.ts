import type { ArgumentsOf } from './infer-schema.js';
import type { JsonSchema } from './schema.js';
import type { StandardOutput, StandardSchema, StandardShape } from './standard-schema.js';

/**
 * A schema as `defineTool` accepts it: a Standard Schema (zod, valibot, ArkType), an object of Standard Schemas by
 * member (`{ city: z.string() }`), or a JSON Schema.
 */
export type SchemaInput = StandardSchema | StandardShape | JsonSchema;

/** A Standard Schema of a library that cannot write JSON Schema, and the JSON Schema of its input. */
export interface SchemaWithJson {
  readonly schema: StandardSchema;
  readonly json: JsonSchema;
}

/**
 * The type of the arguments that `run` gets, after validation. Without a schema, or with `{}`, there are no arguments.
 */
export type ArgumentsFrom<S> = S extends undefined
  ? Record<never, never>
  : S extends SchemaWithJson
    ? StandardOutput<S['schema']>
    : S extends StandardSchema
      ? StandardOutput<S>
      : S extends StandardShape
        ? { -readonly [K in keyof S]: StandardOutput<S[K]> }
        : ArgumentsOf<S>;
