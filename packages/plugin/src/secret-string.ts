import type { StandardResult, StandardSchema } from './standard-schema.js';

export interface SecretStringOptions {
  /** The purpose of the secret. It is shown if the secret is missing. */
  description?: string;
  /** true: the setting can be omitted. Default false. */
  optional?: boolean;
}

/** A Standard Schema, a JSON Schema, and a member of zod 4's object schemas, all in one. */
export interface SecretString<Value = string> extends StandardSchema<Value> {
  readonly type: 'string';
  readonly format: 'password';
  readonly minLength: 1;
  readonly description?: string;
  /** Makes the type assignable to a property of a JSON Schema. */
  readonly [keyword: string]: unknown;
  /** The types of zod 4 read this member. */
  readonly _zod: { readonly input: Value; readonly output: Value } & (undefined extends Value
    ? { readonly optin: 'optional'; readonly optout: 'optional' }
    : unknown);
}

/** A value that zod 4 validates, with the issues found so far. */
interface ZodPayload {
  value: unknown;
  issues: object[];
}

/**
 * The schema of a setting that holds a secret, for `config` of `definePlugin`: a string that is not empty. Its value is
 * shown as `[REDACTED]` in results, logs and messages. The schema can be a member of `z.object` (zod 4), of an object
 * of Standard Schemas, and of the `properties` of a JSON Schema.
 */
export function secretString(options: SecretStringOptions & { optional: true }): SecretString<string | undefined>;
export function secretString(options?: SecretStringOptions): SecretString;
export function secretString({
  description,
  optional = false,
}: SecretStringOptions = {}): SecretString<string | undefined> | SecretString {
  const json = {
    type: 'string',
    format: 'password',
    minLength: 1,
    ...(description !== undefined && { description }),
  } as const;
  const wrongWith = (value: unknown): string | undefined => {
    if (optional && value === undefined) return undefined;
    if (typeof value !== 'string') return 'must be a string';
    return value === '' ? 'must not be empty' : undefined;
  };
  const validate = (value: unknown): StandardResult<string> => {
    const message = wrongWith(value);
    return message === undefined ? { value: value as string } : { issues: [{ message }] };
  };
  const schema = { ...json } as object;
  const hidden = {
    '~standard': { version: 1, vendor: 'mortise', validate, jsonSchema: { input: () => json, output: () => json } },
    _zod: {
      def: { type: 'string' },
      traits: new Set(['$ZodType', '$ZodString']),
      bag: {},
      ...(optional && { optin: 'optional', optout: 'optional' }),
      run(payload: ZodPayload): ZodPayload {
        const message = wrongWith(payload.value);
        if (message !== undefined)
          payload.issues.push({ code: 'custom', message, input: payload.value, inst: schema, continue: false });
        return payload;
      },
      toJSONSchema: () => ({ ...json }),
    },
  };
  for (const [name, value] of Object.entries(hidden)) Object.defineProperty(schema, name, { value });
  return schema as SecretString;
}
