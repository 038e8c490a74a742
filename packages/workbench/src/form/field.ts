import type { Json } from '../json/json.js';
import type { Choice } from './conjunction.js';
import type { Path } from './form-state.js';
import type { Constant } from './option-labels.js';
import type { Schema, SchemaObject } from './schema.js';

/** One field of a form: the value, member or item at `path`, as the user sees it. */
export interface Field {
  readonly path: Path;
  readonly pointer: string;
  /** The title in the schema; without one, the name. */
  readonly label: string;
  readonly name: string;
  readonly description?: string;
  readonly examples: readonly Json[];
  readonly default?: Json;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly isDeprecated: boolean;
  readonly value: Json | undefined;
  readonly choices: readonly Choice[];
  /** Short texts about the limits of the value, such as `at least 3 characters`. */
  readonly rules: readonly string[];
  /** Sentences about the faults of the value itself, without those of its members and items. */
  readonly issues: readonly string[];
  readonly input: FieldInput;
  readonly schemas: readonly Schema[];
  /** True for a member that the user has named. The user can rename and remove it. */
  readonly isNamedByUser?: true;
  /** True for a parameter that only actions other than the chosen one take. */
  readonly isOfOtherAction?: true;
}

export type FieldInput =
  | { readonly kind: 'text'; readonly format?: string; readonly isSecret: boolean; readonly isMultiLine: boolean }
  | { readonly kind: 'number'; readonly isInteger: boolean }
  | { readonly kind: 'boolean' }
  | { readonly kind: 'constants'; readonly options: readonly Constant[] }
  | ObjectInput
  | ListInput
  | { readonly kind: 'json' };

export interface ObjectInput {
  readonly kind: 'object';
  readonly members: readonly Field[];
  /** The schemas of additional properties; undefined if the object allows none. */
  readonly additional?: readonly Schema[];
}

export interface ListInput {
  readonly kind: 'list';
  readonly items: readonly Field[];
  /** The number of leading items that have schemas by their position. */
  readonly tupleLength: number;
  /** The schemas of the next item; undefined if the list allows no further item. */
  readonly next?: readonly Schema[];
}

/** How an object or a list labels and marks the field of one of its members or items. */
export interface Role {
  readonly label: string;
  readonly isRequired: boolean;
  readonly isNamedByUser?: true;
  readonly isOfOtherAction?: boolean;
}

export type BuildField = (schemas: readonly Schema[], path: Path, role: Role, value: Json | undefined) => Field;

/** The object or list whose members or items are built. */
export interface Place {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly isRequired: boolean;
  readonly build: BuildField;
}

const SECRET = /^(password|passphrase|secret|token|api[-_]?key|access[-_]?key|client[-_]?secret)$/i;

/** True for a text field whose schema or name marks its value as a secret. */
export function isSecretField({ input, name }: Field): boolean {
  return input.kind === 'text' && (input.isSecret || SECRET.test(name));
}

export function firstOf(parts: readonly SchemaObject[], keyword: string): Json | undefined {
  return parts.find((part) => keyword in part)?.[keyword] as Json | undefined;
}

/** The first value of the keyword that is a non-empty text. */
export function firstText(parts: readonly SchemaObject[], keyword: string): string | undefined {
  return parts.map((part) => part[keyword]).find((text): text is string => typeof text === 'string' && text !== '');
}
