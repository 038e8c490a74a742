import { isObject, type Json } from '../json/json.js';
import { References, type Schema } from './schema.js';
import { SchemaChecker } from './validate.js';

export type Path = readonly (string | number)[];

/** The entered value and the choices of a form. The fields and the JSON editor are two views of this value. */
export interface FormState {
  readonly value: Json | undefined;
  /** The index of the option that the user has chosen, by the key of the choice. All others follow from the value. */
  readonly choices: ReadonlyMap<string, number>;
}

export interface FormContext {
  readonly schema: Schema;
  readonly references: References;
  readonly checker: SchemaChecker;
  readonly state: FormState;
}

/** Prepares a form for a schema. @returns a function that combines the form with a state */
export function createForm(schema: Schema): (state: FormState) => FormContext {
  // The checker writes into the schema when it resolves references.
  const copy = structuredClone(schema);
  const shared = { schema: copy, references: new References(copy), checker: new SchemaChecker(copy) };
  return (state) => ({ ...shared, state });
}

export function valueAt(value: Json | undefined, path: Path): Json | undefined {
  let node = value;
  for (const part of path) {
    if (Array.isArray(node)) node = node[part as number];
    else if (isObject(node) && Object.hasOwn(node, part)) node = node[part as string];
    else return undefined;
  }
  return node;
}

/**
 * Returns a copy of `root` with a value at a path. Missing parents are created. undefined removes a member; an item of
 * a list stays without a value.
 */
export function withValueAt(root: Json | undefined, path: Path, value: Json | undefined): Json | undefined {
  const [part, ...rest] = path;
  if (part === undefined) return value;
  if (typeof part === 'number') {
    const items: (Json | undefined)[] = Array.isArray(root) ? [...root] : [];
    while (items.length < part) items.push(undefined);
    items[part] = withValueAt(items[part], rest, value);
    return items as Json[];
  }
  const members: [string, Json | undefined][] = isObject(root) ? Object.entries(root) : [];
  const member = members.find(([name]) => name === part);
  const next = withValueAt(member?.[1], rest, value);
  if (member === undefined && next !== undefined) members.push([part, next]);
  else if (member !== undefined) member[1] = next;
  return Object.fromEntries(members.filter(([, memberValue]) => memberValue !== undefined)) as Json;
}

/** Separates the JSON Pointer and the index in the key of a choice. No JSON Pointer contains this text. */
export const CHOICE = '~#';

/** Returns the choices except those at the JSON Pointer `prefix` and below it, whose value has been replaced. */
export function withoutChoicesBelow(choices: ReadonlyMap<string, number>, prefix: string): Map<string, number> {
  return new Map(
    [...choices].filter(([key]) => !(key.startsWith(`${prefix}/`) || key.startsWith(`${prefix}${CHOICE}`))),
  );
}
