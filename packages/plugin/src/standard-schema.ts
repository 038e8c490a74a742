/** What a Standard Schema's validation found wrong. */
export interface StandardIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** The part of Standard Schema (standardschema.dev) that `defineTool` uses: zod, valibot, arktype and others have it. */
export interface StandardSchema<Input = unknown, Output = Input> {
  readonly '~standard': {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => StandardResult<Output> | Promise<StandardResult<Output>>;
    readonly types?: { readonly input: Input; readonly output: Output } | undefined;
  };
}

/** Standard Schemas by member: an object schema as zod calls it a shape. */
export type StandardShape = { readonly [member: string]: StandardSchema };

/** What validation gives: the type that `run` gets. */
export type StandardOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** What validation takes. */
export type StandardInput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['input'];

/** Whether the value is a Standard Schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as Partial<StandardSchema>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

/** Which side of a schema that transforms: what goes in, or what comes out. */
export type SchemaSide = 'input' | 'output';
