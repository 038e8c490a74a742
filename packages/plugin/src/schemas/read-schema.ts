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

/** Whose schema it is, for messages. */
export interface SchemaOwner {
  /** `Tool 'weather'`. */
  readonly subject: string;
  readonly io: SchemaSide;
  /** What to do where there is no JSON Schema. */
  readonly advice?: string;
}

/** A schema as the server advertises it, and how values are checked beyond that. */
export interface ReadSchema {
  readonly json: JsonSchema;
  readonly validate?: (value: unknown) => StandardResult<unknown> | Promise<StandardResult<unknown>>;
}

/**
 * Reads what an author gave as a schema: a Standard Schema, an object of them by member, or a JSON Schema.
 * @param json its JSON Schema, where the author gave one too
 * @throws DefinitionError that says what to do when there is no JSON Schema to be had
 */
export function readSchema(schema: unknown, json: JsonSchema | undefined, owner: SchemaOwner): ReadSchema {
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

/** Whether a member may be absent: whether undefined is valid. What validates asynchronously is required. */
function acceptsNothing(schema: StandardSchema): boolean {
  const result = schema['~standard'].validate(undefined);
  return !(result instanceof Promise) && result.issues === undefined;
}

async function validateMembers(members: [string, StandardSchema][], value: unknown): Promise<StandardResult<unknown>> {
  const given = (typeof value === 'object' && value !== null ? value : {}) as Record<string, unknown>;
  const issues: StandardIssue[] = [];
  const valid: [string, unknown][] = [];
  for (const [key, member] of members) {
    const result = await member['~standard'].validate(ownMember(given, key));
    for (const { message, path = [] } of result.issues ?? []) issues.push({ message, path: [key, ...path] });
    if (result.issues === undefined && result.value !== undefined) valid.push([key, result.value]);
  }
  return issues.length > 0 ? { issues } : { value: Object.fromEntries(valid) };
}

const DRAFT = 'https://json-schema.org/draft/2020-12/schema';

type Convert = (options: object) => unknown;

/** The ways in which libraries give the JSON Schema of a schema. */
interface Convertible {
  '~standard': { jsonSchema?: Partial<Record<SchemaSide, Convert>> };
  toJSONSchema?: Convert;
  in?: { toJsonSchema?: Convert };
  out?: { toJsonSchema?: Convert };
}

/** Each as the object and its method; the standard's own first. */
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

/** The JSON Schema of what the schema takes or gives. @throws DefinitionError when the library gives none */
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
  throw new DefinitionError(`${subject}: schemas of ${vendor} have no JSON Schema of their own.`, advice);
}

const ADVICE: Record<SchemaSide, string> = {
  input: 'Write `inputSchema: { schema, json }`: the schema, and the JSON Schema of what it takes.',
  output: 'Give a JSON Schema as `outputSchema`.',
};
