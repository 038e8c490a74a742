import { isObject, type Json, parseNumber, pointer } from '../json/json.js';
import { buildForm } from './build-field.js';
import type { Choice } from './conjunction.js';
import type { Field } from './field.js';
import {
  CHOICE,
  type FormContext,
  type FormState,
  type Path,
  valueAt,
  withoutChoicesBelow,
  withValueAt,
} from './form-state.js';
import { initialValue } from './initial-value.js';

const NO_CHOICES: ReadonlyMap<string, number> = new Map();

/** The state of a form in which nothing is entered yet. */
export function emptyState(createContext: (state: FormState) => FormContext): FormState {
  const context = createContext({ value: undefined, choices: NO_CHOICES });
  return { value: initialValue([context.schema], [], context) ?? {}, choices: NO_CHOICES };
}

/** The state of a form whose value is known, from JSON: choices follow from it. */
export function stateOf(value: Json | undefined): FormState {
  return { value, choices: NO_CHOICES };
}

/** Sets a value; undefined makes it absent. */
export function setValue(state: FormState, path: Path, value: Json | undefined): FormState {
  return { ...state, value: withValueAt(state.value, path, value) };
}

/** What a person typed into a field for text. Deleting everything makes it absent: empty text is sent only on demand. */
export function typeText(state: FormState, { path }: Field, text: string): FormState {
  return setValue(state, path, text === '' ? undefined : text);
}

/** What a person typed into a field for a number: a text that is not one is kept, and reported. */
export function typeNumber(state: FormState, { path }: Field, text: string): FormState {
  const trimmed = text.trim();
  return setValue(state, path, trimmed === '' ? undefined : (parseNumber(trimmed) ?? trimmed));
}

/** Adds what is absent: an object or a list with what it needs. */
export function addValue(context: FormContext, { path, schemas }: Field): FormState {
  const value = initialValue(schemas, path, context) ?? {};
  return setValue(context.state, path, value);
}

/** Removes a member or an item; later items move up. */
export function remove(state: FormState, path: Path): FormState {
  const parent = path.slice(0, -1);
  const last = path.at(-1)!;
  const choices = withoutChoicesBelow(state.choices, pointer(typeof last === 'number' ? parent : path));
  if (typeof last !== 'number') return { choices, value: withValueAt(state.value, path, undefined) };
  const items = itemsAt(state, parent).filter((_, index) => index !== last);
  return { choices, value: withValueAt(state.value, parent, items as Json[]) };
}

export function addItem(context: FormContext, field: Field): FormState {
  if (field.input.kind !== 'list' || field.input.next === undefined) return context.state;
  const items = itemsAt(context.state, field.path);
  const path = [...field.path, items.length];
  const item = initialValue(field.input.next, path, context);
  return setValue(context.state, field.path, [...items, item] as Json[]);
}

/** Moves an item by one. */
export function moveItem(state: FormState, list: Path, from: number, to: number): FormState {
  const items = [...itemsAt(state, list)];
  const [moved] = items.splice(from, 1);
  items.splice(to, 0, moved);
  return {
    choices: withoutChoicesBelow(state.choices, pointer(list)),
    value: withValueAt(state.value, list, items as Json[]),
  };
}

/** Adds a member with a name of the person's choice, with what it needs. */
export function addMember(context: FormContext, field: Field, name: string): FormState {
  const object = valueAt(context.state.value, field.path);
  if (isObject(object) && Object.hasOwn(object, name)) return context.state;
  // null shows the member: its field says what it has to be.
  const added = setValue(context.state, [...field.path, name], null);
  const member = findField(buildForm({ ...context, state: added }), [...field.path, name]);
  if (member === undefined) return added;
  return setValue(added, member.path, initialValue(member.schemas, member.path, context) ?? startOf(member));
}

/** A member exists only with a value. */
function startOf(member: Field): Json {
  switch (member.input.kind) {
    case 'text':
      return '';
    case 'number':
      return 0;
    case 'boolean':
      return false;
    case 'constants':
      return member.input.options[0]?.value ?? null;
    case 'list':
      return [];
    case 'object':
      return {};
    default:
      return null;
  }
}

export function renameMember(state: FormState, path: Path, name: string): FormState {
  const parent = path.slice(0, -1);
  const object = valueAt(state.value, parent);
  if (!isObject(object) || Object.hasOwn(object, name)) return state;
  const members = Object.entries(object).map(([key, value]) => [key === path.at(-1) ? name : key, value]);
  return {
    choices: withoutChoicesBelow(state.choices, pointer(path)),
    value: withValueAt(state.value, parent, Object.fromEntries(members)),
  };
}

/** Chooses an option. What is entered stays where the option has room for it. */
export function choose(context: FormContext, field: Field, choice: Choice, index: number): FormState {
  const { state, checker } = context;
  const choices = withoutChoicesBelow(state.choices, `${field.pointer}`);
  for (const [key, selected] of state.choices) if (isEarlier(key, choice.key)) choices.set(key, selected);
  choices.set(choice.key, index);
  const next = { choices, value: state.value };
  const option = choice.options[index]!;
  const value = valueAt(state.value, field.path);
  const start = initialValue(field.schemas, field.path, { ...context, state: { ...next, value: undefined } });
  if (value !== undefined && checker.matches(option.schema, value)) return next;
  if (isObject(value) && isObject(start)) return setValue(next, field.path, merged(context, field, next, start));
  if (start !== undefined || !field.isNamedHere) return setValue(next, field.path, start);
  const member = findField(buildForm({ ...context, state: setValue(next, field.path, null) }), field.path);
  return setValue(next, field.path, member ? startOf(member) : null);
}

/** Keeps the members that the new option has and that match it. */
function merged(context: FormContext, field: Field, next: FormState, start: Record<string, Json>): Json {
  const entered = valueAt(context.state.value, field.path) as Record<string, Json>;
  const after = findField(buildForm({ ...context, state: setValue(next, field.path, start) }), field.path);
  const kept = (after ? childrenOf(after) : []).flatMap(({ name, schemas }): [string, Json][] => {
    const value = Object.hasOwn(entered, name) ? entered[name] : undefined;
    const fits = value !== undefined && schemas.every((schema) => context.checker.matches(schema, value));
    return fits ? [[name, value]] : [];
  });
  return { ...start, ...Object.fromEntries(kept) };
}

/** The same place, and asked before. */
function isEarlier(key: string, other: string): boolean {
  const [place, group] = key.split(CHOICE);
  const [otherPlace, otherGroup] = other.split(CHOICE);
  return place === otherPlace && Number(group) < Number(otherGroup);
}

export function findField(field: Field, path: Path): Field | undefined {
  if (field.path.length === path.length) return field;
  const next = path[field.path.length];
  const children = childrenOf(field);
  const child = children.find(({ path: own }) => own.at(-1) === next);
  return child && findField(child, path);
}

export function childrenOf({ input }: Field): readonly Field[] {
  if (input.kind === 'object') return input.members;
  return input.kind === 'list' ? input.items : [];
}

function itemsAt(state: FormState, path: Path): readonly (Json | undefined)[] {
  const items = valueAt(state.value, path);
  return Array.isArray(items) ? items : [];
}
