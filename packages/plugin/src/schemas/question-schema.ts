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

/** The keywords that MCP allows for a field of each type, with their valid values (`PrimitiveSchemaDefinition`). */
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

const ASKABLE = 'MCP can only ask for texts, numbers, booleans and choices of texts, each in its own field';

/**
 * Reads the schema of a question: the form that MCP allows, and the validation of a Standard Schema.
 * @param key the key of the question, for messages
 * @throws TypeError that names the member, if MCP does not allow the schema
 */
export function readQuestionSchema(schema: unknown, key: string): ReadSchema {
  const subject = `Question '${key}'`;
  const advice = 'Write the schema of the question as JSON Schema.';
  const { json, validate } = readSchema(schema, { subject, io: 'input', advice });
  const form = toForm(json, { subject, isStrict: validate === undefined });
  return validate === undefined ? { json: form } : { json: form, validate };
}

/**
 * Validates an answer against the form of its question, and fills in the defaults. Fields that MCP does not allow are
 * not validated; a mounted server can ask for such fields.
 */
export function checkContent(form: JsonObject, content: JsonObject): StandardResult<unknown> {
  const { properties, required } = form;
  const fields = Object.entries(isJsonObject(properties) ? properties : {}).map(([name, field]) => [
    name,
    fieldOrAny(field),
  ]);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(fields),
    required: isTexts(required) ? required : [],
  };
  return jsonValidator(schema as JsonSchema)(content);
}

function fieldOrAny(field: unknown): Members {
  try {
    return toField(field, { subject: '', isStrict: false });
  } catch {
    return {};
  }
}

interface FormOptions {
  readonly subject: string;
  /** True to refuse keywords that MCP does not allow, because without a Standard Schema nothing would validate them. */
  readonly isStrict: boolean;
}

function toForm(schema: JsonSchema, { subject, isStrict }: FormOptions): JsonSchema {
  const { type = 'object', properties = {}, required, title, description } = schema as Members;
  if (type !== 'object' || !isJsonObject(properties))
    throw new TypeError(`${subject}: its schema must be an object with fields. ${ASKABLE}.`);
  const unknown = Object.keys(schema).find((keyword) => !ROOT.includes(keyword) && !isAnnotation(keyword));
  if (unknown !== undefined) throw new TypeError(`${subject}: its schema has the keyword '${unknown}'. ${ASKABLE}.`);
  const fields = Object.entries(properties).map(([name, field]) => [
    name,
    toField(field, { subject: `${subject}: '${name}'`, isStrict }),
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

function toField(schema: unknown, { subject, isStrict }: FormOptions): Members {
  const source = isJsonObject(schema) ? withChoice(schema) : {};
  const allowed = ownMember(FIELDS, String(source.type));
  if (!allowed) throw new TypeError(`${subject} ${whatIs(source)}. ${ASKABLE}.`);
  const field: Members = { type: source.type };
  for (const [keyword, value] of Object.entries(source)) {
    if (keyword === 'type' || isAnnotation(keyword)) continue;
    if (ownMember(allowed, keyword)?.(value)) field[keyword] = value;
    else if (isStrict)
      throw new TypeError(
        `${subject} has ${keyword} ${JSON.stringify(value)}, which MCP does not allow in questions. ` +
          'Remove it, or use a Standard Schema (for example zod), which validates it.',
      );
  }
  return source.type === 'array' ? { ...field, items: toChoices(source.items, subject) } : field;
}

/** Writes a choice of texts with the keywords that MCP has for it. */
function withChoice(schema: Members): Members {
  const { const: only, anyOf, oneOf = anyOf, enum: values, type, ...rest } = schema;
  if (type !== undefined && type !== 'string') return schema;
  if (isText(only)) return { ...rest, type: 'string', enum: [only] };
  if (isTexts(values)) return { ...rest, type: 'string', enum: values };
  if (!isConstants(oneOf)) return schema;
  const choices = oneOf.map(({ const: value, title }) => ({ const: value, title: isText(title) ? title : value }));
  return { ...rest, type: 'string', oneOf: choices };
}

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
  return isText(type) ? `has the type ${type}` : 'has no type';
}
