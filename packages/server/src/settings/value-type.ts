import type { JsonValue } from '@mortise/plugin';

/** The largest delay that a timer of Node takes, in milliseconds; a longer one would fire at once. */
export const MAX_TIMER_MS = 2_147_483_647;

export interface IntegerType {
  readonly kind: 'integer';
  readonly min: number;
  readonly max: number;
}

export interface ChoiceType {
  readonly kind: 'choice';
  readonly of: readonly (string | boolean)[];
}

export interface TextType {
  readonly kind: 'text';
  readonly minLength?: number;
  /** '' is allowed too, whatever minLength says. */
  readonly orEmpty?: true;
  readonly url?: true;
  /** The name of an npm package, alone: without a version, a path or a subpath. */
  readonly packageName?: true;
  /** Default: secret when it was fetched or is under a secret-looking key. */
  readonly secret?: 'always' | 'never';
}

/** The names that npm packages can have, former ones with upper-case letters included. */
export const PACKAGE_NAME = /^(?:@[A-Za-z0-9~-][\w.~-]*\/)?(?!node_modules$)[A-Za-z0-9~-][\w.~-]*$/;

/** One of the choices, or a list of names. */
export interface ChoiceOrNamesType {
  readonly kind: 'choiceOrNames';
  readonly of: readonly string[];
}

/** A path, made absolute. `command`: only when it holds a separator; else it is a name to look up on PATH. */
export interface PathType {
  readonly kind: 'path';
  readonly orEmpty?: true;
  readonly command?: true;
}

export interface ListType {
  readonly kind: 'list';
  readonly of: ValueType;
  /** A single value stands for a list of one. */
  readonly orOne?: true;
}

/** An object whose keys are the user's: names of things, environment
 * variables (exact case), or fields whose name may say that they are secret. */
export interface MapType {
  readonly kind: 'map';
  readonly of: ValueType;
  readonly keys: 'names' | 'variables' | 'fields';
  /** Each entry is of one plugin or mounted server: a reference that cannot be fetched concerns that one alone. */
  readonly isPerPlugin?: true;
}

export interface Member {
  readonly type: ValueType;
  readonly description: string;
  /** As it would be in the file. Absent: the member stays out. */
  readonly default?: unknown;
  readonly required?: true;
  /** Only allowed beside this other member. */
  readonly requires?: string;
}

/** An object with known keys, found in any case. */
export interface RecordType {
  readonly kind: 'record';
  readonly members: Readonly<Record<string, Member>>;
  /** Exactly one of these must be there. */
  readonly oneOf?: readonly string[];
}

/** What a setting may hold. One reader per kind in parse-value.ts, one JSON Schema per kind in export-json-schema.ts. */
export type ValueType =
  | { readonly kind: 'boolean' }
  | { readonly kind: 'json' }
  | IntegerType
  | ChoiceType
  | ChoiceOrNamesType
  | TextType
  | PathType
  | ListType
  | MapType
  | RecordType;

export const bool = { kind: 'boolean' } as const;
export const json = { kind: 'json' } as const;
export const integer = (min: number, max: number) => ({ kind: 'integer', min, max }) as const;
export const milliseconds = (min: number) => integer(min, MAX_TIMER_MS);
export const choice = <const C extends readonly (string | boolean)[]>(...of: C) => ({ kind: 'choice', of }) as const;
export const choiceOrNames = <const C extends readonly string[]>(...of: C) => ({ kind: 'choiceOrNames', of }) as const;
export const text = (options: Omit<TextType, 'kind'> = {}) => ({ kind: 'text', ...options }) as const;
export const path = (options: Omit<PathType, 'kind'> = {}) => ({ kind: 'path', ...options }) as const;
export const list = <T extends ValueType>(of: T) => ({ kind: 'list', of }) as const;
export const oneOrList = <T extends ValueType>(of: T) => ({ kind: 'list', of, orOne: true }) as const;
export const map = <T extends ValueType>(keys: MapType['keys'], of: T) => ({ kind: 'map', keys, of }) as const;
export const perPlugin = <T extends ValueType>(of: T) =>
  ({ kind: 'map', keys: 'names', of, isPerPlugin: true }) as const;

/** The type of a value that was read: references fetched, defaults filled in, paths absolute. */
export type ValueOf<T extends ValueType> = {
  boolean: boolean;
  json: JsonValue;
  integer: number;
  text: string;
  path: string;
  choice: T extends ChoiceType ? T['of'][number] : never;
  choiceOrNames: T extends ChoiceOrNamesType ? T['of'][number] | readonly string[] : never;
  list: T extends ListType ? readonly ValueOf<T['of']>[] : never;
  map: T extends MapType ? { readonly [key: string]: ValueOf<T['of']> } : never;
  record: T extends RecordType ? MembersOf<T['members']> : never;
}[T['kind']];

type Members = RecordType['members'];
/** Members that are always there: they are required, or have a default. */
type Certain = { readonly required: true } | { readonly default: unknown };

/** The same of all members of a record. */
export type MembersOf<M extends Members> = {
  readonly [K in keyof M as M[K] extends Certain ? K : never]: ValueOf<M[K]['type']>;
} & {
  readonly [K in keyof M as M[K] extends Certain ? never : K]?: ValueOf<M[K]['type']>;
};

const DESCRIBERS: { [K in ValueType['kind']]: (type: Extract<ValueType, { kind: K }>) => string } = {
  boolean: () => 'true or false',
  json: () => 'any JSON value',
  integer: ({ min, max }) => `a whole number from ${min} to ${max}`,
  choice: ({ of }) => `one of ${of.join(', ')}`,
  choiceOrNames: ({ of }) => `${of.join(', ')}, or a list of names`,
  text: ({ minLength = 0, orEmpty, url, packageName }) => {
    if (packageName) return 'the name of an npm package';
    if (url) return 'an http or https URL';
    if (minLength <= 1) return minLength === 1 ? 'text that is not empty' : 'text';
    return `text of at least ${minLength} characters${orEmpty ? ', or empty' : ''}`;
  },
  path: ({ orEmpty, command }) =>
    command ? 'a path, or a name to look up on PATH' : `a path${orEmpty ? ', or empty' : ''}`,
  list: ({ of, orOne }) =>
    orOne ? `${describeType(of)}, or a list of them` : `a list, each entry ${describeType(of)}`,
  map: () => 'an object',
  record: () => 'an object',
};

/** The type in words, as messages ("must be …") and the docs show it. */
export function describeType(type: ValueType): string {
  return (DESCRIBERS[type.kind] as (type: ValueType) => string)(type);
}
