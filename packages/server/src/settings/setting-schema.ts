import type { JsonValue } from '@mortise/plugin';

/** The longest delay of a Node timer in milliseconds. A timer with a longer delay fires immediately. */
export const MAX_TIMER_MS = 2_147_483_647;

/**
 * The schema of a setting: the keywords of JSON Schema (draft-07) that the table uses, and members that only the server
 * reads.
 */
export interface SettingSchema {
  readonly type?: 'boolean' | 'integer' | 'string' | 'array' | 'object';
  readonly description?: string;
  /** The default in the notation of the file. If absent, a setting that is not set has no value. */
  readonly default?: unknown;
  readonly enum?: readonly (string | boolean)[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly pattern?: string;
  readonly format?: 'uri';
  readonly anyOf?: readonly SettingSchema[];
  readonly items?: SettingSchema;
  readonly properties?: Readonly<Record<string, SettingSchema>>;
  readonly additionalProperties?: SettingSchema | false;
  readonly required?: readonly string[];
  readonly dependencies?: Readonly<Record<string, readonly string[]>>;
  readonly oneOf?: readonly { readonly required: readonly [string] }[];

  /** The allowed values in words, for messages ("must be …") and the docs. */
  readonly expected: string;
  /** The hint for a wrong value, if the general one does not fit. */
  readonly correction?: string;
  /** A path is made absolute; the path of a command only if it has a separator, because a name is looked up on PATH. */
  readonly isPath?: 'always' | 'withSeparator';
  /** Default: a text is secret if it was fetched, or if its key looks like that of a secret. */
  readonly secret?: 'always' | 'never';
  /** The kind of a map's keys: names, environment variables (case counts), or fields whose names can mark secrets. */
  readonly keys?: 'names' | 'variables' | 'fields';
  /** Set if a single value can stand for a list of one. */
  readonly orOne?: true;
}

export const bool = { type: 'boolean', expected: 'true or false' } as const;

export const json = { expected: 'any JSON value' } as const;

export const integer = (minimum: number, maximum: number) =>
  ({ type: 'integer', minimum, maximum, expected: `a whole number from ${minimum} to ${maximum}` }) as const;

export const milliseconds = (minimum: number) => integer(minimum, MAX_TIMER_MS);

export const choice = <const C extends readonly (string | boolean)[]>(...choices: C) =>
  ({ enum: choices, expected: `one of ${choices.join(', ')}` }) as const;

const text = <const S extends Omit<SettingSchema, 'type'>>(schema: S) => ({ type: 'string', ...schema }) as const;

export const anyText = text({ expected: 'text' });
/** Text that messages may quote, such as a name or a host. */
export const name = text({ minLength: 1, secret: 'never', expected: 'text that is not empty' });
export const secret = (minLength: number) =>
  text({ minLength, secret: 'always', expected: `text of at least ${minLength} characters` });
export const secretOrEmpty = (minLength: number) =>
  text({
    pattern: `^(?:[\\s\\S]{${minLength},})?$`,
    secret: 'always',
    expected: `text of at least ${minLength} characters, or empty`,
  });
export const sha256 = text({
  pattern: '^[0-9A-Fa-f]{64}$',
  secret: 'never',
  expected: 'a SHA-256: 64 hexadecimal digits',
  correction: '`mortise key new <name>` writes one.',
});
export const url = text({ pattern: '^[Hh][Tt][Tt][Pp][Ss]?://', format: 'uri', expected: 'an http or https URL' });
/** The URL can contain a password, so all of it is secret. */
export const redisUrl = text({
  pattern: '^[Rr][Ee][Dd][Ii][Ss][Ss]?://[^/]',
  format: 'uri',
  secret: 'always',
  expected: 'a redis:// or rediss:// URL',
});
export const prefix = text({
  pattern: '^[A-Za-z0-9._:-]{1,64}$',
  secret: 'never',
  expected: "at most 64 letters, digits, '.', '_', ':' and '-'",
});
export const replicaNameOrEmpty = text({
  pattern: '^(?:[A-Za-z0-9][A-Za-z0-9-]{0,62})?$',
  secret: 'never',
  expected: "at most 63 letters, digits and '-', or empty",
});
export const urlOrEmpty = text({
  pattern: '^(?:[Hh][Tt][Tt][Pp][Ss]?://.+)?$',
  expected: 'an http or https URL, or empty',
});
/**
 * The name of an npm package without a version, path or subpath. Upper-case letters are allowed, because old packages
 * have them.
 */
export const packageName = text({
  pattern: '^(?:@[A-Za-z0-9~-][\\w.~-]*/)?(?!node_modules$)[A-Za-z0-9~-][\\w.~-]*$',
  secret: 'never',
  expected: 'the name of an npm package',
  correction: 'Write the name alone, as in its package.json, for example "mortise-notes" or "@scope/name".',
});

const NOT_BLANK = '^(?!\\s*$)[^\\0]*$';
export const path = text({ pattern: NOT_BLANK, isPath: 'always', secret: 'never', expected: 'a path' });
export const pathOrEmpty = { ...path, pattern: '^[^\\0]*$', expected: 'a path, or empty' } as const;
export const command = { ...path, isPath: 'withSeparator', expected: 'a path, or a name to look up on PATH' } as const;

export const list = <const S extends SettingSchema>(items: S) =>
  ({ type: 'array', items, expected: `a list, each entry ${items.expected}` }) as const;

export const oneOrList = <const S extends SettingSchema>(items: S) =>
  ({ type: 'array', items, orOne: true, expected: `${items.expected}, or a list of them` }) as const;

export const choiceOrNames = <const C extends readonly string[]>(...choices: C) =>
  ({ anyOf: [choice(...choices), list(name)], expected: `${choices.join(', ')}, or a list of names` }) as const;

/** An object whose keys the user chooses. */
export const map = <const S extends SettingSchema>(keys: 'names' | 'variables' | 'fields', additionalProperties: S) =>
  ({ type: 'object', additionalProperties, keys, expected: 'an object' }) as const;

type Properties = Readonly<Record<string, SettingSchema>>;

/** An object with known keys, whose case does not count. */
export const record = <
  const P extends Properties,
  const R extends Pick<SettingSchema, 'required' | 'dependencies' | 'oneOf'>,
>(
  properties: P,
  rules: R = {} as R,
) => ({ type: 'object', properties, ...rules, additionalProperties: false, expected: 'an object' }) as const;

/** Adds a description to a member without a default. */
export const described = <const S extends SettingSchema>(schema: S, description: string) =>
  ({ ...schema, description }) as const;

/** Adds a description and a default, in the notation of the file, to a member. */
export const setting = <const S extends SettingSchema>(schema: S, defaultValue: unknown, description: string) =>
  ({ ...schema, default: defaultValue, description }) as const;

/** The type of a value of this schema after loading: references are fetched, defaults filled in, paths absolute. */
export type ValueOf<S> = S extends { readonly enum: readonly (infer E)[] }
  ? E
  : S extends { readonly anyOf: readonly (infer Branch)[] }
    ? ValueOfEach<Branch>
    : S extends { readonly items: infer Item }
      ? readonly ValueOf<Item>[]
      : S extends { readonly properties: infer P }
        ? MembersOf<P, S extends { readonly required: readonly (infer R)[] } ? R : never>
        : S extends { readonly additionalProperties: infer Entry }
          ? { readonly [key: string]: ValueOf<Entry> }
          : S extends { readonly type: keyof Scalars }
            ? Scalars[S['type']]
            : JsonValue;

interface Scalars {
  boolean: boolean;
  integer: number;
  string: string;
}

type ValueOfEach<Branch> = Branch extends unknown ? ValueOf<Branch> : never;

/** The names of members that are always present, because they are required or have a default. */
type PresentKeys<P, R> = {
  [K in keyof P]: K extends R ? K : P[K] extends { readonly default: unknown } ? K : never;
}[keyof P];

/** The type of an object with these members after loading. */
export type MembersOf<P, R = never> = { readonly [K in PresentKeys<P, R>]: ValueOf<P[K]> } & {
  readonly [K in Exclude<keyof P, PresentKeys<P, R>>]?: ValueOf<P[K]>;
};

/** Returns the schema for the case that the value is a list; undefined if it cannot be one. */
export const listSchemaOf = (schema: SettingSchema): SettingSchema | undefined =>
  schema.type === 'array' ? schema : schema.anyOf?.find(({ type }) => type === 'array');

/** True if the schema allows any value, so that nested values can be anything too. */
export const isAny = (schema: SettingSchema): boolean =>
  schema.type === undefined && schema.enum === undefined && schema.anyOf === undefined;
