/**
 * A JSON Schema for the arguments or the result of a tool; draft 2020-12 unless `$schema` names another one. The
 * members below are the documented ones; every other keyword of JSON Schema is allowed too.
 */
export interface JsonSchema {
  type?: string | readonly string[];
  properties?: Readonly<Record<string, JsonSchemaProperty | boolean>>;
  required?: readonly string[];
  readonly [keyword: string]: unknown;
}

/** One property of a {@link JsonSchema}. */
export interface JsonSchemaProperty {
  type?: string | readonly string[];
  description?: string;
  enum?: readonly unknown[];
  readonly [keyword: string]: unknown;
}
