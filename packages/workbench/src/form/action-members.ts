import { isObject, type Json, type JsonObject } from '../json/json.js';
import { type Schema, schemaEntries } from './schema.js';

/** The keyword for the actions that take a parameter: an object with the parameter's index for each action. */
const TAKEN_BY = 'x-taken-by';
/** The keyword for the actions that require a parameter: a list of their names. */
const NEEDED_BY = 'x-needed-by';

/** The chosen action of a tool that has several. The methods take all schemas of one of the tool's other parameters. */
export interface ChosenAction {
  /** Undefined while no action is chosen. */
  readonly name: string | undefined;
  /** True if only other actions take the parameter, and it has no value. */
  isOther(name: string, schemas: readonly Schema[]): boolean;
  needs(schemas: readonly Schema[]): boolean;
  /** Returns the index of the parameter among those of the action; undefined if the tool does not order them. */
  indexOf(schemas: readonly Schema[]): number | undefined;
}

/**
 * Finds the action that `value` chooses.
 * @returns undefined if the object has no required property `action` with an `enum`
 */
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
      const takers = schemas.flatMap((schema) => actionsTaking(schema, actions));
      if (parameter === 'action' || Object.hasOwn(value, parameter) || takers.length === 0) return false;
      return name === undefined || !takers.includes(name);
    },
    indexOf(schemas) {
      const [indexes] = schemas.flatMap((schema) =>
        isObject(schema) && isObject(schema[TAKEN_BY]) ? [schema[TAKEN_BY]] : [],
      );
      const index = indexes?.[name ?? ''];
      return typeof index === 'number' ? index : undefined;
    },
    needs: (schemas) => schemas.some((schema) => isObject(schema) && listOf(schema[NEEDED_BY]).includes(name ?? '')),
  };
}

/**
 * Lists the actions that take a parameter. If {@link withActions} has not noted them, reads them from the start of the
 * description, for example `Status, Reload: the name of one plugin`.
 */
function actionsTaking(schema: Schema, actions: readonly string[]): string[] {
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

/**
 * Sorts the fields of a tool: `action`, then the parameters of the chosen action in the tool's order, then those of
 * other actions.
 */
export function orderByAction<T extends ActionField>(
  fields: readonly T[],
  action: ChosenAction | undefined,
): readonly T[] {
  if (action === undefined) return fields;
  const rankOf = ({ name, schemas, isRequired, isOfOtherAction }: T) => {
    if (name === 'action') return -1;
    if (isOfOtherAction) return Number.POSITIVE_INFINITY;
    return action.indexOf(schemas) ?? (isRequired ? 0 : Number.MAX_SAFE_INTEGER);
  };
  return fields
    .map((field) => ({ field, rank: rankOf(field) }))
    .sort((a, b) => (a.rank === b.rank ? 0 : a.rank - b.rank))
    .map(({ field }) => field);
}

/** True if the input schema has a property `action` with an `enum`. */
export function hasActions({ properties }: JsonObject): boolean {
  return isObject(properties) && isObject(properties.action) && Array.isArray(properties.action.enum);
}

/**
 * Notes in the schema of each parameter which actions take and require it (docs/spec/plugin-api.md#tool-actions).
 * @param actions the required and optional parameters of each action; undefined leaves the schema as it is
 */
export function withActions(inputSchema: JsonObject, actions: JsonObject | undefined): JsonObject {
  if (!isObject(actions) || !isObject(inputSchema.properties)) return inputSchema;
  const parametersOf = Object.entries(actions).flatMap(([action, parameters]) =>
    isObject(parameters)
      ? [{ action, required: listOf(parameters.required), optional: listOf(parameters.optional) }]
      : [],
  );
  const properties = schemaEntries(inputSchema.properties).map(([name, schema]): [string, Json] => {
    if (name === 'action' || !isObject(schema)) return [name, schema as Json];
    const indexes = parametersOf.map(({ action, required, optional }): [string, number] => [
      action,
      [...required, ...optional].indexOf(name),
    ]);
    const takenBy = Object.fromEntries(indexes.filter(([, index]) => index >= 0));
    const neededBy = parametersOf.filter(({ required }) => required.includes(name)).map(({ action }) => action);
    return [name, { ...(schema as JsonObject), [TAKEN_BY]: takenBy, [NEEDED_BY]: neededBy }];
  });
  return { ...inputSchema, properties: Object.fromEntries(properties) };
}

function listOf(value: unknown): string[] {
  return Array.isArray(value) ? value.map(String) : [];
}
