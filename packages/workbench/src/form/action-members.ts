import { isObject, type Json, type JsonObject } from '../json/json.js';
import { type Schema, schemaEntries } from './schema.js';

/** In the schema of a parameter: the actions that take it, with its place among their parameters, and those that need it. */
const TAKEN_BY = 'x-taken-by';
const NEEDED_BY = 'x-needed-by';

/** The parameters of a tool whose required parameter `action` is one of several. */
export interface ChosenAction {
  /** Undefined while none is chosen. */
  readonly name: string | undefined;
  /** Whether a parameter is one of other actions only. */
  isOther(name: string, schemas: readonly Schema[]): boolean;
  /** Whether the chosen action needs the parameter. */
  needs(schemas: readonly Schema[]): boolean;
  /** Where the parameter is among those of the action; undefined if the tool does not say it. */
  placeOf(schemas: readonly Schema[]): number | undefined;
}

/** @returns undefined where there is no such parameter */
export function actionOf(
  properties: ReadonlyMap<string, readonly Schema[]>,
  required: ReadonlySet<string>,
  value: Readonly<Record<string, Json>>,
): ChosenAction | undefined {
  const [schema] = properties.get('action') ?? [];
  if (!required.has('action') || !isObject(schema) || !Array.isArray(schema.enum)) return undefined;
  const actions = schema.enum.filter((action) => typeof action === 'string');
  const name = typeof value.action === 'string' ? value.action : undefined;
  return {
    name,
    isOther(parameter, schemas) {
      const named = schemas.flatMap((one) => actionsIn(one, actions));
      if (parameter === 'action' || Object.hasOwn(value, parameter) || named.length === 0) return false;
      return name === undefined || !named.includes(name);
    },
    placeOf(schemas) {
      const [places] = schemas.flatMap((one) => (isObject(one) && isObject(one[TAKEN_BY]) ? [one[TAKEN_BY]] : []));
      const place = places?.[name ?? ''];
      return typeof place === 'number' ? place : undefined;
    },
    needs: (schemas) => schemas.some((one) => isObject(one) && listOf(one[NEEDED_BY]).includes(name ?? '')),
  };
}

/** The tool's word, or a description such as `Status, Reload: the name of one plugin`. */
function actionsIn(schema: Schema, actions: readonly string[]): string[] {
  if (!isObject(schema)) return [];
  if (isObject(schema[TAKEN_BY])) return Object.keys(schema[TAKEN_BY]);
  const [prefix = ''] = String(schema.description ?? '').split(':', 1);
  const names = prefix.split(/,\s*| and | or /).map((name) => name.trim());
  return names.every((name) => actions.includes(name)) ? names : [];
}

interface ActionField {
  readonly name: string;
  readonly schemas: readonly Schema[];
  readonly isRequired: boolean;
  readonly isOfOtherAction?: true;
}

/** After the action itself the parameters of the chosen one, as the tool orders them, and those of other actions last. */
export function orderByAction<T extends ActionField>(
  fields: readonly T[],
  action: ChosenAction | undefined,
): readonly T[] {
  if (action === undefined) return fields;
  const rank = ({ name, schemas, isRequired, isOfOtherAction }: T) => {
    if (name === 'action') return -1;
    if (isOfOtherAction) return Number.POSITIVE_INFINITY;
    return action.placeOf(schemas) ?? (isRequired ? 0 : Number.MAX_SAFE_INTEGER);
  };
  return fields
    .map((field) => ({ field, at: rank(field) }))
    .sort((a, b) => (a.at === b.at ? 0 : a.at - b.at))
    .map(({ field }) => field);
}

/** Whether a tool may say what each of its actions takes. */
export function hasActions({ properties }: JsonObject): boolean {
  return isObject(properties) && isObject(properties.action) && Array.isArray(properties.action.enum);
}

/** The schema of a tool's arguments with what each action takes (docs/spec/plugin-api.md#tool-actions). */
export function withActions(inputSchema: JsonObject, actions: JsonObject | undefined): JsonObject {
  if (!isObject(actions) || !isObject(inputSchema.properties)) return inputSchema;
  const parametersOf = Object.entries(actions).flatMap(([action, parameters]) =>
    isObject(parameters)
      ? [{ action, required: listOf(parameters.required), optional: listOf(parameters.optional) }]
      : [],
  );
  const properties = schemaEntries(inputSchema.properties).map(([name, schema]): [string, Json] => {
    if (name === 'action' || !isObject(schema)) return [name, schema as Json];
    const places = parametersOf.map(({ action, required, optional }): [string, number] => [
      action,
      [...required, ...optional].indexOf(name),
    ]);
    const takenBy = Object.fromEntries(places.filter(([, place]) => place >= 0));
    const neededBy = parametersOf.filter(({ required }) => required.includes(name)).map(({ action }) => action);
    return [name, { ...(schema as JsonObject), [TAKEN_BY]: takenBy, [NEEDED_BY]: neededBy }];
  });
  return { ...inputSchema, properties: Object.fromEntries(properties) };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
