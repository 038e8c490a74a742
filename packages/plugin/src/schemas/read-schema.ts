import { DefinitionError } from '../definition-error.js';
import { ownMember } from '../json.js';
import type { JsonSchema } from '../schema.js';
import {
  isStandardSchema,
  type SchemaSide,
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
} from '../standard-schema.js';
import { CONVERTERS, convertBy } from './converters.js';

export interface SchemaOwner {
  /** Such as `Tool 'weather'`. */
  readonly subject: string;
  readonly io: SchemaSide;
  /** The next action if the schema cannot be written as JSON Schema. */
  readonly advice?: string;
}

/** The JSON Schema that clients see, and the validation beyond it. */
export interface ReadSchema {
  readonly json: JsonSchema;
  readonly validate?: (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>;
}

/**
 * Reads an author's schema: a Standard Schema, an object of Standard Schemas by member, or a JSON Schema.
 * @param json the JSON Schema, if the author passed one with a Standard Schema
 * @throws DefinitionError with the next action, if the schema cannot be written as JSON Schema
 */
export function readSchema(schema: unknown, owner: SchemaOwner, json?: JsonSchema): ReadSchema {
  if (isStandardSchema(schema)) {
    return { json: json ?? toJsonSchema(schema, owner), validate: (value) => schema['~standard'].validate(value) };
  }
  return isShape(schema) ? readShape(schema, owner) : { json: schema as JsonSchema };
}

type Shape = Record<string, StandardSchema>;

function isShape(value: unknown): value is Shape {
  if (typeof value !== 'object' || value === null) return false;
  const members = Object.values(value);
  return members.length > 0 && members.every(isStandardSchema);
}

function readShape(shape: Shape, owner: SchemaOwner): ReadSchema {
  const members = Object.entries(shape);
  return {
    json: {
      type: 'object',
      properties: Object.fromEntries(members.map(([key, member]) => [key, toJsonSchema(member, owner)])),
      required: members.filter(([, member]) => !acceptsNothing(member)).map(([key]) => key),
    },
    validate: (value) => validateMembers(members, value),
  };
}

/** True if undefined is valid. A schema that validates asynchronously counts as required. */
function acceptsNothing(schema: StandardSchema): boolean {
  const result = schema['~standard'].validate(undefined);
  return !(result instanceof Promise) && result.issues === undefined;
}

async function validateMembers(members: [string, StandardSchema][], value: unknown): Promise<StandardResult<unknown>> {
  const holder = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const issues: StandardIssue[] = [];
  const valid: [string, unknown][] = [];
  for (const [key, member] of members) {
    const result = await member['~standard'].validate(ownMember(holder, key));
    for (const { message, path = [] } of result.issues ?? []) issues.push({ message, path: [key, ...path] });
    if (result.issues === undefined && result.value !== undefined) valid.push([key, result.value]);
  }
  return issues.length > 0 ? { issues } : { value: Object.fromEntries(valid) };
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

type Convert = (options: object) => unknown;

/** The places where libraries have a method that writes JSON Schema. */
interface Convertible {
  '~standard': { jsonSchema?: Partial<Record<SchemaSide, Convert>> };
  toJSONSchema?: Convert;
  in?: { toJsonSchema?: Convert };
  out?: { toJsonSchema?: Convert };
}

/**
 * The methods that can write the schema as JSON Schema, each with its object; the method of Standard Schema is the
 * first.
 */
function conversions(
  schema: Convertible,
  { subject, io }: SchemaOwner,
): [owner: object | undefined, convert: Convert | undefined][] {
  const { jsonSchema } = schema['~standard'];
  const converter = CONVERTERS.find(({ isFor }) => isFor(schema));
  const side = io === 'input' ? schema.in : schema.out;
  return [
    [jsonSchema, jsonSchema?.[io]],
    [schema, schema.toJSONSchema],
    [side, side?.toJsonSchema],
    [undefined, converter && (() => convertBy(converter, schema, { subject, io }))],
  ];
}

/** Writes one side of a schema as JSON Schema. @throws DefinitionError if no method of the library can do it */
function toJsonSchema(schema: StandardSchema, owner: SchemaOwner): JsonSchema {
  const { subject, io, advice = ADVICE[io] } = owner;
  const { vendor } = schema['~standard'];
  for (const [holder, convert] of conversions(schema as Convertible, owner)) {
    if (typeof convert !== 'function') continue;
    try {
      const { $schema, ...json } = convert.call(holder, { target: 'draft-2020-12', io }) as JsonSchema;
      return $schema === undefined || $schema === DRAFT ? json : { $schema, ...json };
    } catch (cause) {
      if (cause instanceof DefinitionError) throw cause;
      const reason = cause instanceof Error ? cause.message : String(cause);
      const message = `${subject}: ${vendor} cannot write its schema as JSON Schema: ${reason}${/[.!?]$/.test(reason) ? '' : '.'}`;
      throw new DefinitionError(message, advice, { cause });
    }
  }
  throw new DefinitionError(`${subject}: ${vendor} does not write its schemas as JSON Schema.`, advice);
}

const ADVICE: Record<SchemaSide, string> = {
  input: 'Write `inputSchema: { schema, json }`: the schema, and the JSON Schema of its input.',
  output: 'Pass a JSON Schema as `outputSchema`.',
};
