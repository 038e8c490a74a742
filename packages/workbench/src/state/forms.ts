import { type Signal, signal } from '@preact/signals';
import { withActions } from '../form/action-members.js';
import { buildForm } from '../form/build-field.js';
import { childrenOf, emptyState, stateOf } from '../form/edit-form.js';
import { type Field, isSecretField } from '../form/field.js';
import { createForm, type FormContext, type FormState, type Path, withValueAt } from '../form/form-state.js';
import { loadSchemaEngine } from '../form/schema-engine.js';
import { isObject, type Json, type JsonObject, parseJson, writeJson } from '../json/json.js';
import type { Tool } from './types.js';

/** The form of a tool. It is kept while the page is open, also while another view is shown. */
export interface ToolForm {
  readonly create: (state: FormState) => FormContext;
  readonly state: Signal<FormState>;
  /**
   * The text in the JSON editor, with an error if the text is not valid arguments. Undefined if the fields were changed
   * later, because the editor then shows the form's value.
   */
  readonly draft: Signal<{ readonly text: string; readonly error?: string } | undefined>;
  /** True after the user has tried to run the tool. Only then are missing values reported. */
  readonly isTried: Signal<boolean>;
  /** Violations of the whole schema that no single field shows. */
  readonly violations: Signal<readonly string[]>;
}

/** True after {@link loadChecks}. Before that, the page cannot check values against whole schemas. */
export const canCheck = signal(false);

/** Loads the schema engine. Never rejects: without the engine, only the server checks the arguments. */
export async function loadChecks(): Promise<void> {
  await loadSchemaEngine().catch(() => {});
  canCheck.value = true;
}

const forms = new WeakMap<Tool, ToolForm>();
const states = new Map<string, Signal<FormState>>();

export function formOf(tool: Tool): ToolForm {
  const existing = forms.get(tool);
  if (existing) return existing;
  const create = createForm(withActions(tool.inputSchema, tool.actions) as never);
  // If the definition has changed, the new form keeps the values that were entered into the old one.
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

/** The paths of entered secrets, which are neither stored nor put into links. */
export function secretPaths(field: Field): Path[] {
  const ownPath = isSecretField(field) && field.value !== undefined ? [field.path] : [];
  return [...ownPath, ...childrenOf(field).flatMap(secretPaths)];
}

export function argumentsWithoutSecrets(tool: Tool, args: Json): Json {
  const root = buildForm(formOf(tool).create(stateOf(args)));
  return secretPaths(root).reduce<Json>((value, path) => withValueAt(value, path, undefined) ?? {}, args);
}

/** Encodes arguments for a link: their JSON as Base64url. */
export function encodeArguments(args: Json): string {
  const bytes = new TextEncoder().encode(writeJson(args));
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replace(/=+$/, '');
}

/** @returns undefined if the text is not an encoded JSON object */
export function decodeArguments(text: string): JsonObject | undefined {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'));
    const value = parseJson(new TextDecoder().decode(Uint8Array.from(binary, (char) => char.charCodeAt(0))));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
