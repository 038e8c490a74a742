import { buildForm } from '../../src/form/build-field.js';
import {
  addItem,
  addMember,
  addValue,
  choose,
  emptyState,
  moveItem,
  remove,
  renameMember,
  setValue,
  stateOf,
  typeNumber,
  typeText,
} from '../../src/form/edit-form.js';
import type { Field } from '../../src/form/field.js';
import { createForm, type FormContext, type FormState } from '../../src/form/form-state.js';
import type { Schema } from '../../src/form/schema.js';
import { loadSchemaEngine } from '../../src/form/schema-engine.js';
import { type Json, parseJson, writeJson } from '../../src/json/json.js';

await loadSchemaEngine();

/**
 * What a person does at a place, which a JSON Pointer names:
 * type a text or number · pick a value by its title or text · choose an option · add an object, list, item or member ·
 * send null or empty text · remove · move an item · rename a member · paste JSON.
 */
export type Step =
  | readonly [at: string, does: 'type' | 'pick' | 'choose' | 'rename' | 'member', text: string]
  | readonly [at: string, does: 'move', to: number]
  | readonly [at: string, does: 'add' | 'item' | 'null' | 'empty' | 'remove']
  | readonly [at: '', does: 'paste', json: string];

/** A form in which the steps are done. @throws Error for a step that the form does not offer */
export function perform(schema: Schema, steps: readonly Step[]): FormContext {
  const create = createForm(schema);
  let state = emptyState(create);
  for (const step of steps) state = performStep(create(state), step);
  return create(state);
}

/** The text that would be sent. */
export function sentBy(schema: Schema, steps: readonly Step[]): string {
  return writeJson(perform(schema, steps).state.value);
}

function performStep(context: FormContext, [at, does, detail]: Step): FormState {
  const { state } = context;
  if (does === 'paste') return stateOf(parseJson(String(detail)));
  const field = fieldAt(buildForm(context), at);
  const text = String(detail);
  switch (does) {
    case 'type':
      return type(context, field, text);
    case 'pick':
      return setValue(state, field.path, valueToPick(field, text));
    case 'choose': {
      const choice = field.choices.find(({ options }) => options.some(({ label }) => label === text));
      if (!choice) throw new Error(`${at} has no option ${text}, but ${optionsOf(field)}`);
      return choose(
        context,
        field,
        choice,
        choice.options.findIndex(({ label }) => label === text),
      );
    }
    case 'member':
      return addMember(context, field, text);
    case 'rename':
      return renameMember(state, field.path, text);
    case 'move':
      return moveItem(state, field.path.slice(0, -1), Number(field.path.at(-1)), Number(detail));
    case 'add':
      return addValue(context, field);
    case 'item':
      return addItem(context, field);
    case 'null':
      if (!field.isNullable) throw new Error(`${at} does not take null`);
      return setValue(state, field.path, null);
    case 'empty':
      return setValue(state, field.path, '');
    case 'remove':
      return remove(state, field.path);
  }
}

function type({ state }: FormContext, field: Field, text: string): FormState {
  if (field.input.kind === 'text') return typeText(state, field, text);
  if (field.input.kind === 'number') return typeNumber(state, field, text);
  if (field.input.kind === 'json') return setValue(state, field.path, parseJson(text));
  throw new Error(`${field.pointer} takes no text, but is ${field.input.kind}`);
}

function valueToPick({ input, pointer: at }: Field, text: string): Json | undefined {
  if (input.kind === 'boolean') return text === 'true' ? true : text === 'false' ? false : undefined;
  const option =
    input.kind === 'constants' && input.options.find(({ value, title }) => (title ?? String(value)) === text);
  if (!option) throw new Error(`${at} does not offer ${text}`);
  return option.value;
}

export function fieldAt(field: Field, at: string): Field {
  const found = search(field, at);
  if (!found) throw new Error(`the form has no field ${at}`);
  return found;
}

function search(field: Field, at: string): Field | undefined {
  if (field.pointer === at) return field;
  const children =
    field.input.kind === 'object' ? field.input.members : field.input.kind === 'list' ? field.input.items : [];
  for (const child of children) {
    const found = at === child.pointer || at.startsWith(`${child.pointer}/`) ? search(child, at) : undefined;
    if (found) return found;
  }
  return undefined;
}

const optionsOf = (field: Field) =>
  field.choices.flatMap(({ options }) => options.map(({ label }) => label)).join(', ');
