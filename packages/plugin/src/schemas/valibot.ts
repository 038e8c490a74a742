import type { JsonSchema } from '../schema.js';
import type { SchemaSide } from '../standard-schema.js';

/** What valibot 1 shows of a schema (or of a step of its `pipe`), by the name of its `type`. */
interface ValibotNode {
  readonly kind?: 'schema' | 'validation' | 'transformation' | 'metadata';
  readonly type: string;
  readonly pipe?: readonly ValibotNode[];
  readonly entries?: Record<string, ValibotNode>;
  readonly rest?: ValibotNode;
  readonly item?: ValibotNode;
  readonly items?: readonly ValibotNode[];
  readonly key?: ValibotNode | string;
  readonly value?: ValibotNode;
  readonly wrapped?: ValibotNode;
  readonly default?: unknown;
  readonly options?: readonly unknown[];
  readonly literal?: unknown;
  readonly requirement?: unknown;
  readonly [member: string]: unknown;
}

/** Whether it is a valibot schema, which does not provide a JSON Schema. */
export function isConvertibleValibot(schema: unknown): boolean {
  const { kind, type } = schema as Partial<ValibotNode>;
  return kind === 'schema' && typeof type === 'string';
}

/** The JSON Schema 2020-12 of a schema of valibot. @throws Error that names the kind that has none */
export function valibotToJsonSchema(schema: unknown, io: SchemaSide): JsonSchema {
  return convert(schema as ValibotNode, io);
}

/** A pipe is its first schema with what the later steps add; the output of one that transforms is not known. */
function convert(node: ValibotNode, io: SchemaSide): JsonSchema {
  const { pipe } = node;
  if (pipe === undefined) return convertKind(node, io);
  let json = convertKind(pipe[0]!, io);
  for (const step of pipe.slice(1)) {
    if (step.kind === 'transformation' && !KEEPS_TYPE.has(step.type)) {
      if (io === 'input') break;
      throw new Error(`the result of the transformation '${step.type}' has no schema`);
    }
    json =
      step.kind === 'schema' ? (io === 'input' ? json : convert(step, io)) : { ...json, ...keywordsOf(step, json) };
  }
  return json;
}

const KEEPS_TYPE = new Set([
  'trim',
  'trim_start',
  'trim_end',
  'to_lower_case',
  'to_upper_case',
  'normalize',
  'brand',
  'readonly',
]);

const object = ({ entries = {}, rest }: ValibotNode, io: SchemaSide, additional?: boolean): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(entries).map(([key, entry]) => [key, convert(entry, io)])),
  required: Object.keys(entries).filter((key) => isRequired(entries[key]!, io)),
  ...(additional !== undefined && { additionalProperties: additional }),
  ...(rest !== undefined && { additionalProperties: convert(rest, io) }),
});

const OPTIONAL = new Set(['optional', 'exact_optional', 'nullish', 'undefinedable']);

const isRequired = ({ type, default: fallback }: ValibotNode, io: SchemaSide): boolean =>
  !OPTIONAL.has(type) || (io === 'output' && fallback !== undefined);

const wrapped = ({ wrapped: inner, default: fallback }: ValibotNode, io: SchemaSide): JsonSchema => ({
  ...convert(inner!, io),
  ...(fallback !== undefined && typeof fallback !== 'function' && { default: fallback }),
});

const orNull = (node: ValibotNode, io: SchemaSide): JsonSchema => ({ anyOf: [wrapped(node, io), { type: 'null' }] });

const options = ({ options: all = [] }: ValibotNode, io: SchemaSide) =>
  all.map((one) => convert(one as ValibotNode, io));

const tuple = ({ items = [] }: ValibotNode, io: SchemaSide, rest: JsonSchema | boolean): JsonSchema => ({
  type: 'array',
  prefixItems: items.map((item) => convert(item, io)),
  minItems: items.length,
  items: rest,
});

const KINDS: Record<string, (node: ValibotNode, io: SchemaSide) => JsonSchema> = {
  any: () => ({}),
  unknown: () => ({}),
  never: () => ({ not: {} }),
  null: () => ({ type: 'null' }),
  string: () => ({ type: 'string' }),
  number: () => ({ type: 'number' }),
  boolean: () => ({ type: 'boolean' }),
  literal: ({ literal }) => ({ const: literal }),
  picklist: ({ options: all }) => ({ enum: all }),
  enum: ({ options: all }) => ({ enum: all }),
  object: (node, io) => object(node, io),
  loose_object: (node, io) => object(node, io),
  strict_object: (node, io) => object(node, io, false),
  object_with_rest: (node, io) => object(node, io),
  record: ({ value }, io) => ({ type: 'object', additionalProperties: convert(value!, io) }),
  array: ({ item }, io) => ({ type: 'array', items: convert(item!, io) }),
  tuple: (node, io) => tuple(node, io, true),
  loose_tuple: (node, io) => tuple(node, io, true),
  strict_tuple: (node, io) => tuple(node, io, false),
  tuple_with_rest: (node, io) => tuple(node, io, convert(node.rest!, io)),
  union: (node, io) => ({ anyOf: options(node, io) }),
  variant: (node, io) => ({ oneOf: options(node, io) }),
  intersect: (node, io) => ({ allOf: options(node, io) }),
  optional: wrapped,
  exact_optional: wrapped,
  undefinedable: wrapped,
  non_optional: wrapped,
  non_nullable: wrapped,
  non_nullish: wrapped,
  nullable: orNull,
  nullish: orNull,
};

function convertKind(node: ValibotNode, io: SchemaSide): JsonSchema {
  const kind = Object.hasOwn(KINDS, node.type) ? KINDS[node.type] : undefined;
  if (kind === undefined) throw new Error(`a schema of the kind '${node.type}' has no JSON Schema`);
  return kind(node, io);
}

/** Keywords of a step. A check that JSON Schema cannot express adds none, but is still applied to values. */
function keywordsOf(step: ValibotNode, { type }: JsonSchema): JsonSchema {
  const { requirement } = step;
  const size = type === 'array' ? 'Items' : 'Length';
  switch (step.type) {
    case 'title':
    case 'description':
      return { [step.type]: step[step.type] };
    case 'min_length':
      return { [`min${size}`]: requirement };
    case 'max_length':
      return { [`max${size}`]: requirement };
    case 'length':
      return { [`min${size}`]: requirement, [`max${size}`]: requirement };
    case 'non_empty':
      return { [`min${size}`]: 1 };
    case 'integer':
      return { type: 'integer' };
    default: {
      const keyword = CHECKS[step.type];
      if (keyword !== undefined && typeof requirement === 'number') return { [keyword]: requirement };
      const format = FORMATS[step.type];
      if (format !== undefined) return { format };
      const isPattern =
        step.type === 'regex' && requirement instanceof RegExp && requirement.flags.replace('u', '') === '';
      return isPattern ? { pattern: (requirement as RegExp).source } : {};
    }
  }
}

const CHECKS: Record<string, string> = {
  min_value: 'minimum',
  max_value: 'maximum',
  gt_value: 'exclusiveMinimum',
  lt_value: 'exclusiveMaximum',
  multiple_of: 'multipleOf',
};

const FORMATS: Record<string, string> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  ipv4: 'ipv4',
  ipv6: 'ipv6',
  iso_date: 'date',
  iso_timestamp: 'date-time',
};
