import type { Json } from '../json/json.js';
import { type Conjunction, collect } from './conjunction.js';
import type { FormContext, Path } from './form-state.js';
import { propertiesOf } from './object-input.js';
import type { Schema } from './schema.js';
import { intersectTypes } from './schema-types.js';

const MAX_DEPTH = 4;

/**
 * Returns the value that the form inserts when the user adds a member or an item: constants, lists, and objects with the
 * initial values of their required members. Members that the user has to decide on are absent.
 * @returns undefined if the user has to enter the whole value
 */
export function initialValue(
  schemas: readonly Schema[],
  path: Path,
  context: FormContext,
  depth = 0,
): Json | undefined {
  const conjunction = collect(schemas, undefined, path, context);
  const { parts } = conjunction;
  const constant = onlyAllowedValue(conjunction);
  if (constant !== undefined) return constant;
  const [type] = [...(intersectTypes(parts) ?? [])].filter((typeName) => typeName !== 'null');
  if (type === 'array') return [];
  if (type !== 'object') return undefined;
  if (depth >= MAX_DEPTH) return {};
  const required = new Set(parts.flatMap(({ required: names }) => (Array.isArray(names) ? names : [])));
  const members = [...propertiesOf(parts)]
    .filter(([name]) => required.has(name))
    .map(([name, schema]): [string, Json | undefined] => [
      name,
      initialValue(schema, [...path, name], context, depth + 1),
    ]);
  return Object.fromEntries(members.filter((entry): entry is [string, Json] => entry[1] !== undefined));
}

function onlyAllowedValue({ parts, constants }: Conjunction): Json | undefined {
  if (constants?.length === 1) return constants[0]!.value;
  for (const part of parts) {
    if ('const' in part) return part.const as Json;
    if (Array.isArray(part.enum) && part.enum.length === 1) return part.enum[0] as Json;
  }
  return undefined;
}
