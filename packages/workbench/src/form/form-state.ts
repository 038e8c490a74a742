import { isObject, type Json } from '../json/json.js';
import { References, type Schema } from './schema.js';
import { SchemaChecker } from './validate.js';

export type Path = readonly (string | number)[];

/** What a person has entered. The value is the truth: the fields and the JSON editor are two views of it. */
export interface FormState {
  readonly value: Json | undefined;
  /** The chosen option of a choice, by its key. Other choices follow from the value. */
  readonly choices: ReadonlyMap<string, number>;
}

/** What the fields are made of. */
export interface FormContext {
  readonly schema: Schema;
  readonly references: References;
  readonly checker: SchemaChecker;
  readonly state: FormState;
}

/** A form for a schema, for any number of states. */
export function createForm(schema: Schema): (state: FormState) => FormContext {
  // The checker notes references in the schema.
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

/** Sets what is at a path; undefined removes a member, and leaves an item of a list without a value. Parents are made. */
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
  return Object.fromEntries(members.filter(([, one]) => one !== undefined)) as Json;
}

/** Separates the place of a choice from its number; no JSON Pointer contains it. */
export const CHOICE = '~#';

/** The choices below a place are about a value that is gone. */
export function withoutChoicesBelow(choices: ReadonlyMap<string, number>, prefix: string): Map<string, number> {
  return new Map(
    [...choices].filter(([key]) => !(key.startsWith(`${prefix}/`) || key.startsWith(`${prefix}${CHOICE}`))),
  );
}
