import { type Signal, signal } from '@preact/signals';
import { withActions } from '../form/action-members.js';
import { buildForm } from '../form/build-field.js';
import { childrenOf, emptyState, stateOf } from '../form/edit-form.js';
import { type Field, isSecretField } from '../form/field.js';
import { createForm, type FormContext, type FormState, type Path, withValueAt } from '../form/form-state.js';
import { loadSchemaEngine } from '../form/schema-engine.js';
import { isObject, type Json, type JsonObject, parseJson, writeJson } from '../json/json.js';
import type { Tool } from './types.js';

/** The form of a tool, as long as the page is open. */
export interface ToolForm {
  readonly create: (state: FormState) => FormContext;
  readonly state: Signal<FormState>;
  /** The text of the JSON editor since the last change in the fields, and why it is not arguments yet. */
  readonly draft: Signal<{ readonly text: string; readonly error?: string } | undefined>;
  /** Whether missing values are reported: once a call was tried. */
  readonly isTried: Signal<boolean>;
  /** What the whole schema refuses, where each field is right. */
  readonly violations: Signal<readonly string[]>;
}

/** Whether values are checked against whole schemas: what does it is loaded when the first form is on the screen. */
export const canCheck = signal(false);

/** Never rejects: what cannot be checked here is checked by the server. */
export async function loadChecks(): Promise<void> {
  await loadSchemaEngine().catch(() => {});
  canCheck.value = true;
}

const forms = new WeakMap<Tool, ToolForm>();
const states = new Map<string, Signal<FormState>>();

export function formOf(tool: Tool): ToolForm {
  const known = forms.get(tool);
  if (known) return known;
  const create = createForm(withActions(tool.inputSchema, tool.actions) as never);
  // A changed definition gets what was entered for the old one.
  const state = states.get(tool.name) ?? signal(emptyState(create));
  states.set(tool.name, state);
  const form = {
    create,
    state,
    draft: signal(undefined) as ToolForm['draft'],
    isTried: signal(false),
    violations: signal<readonly string[]>([]),
  };
  forms.set(tool, form);
  return form;
}

export function fillForm(tool: Tool, args: Json): void {
  const form = formOf(tool);
  form.state.value = stateOf(args);
  form.draft.value = undefined;
}

export function clearForm(tool: Tool): void {
  const form = formOf(tool);
  form.state.value = emptyState(form.create);
  form.draft.value = undefined;
  form.isTried.value = false;
  form.violations.value = [];
}

/** The places of secrets in what is entered: they are neither stored nor shared. */
export function secretPaths(field: Field): Path[] {
  const own = isSecretField(field) && field.value !== undefined ? [field.path] : [];
  return [...own, ...childrenOf(field).flatMap(secretPaths)];
}

/** The arguments of a form without those that its schema calls secret. */
export function argumentsWithoutSecrets(tool: Tool, args: Json): Json {
  const root = buildForm(formOf(tool).create(stateOf(args)));
  return secretPaths(root).reduce<Json>((value, path) => withValueAt(value, path, undefined) ?? {}, args);
}

/** Arguments as they are in a link. */
export function encodeArguments(args: Json): string {
  const bytes = new TextEncoder().encode(writeJson(args));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** @returns undefined for what is not such a text */
export function decodeArguments(text: string): JsonObject | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const value = parseJson(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
