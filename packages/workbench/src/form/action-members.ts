import { isObject, type Json } from '../json/json.js';
import type { Schema } from './schema.js';

/** The action that is chosen in a tool whose required parameter `action` is one of several. */
export interface ChosenAction {
  /** Whether a parameter is described as one of other actions only. */
  isOther(name: string, schemas: readonly Schema[]): boolean;
}

/** @returns undefined where there is no action, or none is chosen yet */
export function actionOf(
  properties: ReadonlyMap<string, readonly Schema[]>,
  required: ReadonlySet<string>,
  value: Readonly<Record<string, Json>>,
): ChosenAction | undefined {
  const [schema] = properties.get('action') ?? [];
  const chosen = value.action;
  if (!required.has('action') || !isObject(schema) || !Array.isArray(schema.enum) || typeof chosen !== 'string') {
    return undefined;
  }
  const actions = schema.enum.filter((action) => typeof action === 'string');
  return {
    isOther: (name, schemas) => {
      const named = schemas.flatMap((one) => actionsIn(one, actions));
      return name !== 'action' && !Object.hasOwn(value, name) && named.length > 0 && !named.includes(chosen);
    },
  };
}

/** A description such as `Status, Reload: the name of one plugin` names the actions that a parameter belongs to. */
function actionsIn(schema: Schema, actions: readonly string[]): string[] {
  if (!isObject(schema)) return [];
  if (Array.isArray(schema['x-actions'])) return schema['x-actions'].map(String);
  const [prefix = ''] = String(schema.description ?? '').split(':', 1);
  const names = prefix.split(/,\s*| and | or /).map((name) => name.trim());
  return names.every((name) => actions.includes(name)) ? names : [];
}

/** The parameters of other actions come last. */
export function orderByAction<T extends { readonly isOfOtherAction?: true; readonly name: string }>(
  fields: readonly T[],
  action: ChosenAction | undefined,
): readonly T[] {
  if (action === undefined) return fields;
  return [...fields.filter((field) => !field.isOfOtherAction), ...fields.filter((field) => field.isOfOtherAction)];
}
