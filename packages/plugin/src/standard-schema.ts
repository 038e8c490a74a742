import type { ErrorResult } from './error-response.js';
import { fail } from './fail.js';
import type { JsonSchema } from './schema.js';
import type { ToolCallResult } from './tool.js';

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

/** What validation gives: the type that `run` gets. */
export type StandardOutput<S extends StandardSchema> = NonNullable<S['~standard']['types']>['output'];

/** Whether the value is a Standard Schema; arktype's are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null) return false;
  const standard = (value as Partial<StandardSchema>)['~standard'];
  return typeof standard === 'object' && standard !== null && typeof standard.validate === 'function';
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

type Convert = (options: object) => unknown;

/** The ways in which libraries give the JSON Schema of a schema's input. */
interface Convertible {
  '~standard': { jsonSchema?: { input?: Convert } };
  toJSONSchema?: Convert;
  in?: { toJsonSchema?: Convert };
}

/** Each as the object and its method; the standard's own first. */
function conversions(schema: Convertible): [owner: object | undefined, convert: Convert | undefined][] {
  const { jsonSchema } = schema['~standard'];
  return [
    [jsonSchema, jsonSchema?.input],
    [schema, schema.toJSONSchema],
    [schema.in, schema.in?.toJsonSchema],
  ];
}

/** The JSON Schema of what the schema takes. @throws TypeError that says what to do when the library gives none */
export function jsonSchemaOf(schema: StandardSchema, tool: string): JsonSchema {
  const { vendor } = schema['~standard'];
  for (const [owner, convert] of conversions(schema as Convertible)) {
    if (typeof convert !== 'function') continue;
    try {
      const { $schema, ...json } = convert.call(owner, { target: 'draft-2020-12', io: 'input' }) as JsonSchema;
      return $schema === undefined || $schema === DRAFT ? json : { $schema, ...json };
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause);
      throw new TypeError(`Tool '${tool}': ${vendor} cannot write its schema as JSON Schema: ${reason}. ${GIVE_BOTH}`, {
        cause,
      });
    }
  }
  throw new TypeError(`Tool '${tool}': schemas of ${vendor} have no JSON Schema of their own. ${GIVE_BOTH}`);
}

const GIVE_BOTH = 'Give the JSON Schema as `inputSchema` and the Standard Schema as `input`.';

const MAX_ISSUES = 10;

/**
 * The INVALID_PARAMS failure that the issues mean (docs/spec/contract.md#schema-violations): one error each, at most
 * 10.
 */
export function invalidParams(issues: readonly StandardIssue[], args: unknown): ToolCallResult {
  const errors = issues.slice(0, MAX_ISSUES).map((issue) => invalidParam(issue, args));
  return fail(errors[0]?.message ?? 'The arguments are invalid', { code: 'INVALID_PARAMS', errors });
}

function invalidParam(issue: StandardIssue, args: unknown): ErrorResult {
  const keys = (issue.path ?? []).map((segment) => (typeof segment === 'object' ? segment.key : segment));
  const value = keys.reduce((holder, key) => (holder as Record<PropertyKey, unknown> | null | undefined)?.[key], args);
  const parameter = keys.map((key) => String(key).replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
  const isMissing = value === undefined || value === '';
  return {
    code: 'INVALID_PARAMS',
    message: isMissing
      ? `Parameter '${parameter}' is required and cannot be empty`
      : `${parameter === '' ? 'The arguments are' : `Parameter '${parameter}' is`} invalid: ${issue.message}`,
    category: 'Validation',
    hint: 'Verify the parameter values and try again.',
    rawOutput: issue.message,
    mcpErrorCode: -32602,
    data: {
      exitCode: -1,
      additionalData: {
        parameter,
        reason: isMissing ? 'required' : 'invalid value',
        ...(!isMissing && typeof value !== 'object' && { providedValue: String(value) }),
      },
    },
  };
}
