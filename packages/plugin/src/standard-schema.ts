/** A fault that a Standard Schema found in a value. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/**
 * The part of Standard Schema (standardschema.dev) that `defineTool` uses. zod, valibot, arktype and others implement
 * it.
 */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Standard Schemas by member name; zod calls this a shape. */
export type StandardShape = { readonly [member: string]: StandardSchema };

/** The type after validation. */
export type StandardOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** The type before validation. */
export type StandardInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];

/** True if the value is a Standard Schema. Schemas of arktype are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as Partial<StandardSchema>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

/** The side of a schema that transforms values: before or after the transformation. */
export type SchemaSide = 'input' | 'output';
