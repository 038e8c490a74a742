import { isJsonObject, type JsonObject, ownMember } from '../json.js';
import type { JsonSchema } from '../schema.js';
import type { StandardResult } from '../standard-schema.js';
import { FORMATS, jsonValidator } from './json-validator.js';
import { type ReadSchema, readSchema } from './read-schema.js';

type Members = Record<string, unknown>;
type IsValid = (value: unknown) => boolean;

const isText: IsValid = (value) => typeof value === 'string';
const isNumber: IsValid = (value) => typeof value === 'number';
const isCount: IsValid = (value) => Number.isInteger(value) && (value as number) >= 0;
const isTexts: IsValid = (value) => Array.isArray(value) && value.every(isText);
const isConstants = (value: unknown): value is { const: string; title?: unknown }[] =>
  Array.isArray(value) && value.length > 0 && value.every((item) => isJsonObject(item) && isText(item.const));

/** The keywords that MCP has for a field of each type, with what each may hold (`PrimitiveSchemaDefinition`). */
const COMMON = { title: isText, description: isText };
const NUMBER = { ...COMMON, minimum: isNumber, maximum: isNumber, default: isNumber };
const FIELDS: Readonly<Record<string, Readonly<Record<string, IsValid>>>> = {
  string: {
    ...COMMON,
    minLength: isCount,
    maxLength: isCount,
    format: (value) => isText(value) && Object.hasOwn(FORMATS, value as string),
    enum: isTexts,
    enumNames: isTexts,
    oneOf: isConstants,
    default: isText,
  },
  number: NUMBER,
  integer: NUMBER,
  boolean: { ...COMMON, default: (value) => typeof value === 'boolean' },
  array: { ...COMMON, items: isJsonObject, minItems: isCount, maxItems: isCount, default: isTexts },
};

const ANNOTATIONS = ['$comment', '$schema', '$id', 'examples', 'deprecated', 'readOnly', 'writeOnly'];
const ROOT = ['type', 'properties', 'required', 'title', 'description', 'additionalProperties', '$defs', 'default'];

const ASKABLE = 'MCP asks for texts, numbers, booleans and choices of texts, each a field of its own';

/**
 * The form that a tool asks by a schema, as MCP has it, and the check of a Standard Schema.
 * @param key of the question, for messages
 * @throws TypeError for a schema that MCP does not allow, with the member
 */
export function readQuestionSchema(schema: unknown, key: string): ReadSchema {
  const subject = `Question '${key}'`;
  const advice = 'Write the schema of the question as JSON Schema.';
  const { json, validate } = readSchema(schema, undefined, { subject, io: 'input', advice });
  const form = toForm(json, subject, validate === undefined);
  return validate === undefined ? { json: form } : { json: form, validate };
}

/**
 * Checks the content of an answer by the form that was asked, and fills in its defaults. A field that is not as MCP has it, as a mounted
 * server may ask one, is not checked.
 */
export function checkContent(form: JsonObject, content: JsonObject): StandardResult<unknown> {
  const { properties, required } = form;
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, field]) => [
    name,
    knownPart(field),
  ]);
  const known = {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: isTexts(required) ? required : [],
  };
  return jsonValidator(known as JsonSchema)(content);
}

function knownPart(field: unknown): Members {
  try {
    return toField(field, '', false);
  } catch {
    return {};
  }
}

/** @param isStrict refuses keywords that MCP does not have: without a Standard Schema nothing would check them */
function toForm(schema: JsonSchema, subject: string, isStrict: boolean): JsonSchema {
  const { type = 'object', properties = {}, required, title, description } = schema as Members;
  if (type !== 'object' || !isJsonObject(properties))
    throw new TypeError(`${subject}: its schema must be an object with fields. ${ASKABLE}.`);
  const unknown = Object.keys(schema).find((keyword) => !ROOT.includes(keyword) && !isAnnotation(keyword));
  if (unknown !== undefined) throw new TypeError(`${subject}: its schema has the keyword '${unknown}'. ${ASKABLE}.`);
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    toField(field, `${subject}: '${name}'`, isStrict),
  ]);
  return {
    type: 'object',
    ...(isText(title) && { title: title as string }),
    ...(isText(description) && { description: description as string }),
    properties: Object.fromEntries(fields),
    ...(isTexts(required) && (required as string[]).length > 0 && { required: required as string[] }),
  };
}

const isAnnotation = (keyword: string) => ANNOTATIONS.includes(keyword) || keyword.startsWith('x-');

function toField(schema: unknown, subject: string, isStrict: boolean): Members {
  const given = isJsonObject(schema) ? withChoice(schema) : {};
  const keywords = ownMember(FIELDS, String(given.type));
  if (!keywords) throw new TypeError(`${subject} ${whatIs(given)}. ${ASKABLE}.`);
  const field: Members = { type: given.type };
  for (const [keyword, value] of Object.entries(given)) {
    if (keyword === 'type' || isAnnotation(keyword)) continue;
    if (ownMember(keywords, keyword)?.(value)) field[keyword] = value;
    else if (isStrict)
      throw new TypeError(
        `${subject} has ${keyword} ${JSON.stringify(value)}, which MCP does not have in questions. ` +
          'Leave it out, or give a Standard Schema, such as one of zod, which checks it.',
      );
  }
  return given.type === 'array' ? { ...field, items: toChoices(given.items, subject) } : field;
}

/** A choice of texts in the words that MCP has for it. */
function withChoice(schema: Members): Members {
  const { const: only, anyOf, oneOf = anyOf, enum: values, type, ...rest } = schema;
  if (type !== undefined && type !== 'string') return schema;
  if (isText(only)) return { ...rest, type: 'string', enum: [only] };
  if (isTexts(values)) return { ...rest, type: 'string', enum: values };
  if (!isConstants(oneOf)) return schema;
  const choices = oneOf.map(({ const: value, title }) => ({ const: value, title: isText(title) ? title : value }));
  return { ...rest, type: 'string', oneOf: choices };
}

/** The items of a choice of several texts. */
function toChoices(items: unknown, subject: string): Members {
  const { type, enum: values, oneOf } = isJsonObject(items) ? withChoice(items) : {};
  if (type === 'string' && isTexts(values)) return { type, enum: values };
  if (type === 'string' && isConstants(oneOf)) return { anyOf: oneOf };
  throw new TypeError(`${subject} is a list of something other than a choice of texts (enum). ${ASKABLE}.`);
}

function whatIs({ type, properties, enum: values }: Members): string {
  if (type === 'object' || properties !== undefined) return 'is an object';
  if (values !== undefined) return 'is a choice of something other than texts';
  if (Array.isArray(type)) return `can be of several types (${type.join(', ')})`;
  return isText(type) ? `is of type ${type}` : 'has no type of its own';
}
