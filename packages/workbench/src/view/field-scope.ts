import type { ComponentType } from 'preact';
import type { Field } from '../form/field.js';
import type { FormContext, FormState } from '../form/form-state.js';
import { type Json, writeJson } from '../json/json.js';

/** The values that all fields of one form share. */
export interface FieldScope {
  readonly context: FormContext;
  /** True after the user has tried to submit the form. Only then are missing values reported. */
  readonly isTried: boolean;
  readonly change: (next: FormState) => void;
  /** The server's errors about the present arguments, by the JSON Pointer of the argument. */
  readonly refusals: ReadonlyMap<string, string>;
  /** The component for a member or an item. */
  readonly View: ComponentType<FieldProps>;
}

export interface FieldProps {
  readonly field: Field;
  readonly scope: FieldScope;
}

/** The HTML id of a field's control, or of another part of the field such as `hint`. */
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

/** The issues that a field shows, with the server's error. A missing value is an issue only after the first try. */
export function shownIssues(field: Field, scope: FieldScope): readonly string[] {
  const refusal = scope.refusals.get(field.pointer);
  const issues = field.value === undefined && !scope.isTried ? [] : field.issues;
  return refusal === undefined ? issues : [...issues, refusal];
}
