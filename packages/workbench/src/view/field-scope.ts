import type { ComponentType } from 'preact';
import type { Field } from '../form/field.js';
import type { FormContext, FormState } from '../form/form-state.js';
import { type Json, writeJson } from '../json/json.js';

/** What the fields of a form need: a change makes the next state. */
export interface FieldScope {
  readonly context: FormContext;
  /** Whether missing values are reported. */
  readonly isTried: boolean;
  readonly change: (next: FormState) => void;
  /** What the server said about the arguments as they are, by JSON Pointer. */
  readonly refusals: ReadonlyMap<string, string>;
  /** Shows a member or an item. */
  readonly View: ComponentType<FieldProps>;
}

export interface FieldProps {
  readonly field: Field;
  readonly scope: FieldScope;
}

/** The id of a field's control, or of what belongs to it. */
export const idOf = ({ pointer }: Field, part = '') => `field${pointer}${part && `~${part}`}`;

export function inputAttributes(field: Field, scope: FieldScope) {
  const shown = shownIssues(field, scope);
  return {
    id: idOf(field),
    'aria-invalid': shown.length > 0,
    'aria-required': field.isRequired,
    'aria-describedby': `${idOf(field, 'about')} ${idOf(field, 'hint')} ${idOf(field, 'issues')}`,
  } as const;
}

export function placeholderOf(field: Field): string {
  if (field.default !== undefined) return `Default: ${textOf(field.default)}`;
  const [example] = field.examples;
  if (example !== undefined) return `For example ${textOf(example)}`;
  return field.isRequired ? '' : 'Not sent';
}

export const textOf = (value: Json) => (typeof value === 'string' ? value : writeJson(value));

/** A missing value is reported after the first try. */
export function shownIssues(field: Field, scope: FieldScope): readonly string[] {
  const refusal = scope.refusals.get(field.pointer);
  const own = field.value === undefined && !scope.isTried ? [] : field.issues;
  return refusal === undefined ? own : [...own, refusal];
}
