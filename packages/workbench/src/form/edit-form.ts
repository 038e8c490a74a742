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

export function emptyState(createContext: (state: FormState) => FormContext): FormState {
  const context = createContext({ value: undefined, choices: NO_CHOICES });
  return { value: initialValue([context.schema], [], context) ?? {}, choices: NO_CHOICES };
}

/** Creates a state without choices of the user, so that all choices follow from the value. */
export function stateOf(value: Json | undefined): FormState {
  return { value, choices: NO_CHOICES };
}

/** Sets the value at a path; undefined removes it. */
export function setValue(state: FormState, path: Path, value: Json | undefined): FormState {
  return { ...state, value: withValueAt(state.value, path, value) };
}

/** Sets a text field to what the user typed. Clearing the field removes the value; it does not send an empty text. */
export function typeText(state: FormState, { path }: Field, text: string): FormState {
  return setValue(state, path, text === '' ? undefined : text);
}

/** Sets a number field to what the user typed. Text that is not a number is kept and reported as an issue. */
export function typeNumber(state: FormState, { path }: Field, text: string): FormState {
  const trimmed = text.trim();
  return setValue(state, path, trimmed === '' ? undefined : (parseNumber(trimmed) ?? trimmed));
}

/** Adds an absent object or list with its initial content, for example the required members of the object. */
export function addValue(context: FormContext, { path, schemas }: Field): FormState {
  const value = initialValue(schemas, path, context) ?? {};
  return setValue(context.state, path, value);
}

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

export function moveItem(state: FormState, list: Path, from: number, to: number): FormState {
  const items = [...itemsAt(state, list)];
  const [moved] = items.splice(from, 1);
  items.splice(to, 0, moved);
  return {
    choices: withoutChoicesBelow(state.choices, pointer(list)),
    value: withValueAt(state.value, list, items as Json[]),
  };
}

/** Adds a member with its initial content. Nothing changes if the name is taken. */
export function addMember(context: FormContext, field: Field, name: string): FormState {
  const object = valueAt(context.state.value, field.path);
  if (isObject(object) && Object.hasOwn(object, name)) return context.state;
  // The member is null first, so that it has a field: the field has the schemas that apply to the member.
  const added = setValue(context.state, [...field.path, name], null);
  const member = findField(buildForm({ ...context, state: added }), [...field.path, name]);
  if (member === undefined) return added;
  return setValue(added, member.path, initialValue(member.schemas, member.path, context) ?? emptyValueOf(member));
}

/** Returns a value for a new member without an initial value, because a member without a value would not exist. */
function emptyValueOf(member: Field): Json {
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

/**
 * Selects an option of a choice. If the option does not accept the present value, only the members that match it are
 * kept.
 */
export function choose(context: FormContext, field: Field, choice: Choice, index: number): FormState {
  const { state, checker } = context;
  const choices = withoutChoicesBelow(state.choices, `${field.pointer}`);
  for (const [key, selected] of state.choices) if (isEarlierChoice(key, choice.key)) choices.set(key, selected);
  choices.set(choice.key, index);
  const next = { choices, value: state.value };
  const option = choice.options[index]!;
  const value = valueAt(state.value, field.path);
  const start = initialValue(field.schemas, field.path, { ...context, state: { ...next, value: undefined } });
  if (value !== undefined && checker.matches(option.schema, value)) return next;
  if (isObject(value) && isObject(start)) return setValue(next, field.path, withMatching(context, field, next, start));
  if (start !== undefined || !field.isNamedByUser) return setValue(next, field.path, start);
  const member = findField(buildForm({ ...context, state: setValue(next, field.path, null) }), field.path);
  return setValue(next, field.path, member ? emptyValueOf(member) : null);
}

/** Adds to `start`, the initial value of the new option, those entered members that the option has and accepts. */
function withMatching(context: FormContext, field: Field, next: FormState, start: Record<string, Json>): Json {
  const entered = valueAt(context.state.value, field.path) as Record<string, Json>;
  const after = findField(buildForm({ ...context, state: setValue(next, field.path, start) }), field.path);
  const kept = (after ? childrenOf(after) : []).flatMap(({ name, schemas }): [string, Json][] => {
    const value = Object.hasOwn(entered, name) ? entered[name] : undefined;
    const fits = value !== undefined && schemas.every((schema) => context.checker.matches(schema, value));
    return fits ? [[name, value]] : [];
  });
  return { ...start, ...Object.fromEntries(kept) };
}

/** True if both keys are of choices at the same place, and `key` is the earlier one. */
function isEarlierChoice(key: string, other: string): boolean {
  const [place, index] = key.split(CHOICE);
  const [otherPlace, otherIndex] = other.split(CHOICE);
  return place === otherPlace && Number(index) < Number(otherIndex);
}

export function findField(field: Field, path: Path): Field | undefined {
  if (field.path.length === path.length) return field;
  const next = path[field.path.length];
  const children = childrenOf(field);
  const child = children.find(({ path: childPath }) => childPath.at(-1) === next);
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
