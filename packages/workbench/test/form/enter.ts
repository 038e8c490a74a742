import { buildForm } from '../../src/form/build-field.js';
import type { Choice } from '../../src/form/conjunction.js';
import {
  addItem,
  addMember,
  addValue,
  childrenOf,
  choose,
  emptyState,
  findField,
  remove,
  setValue,
  typeNumber,
  typeText,
} from '../../src/form/edit-form.js';
import type { Field } from '../../src/form/field.js';
import { createForm, type FormContext, type FormState, type Path, valueAt } from '../../src/form/form-state.js';
import type { Schema } from '../../src/form/schema.js';
import { loadSchemaEngine } from '../../src/form/schema-engine.js';
import { isNumber, isObject, isSameJson, type Json, numberText } from '../../src/json/json.js';

await loadSchemaEngine();

type CreateContext = (state: FormState) => FormContext;

/**
 * Enters a value as a person does: by what the fields offer, one after the other.
 * @returns the state of the form, or undefined where the fields have no way to it
 */
export function enter(schema: Schema, target: Json): FormState | undefined {
  const createContext = createForm(schema);
  const state = enterAt(createContext, emptyState(createContext), [], target);
  return state !== undefined && isSameJson(state.value, target) ? state : undefined;
}

function enterAt(create: CreateContext, state: FormState, path: Path, target: Json): FormState | undefined {
  const field = fieldAt(create, state, path);
  if (field === undefined) return undefined;
  if (target === null) return field.isNullable || field.input.kind === 'json' ? setValue(state, path, null) : undefined;
  return enterByChoices(create, state, field, target, 0);
}

/** Tries the options of each choice, from the first to the last. */
function enterByChoices(
  create: CreateContext,
  state: FormState,
  field: Field,
  target: Json,
  group: number,
): FormState | undefined {
  const choice: Choice | undefined = field.choices[group];
  if (choice === undefined) return enterValue(create, state, field, target);
  const order = [choice.selected, ...choice.options.keys()].filter((index, at, all) => all.indexOf(index) === at);
  for (const index of order) {
    const chosen = index === choice.selected ? state : choose(create(state), field, choice, index);
    const next = fieldAt(create, chosen, field.path);
    const entered = next && enterByChoices(create, chosen, next, target, group + 1);
    if (entered !== undefined && isSameJson(valueAt(entered.value, field.path), target)) return entered;
  }
  return undefined;
}

function enterValue(create: CreateContext, state: FormState, field: Field, target: Json): FormState | undefined {
  const { input } = field;
  switch (input.kind) {
    case 'text':
      if (typeof target !== 'string') return undefined;
      return target === '' ? setValue(state, field.path, '') : typeText(state, field, target);
    case 'number':
      return isNumber(target) ? typeNumber(state, field, numberText(target)) : undefined;
    case 'boolean':
      return typeof target === 'boolean' ? setValue(state, field.path, target) : undefined;
    case 'constants': {
      const option = input.options.find(({ value }) => isSameJson(value, target));
      return option && setValue(state, field.path, option.value);
    }
    case 'object':
      return isObject(target) ? enterObject(create, state, field, target) : undefined;
    case 'list':
      return Array.isArray(target) ? enterList(create, state, field, target) : undefined;
    case 'json':
      return undefined;
  }
}

function enterObject(
  create: CreateContext,
  before: FormState,
  field: Field,
  target: Record<string, Json>,
): FormState | undefined {
  let state: FormState | undefined = isObject(field.value) ? before : addValue(create(before), field);
  for (const [name, member] of Object.entries(target)) {
    const path = [...field.path, name];
    if (fieldAt(create, state, path) === undefined) {
      const parent: Field | undefined = fieldAt(create, state, field.path);
      if (parent?.input.kind !== 'object' || parent.input.additional === undefined) return undefined;
      state = addMember(create(state), parent, name);
    }
    state = enterAt(create, state, path, member);
    if (state === undefined) return undefined;
  }
  return withoutOthers(create, state, field.path, target);
}

/** Removes the members that the form has by itself, where it offers that. */
function withoutOthers(
  create: CreateContext,
  before: FormState,
  path: Path,
  target: Record<string, Json>,
): FormState | undefined {
  const members = childrenOf(fieldAt(create, before, path)!);
  const others = members.filter(({ value, name }) => value !== undefined && !Object.hasOwn(target, name));
  if (others.some(({ isRequired }) => isRequired)) return undefined;
  return others.reduce((state, other) => remove(state, other.path), before);
}

function enterList(
  create: CreateContext,
  before: FormState,
  field: Field,
  target: readonly Json[],
): FormState | undefined {
  let state: FormState | undefined = setValue(before, field.path, []);
  for (const [index, item] of target.entries()) {
    const list = fieldAt(create, state, field.path);
    if (list?.input.kind !== 'list' || list.input.next === undefined) return undefined;
    state = enterAt(create, addItem(create(state), list), [...field.path, index], item);
    if (state === undefined) return undefined;
  }
  return state;
}

export function fieldAt(create: CreateContext, state: FormState, path: Path): Field | undefined {
  return findField(buildForm(create(state)), path);
}
