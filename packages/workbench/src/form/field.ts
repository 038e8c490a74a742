import type { Json } from '../json/json.js';
import type { Choice } from './conjunction.js';
import type { Path } from './form-state.js';
import type { Constant } from './option-labels.js';
import type { Schema, SchemaObject } from './schema.js';

/** What a person sees of one place of a value. */
export interface Field {
  readonly path: Path;
  /** A JSON Pointer. */
  readonly pointer: string;
  readonly label: string;
  /** The name as the schema has it, where the label is a title. */
  readonly name: string;
  readonly description?: string;
  readonly examples: readonly Json[];
  readonly default?: Json;
  readonly isRequired: boolean;
  readonly isNullable: boolean;
  readonly isDeprecated: boolean;
  readonly value: Json | undefined;
  readonly choices: readonly Choice[];
  /** What a value has to be, in short. */
  readonly rules: readonly string[];
  /** What is wrong with the value here, not below. */
  readonly issues: readonly string[];
  readonly input: FieldInput;
  readonly schemas: readonly Schema[];
  /** A member that the person named: it can be renamed and removed. */
  readonly isNamedHere?: true;
  /** A parameter of another action than the chosen one. */
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
  /** What additional properties have to match; undefined where none are allowed. */
  readonly additional?: readonly Schema[];
}

export interface ListInput {
  readonly kind: 'list';
  readonly items: readonly Field[];
  /** Items with a meaning by their position. */
  readonly tupleLength: number;
  /** What the next item has to match; undefined where no more are allowed. */
  readonly next?: readonly Schema[];
}

/** What a place is in its object or list. */
export interface Role {
  readonly label: string;
  readonly isRequired: boolean;
  readonly isNamedHere?: true;
  readonly isOfOtherAction?: boolean;
}

/** Makes the field of a member or item. */
export type BuildField = (schemas: readonly Schema[], path: Path, role: Role, value: Json | undefined) => Field;

/** The place whose members or items are built. */
export interface Place {
  readonly path: Path;
  readonly value: Json | undefined;
  readonly isRequired: boolean;
  readonly build: BuildField;
}

const SECRET = /^(password|passphrase|secret|token|api[-_]?key|access[-_]?key|client[-_]?secret)$/i;

/** Whether a member's name says that its value is secret. */
export function isSecretField({ input, name }: Field): boolean {
  return input.kind === 'text' && (input.isSecret || SECRET.test(name));
}

export function firstOf(parts: readonly SchemaObject[], keyword: string): Json | undefined {
  return parts.find((part) => keyword in part)?.[keyword] as Json | undefined;
}

export function firstText(parts: readonly SchemaObject[], keyword: string): string | undefined {
  return parts.map((part) => part[keyword]).find((text): text is string => typeof text === 'string' && text !== '');
}
