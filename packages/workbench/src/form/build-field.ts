import { isSameJson, type Json, pointer } from '../json/json.js';
import { checkValue } from './check-value.js';
import { type Conjunction, collect } from './conjunction.js';
import { type BuildField, type Field, type FieldInput, firstOf, firstText, type Place, type Role } from './field.js';
import type { FormContext, Path } from './form-state.js';
import { listInput } from './list-input.js';
import { objectInput } from './object-input.js';
import type { Constant } from './option-labels.js';
import type { Schema, SchemaObject } from './schema.js';
import { intersectTypes } from './schema-types.js';

/** Builds the root field of a form, with the fields below it. */
export function buildForm(context: FormContext): Field {
  return buildField([context.schema], [], context, { label: 'Arguments', isRequired: true }, context.state.value);
}

function buildField(
  schemas: readonly Schema[],
  path: Path,
  context: FormContext,
  role: Role,
  value: Json | undefined,
): Field {
  const conjunction = collect(schemas, value, path, context);
  const { parts } = conjunction;
  const build: BuildField = (childSchemas, childPath, childRole, childValue) =>
    buildField(childSchemas, childPath, context, childRole, childValue);
  const title = path.length === 0 ? undefined : firstText(conjunction.ownParts, 'title');
  const description = firstText(conjunction.ownParts, 'description');
  const defaultValue = firstOf(parts, 'default');
  return {
    path,
    pointer: pointer(path),
    label: title ?? role.label,
    name: role.label,
    ...(description !== undefined && { description }),
    examples: parts.flatMap(({ examples }) => (Array.isArray(examples) ? (examples as Json[]) : [])).slice(0, 5),
    ...(defaultValue !== undefined && { default: defaultValue }),
    isRequired: role.isRequired,
    isNullable: conjunction.isNullable,
    isDeprecated: parts.some(({ deprecated }) => deprecated === true),
    value,
    choices: conjunction.choices,
    ...checkValue(value, conjunction, role.isRequired),
    input: inputOf(conjunction, { path, value, isRequired: role.isRequired, build }),
    schemas,
    ...(role.isNamedByUser && { isNamedByUser: true }),
    ...(role.isOfOtherAction && { isOfOtherAction: true }),
  };
}

function inputOf(conjunction: Conjunction, place: Place): FieldInput {
  const { parts } = conjunction;
  const options = constantsOf(conjunction);
  if (options !== undefined) return { kind: 'constants', options };
  const [type] = [...(intersectTypes(parts) ?? [])].filter((allowed) => allowed !== 'null');
  switch (type) {
    case 'string':
      return textInput(parts);
    case 'number':
    case 'integer':
      return { kind: 'number', isInteger: type === 'integer' };
    case 'boolean':
      return { kind: 'boolean' };
    case 'object':
      return objectInput(parts, place);
    case 'array':
      return listInput(parts, place);
    default:
      return { kind: 'json' };
  }
}

function textInput(parts: readonly SchemaObject[]): FieldInput {
  const format = firstText(parts, 'format');
  const isMultiLine = parts.some(
    ({ contentMediaType, maxLength }) => contentMediaType !== undefined || Number(maxLength) > 200,
  );
  return {
    kind: 'text',
    ...(format !== undefined && { format }),
    isSecret: format === 'password' || parts.some(({ writeOnly }) => writeOnly === true),
    isMultiLine,
  };
}

/** The values that all `const` and `enum` keywords allow, without null; undefined if there is no such keyword. */
function constantsOf({ parts, constants }: Conjunction): Constant[] | undefined {
  let options = constants;
  for (const part of parts) {
    const allowed =
      'const' in part ? [part.const as Json] : Array.isArray(part.enum) ? (part.enum as Json[]) : undefined;
    if (allowed === undefined) continue;
    const titles = Array.isArray(part.enumNames) ? part.enumNames : [];
    const previous = options;
    options =
      previous === undefined
        ? allowed.map((value, index) => ({ value, ...(typeof titles[index] === 'string' && { title: titles[index] }) }))
        : previous.filter(({ value }) => allowed.some((allowedValue) => isSameJson(allowedValue, value)));
  }
  return options?.filter(({ value }) => value !== null);
}
