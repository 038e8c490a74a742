import { childrenOf } from '../form/edit-form.js';
import type { Field } from '../form/field.js';

/** Whether something is wrong at a place or below. */
export function hasIssues(field: Field): boolean {
  return field.issues.length > 0 || childrenOf(field).some(hasIssues);
}

export interface FieldIssue {
  readonly pointer: string;
  readonly label: string;
  readonly issue: string;
}

export function issuesIn(field: Field): FieldIssue[] {
  const own = field.issues.map((issue) => ({ pointer: field.pointer, label: field.label, issue }));
  return [...own, ...childrenOf(field).flatMap(issuesIn)];
}
