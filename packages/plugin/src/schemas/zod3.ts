import type { JsonSchema } from '../schema.js';
import type { SchemaSide } from '../standard-schema.js';

interface Zod3Schema {
  readonly _def: Zod3Definition;
}

/** What zod 3 keeps of a schema, by the name of its `typeName`. */
interface Zod3Definition {
  readonly typeName: string;
  readonly description?: string;
  readonly checks?: readonly { kind: string; value?: unknown; inclusive?: boolean; regex?: RegExp }[];
  readonly innerType?: Zod3Schema;
  readonly schema?: Zod3Schema;
  readonly type?: Zod3Schema;
  readonly in?: Zod3Schema;
  readonly out?: Zod3Schema;
  readonly left?: Zod3Schema;
  readonly right?: Zod3Schema;
  readonly valueType?: Zod3Schema;
  readonly items?: readonly Zod3Schema[];
  readonly rest?: Zod3Schema | null;
  readonly options?: readonly Zod3Schema[];
  readonly values?: readonly unknown[] | Record<string, unknown>;
  readonly value?: unknown;
  readonly effect?: { readonly type: string };
  readonly unknownKeys?: string;
  readonly catchall?: Zod3Schema;
  readonly minLength?: { readonly value: number } | null;
  readonly maxLength?: { readonly value: number } | null;
  readonly exactLength?: { readonly value: number } | null;
  shape?(): Record<string, Zod3Schema>;
  defaultValue?(): unknown;
}

/** Whether it is a zod 3 schema, which does not provide a JSON Schema. */
export function isZod3(schema: unknown): boolean {
  return typeof (schema as Partial<Zod3Schema>)._def?.typeName === 'string';
}

/** The JSON Schema 2020-12 of a schema of zod 3. @throws Error that names the kind that has none */
export function zod3ToJsonSchema(schema: unknown, io: SchemaSide): JsonSchema {
  return convert(schema as Zod3Schema, io);
}

type ConvertKind = (definition: Zod3Definition, io: SchemaSide) => JsonSchema;

function convert({ _def: definition }: Zod3Schema, io: SchemaSide): JsonSchema {
  const { typeName, description } = definition;
  const kind = Object.hasOwn(KINDS, typeName) ? KINDS[typeName] : undefined;
  if (kind === undefined) throw new Error(`a schema of the kind ${typeName} has no JSON Schema`);
  return { ...kind(definition, io), ...(description !== undefined && { description }) };
}

const inner: ConvertKind = ({ innerType, type }, io) => convert((innerType ?? type)!, io);

const object: ConvertKind = ({ shape, unknownKeys, catchall }, io) => {
  const members = Object.entries(shape!());
  const rest = catchall === undefined || catchall._def.typeName === 'ZodNever' ? undefined : convert(catchall, io);
  return {
    type: 'object',
    properties: Object.fromEntries(members.map(([key, member]) => [key, convert(member, io)])),
    required: members.filter(([, member]) => isRequired(member, io)).map(([key]) => key),
    ...(unknownKeys === 'strict' && { additionalProperties: false }),
    ...(rest !== undefined && { additionalProperties: rest }),
  };
};

const OPTIONAL = new Set(['ZodOptional', 'ZodDefault']);

const isRequired = ({ _def: { typeName } }: Zod3Schema, io: SchemaSide): boolean =>
  !OPTIONAL.has(typeName) || (io === 'output' && typeName === 'ZodDefault');

const effects: ConvertKind = ({ schema, effect }, io) => {
  if (effect?.type === 'preprocess' && io === 'input') throw new Error('what a preprocess takes has no schema');
  if (effect?.type === 'transform' && io === 'output') throw new Error('the result of a transform has no schema');
  return convert(schema!, io);
};

const KINDS: Record<string, ConvertKind> = {
  ZodAny: () => ({}),
  ZodUnknown: () => ({}),
  ZodNever: () => ({ not: {} }),
  ZodNull: () => ({ type: 'null' }),
  ZodBoolean: () => ({ type: 'boolean' }),
  ZodString: ({ checks = [] }) => ({ type: 'string', ...Object.assign({}, ...checks.map(stringKeywords)) }),
  ZodNumber: ({ checks = [] }) => ({ type: 'number', ...Object.assign({}, ...checks.map(numberKeywords)) }),
  ZodLiteral: ({ value }) => ({ const: value }),
  ZodEnum: ({ values }) => ({ enum: values }),
  ZodNativeEnum: ({ values }) => ({ enum: enumValues(values as Record<string, unknown>) }),
  ZodObject: object,
  ZodRecord: ({ valueType }, io) => ({ type: 'object', additionalProperties: convert(valueType!, io) }),
  ZodArray: ({ type, minLength, maxLength, exactLength }, io) => ({
    type: 'array',
    items: convert(type!, io),
    ...lengthKeywords(exactLength ?? minLength, exactLength ?? maxLength),
  }),
  ZodTuple: ({ items = [], rest }, io) => ({
    type: 'array',
    prefixItems: items.map((item) => convert(item, io)),
    minItems: items.length,
    items: rest ? convert(rest, io) : false,
  }),
  ZodUnion: ({ options = [] }, io) => ({ anyOf: options.map((option) => convert(option, io)) }),
  ZodDiscriminatedUnion: ({ options = [] }, io) => ({ oneOf: options.map((option) => convert(option, io)) }),
  ZodIntersection: ({ left, right }, io) => ({ allOf: [convert(left!, io), convert(right!, io)] }),
  ZodOptional: inner,
  ZodCatch: inner,
  ZodReadonly: inner,
  ZodBranded: inner,
  ZodDefault: (definition, io) => ({ ...inner(definition, io), default: definition.defaultValue!() }),
  ZodNullable: (definition, io) => ({ anyOf: [inner(definition, io), { type: 'null' }] }),
  ZodPipeline: (definition, io) => convert((io === 'input' ? definition.in : definition.out)!, io),
  ZodEffects: effects,
};

/** For a numeric enum, without the reverse mappings from numbers to names. */
function enumValues(members: Record<string, unknown>): unknown[] {
  return Object.entries(members).flatMap(([key, value]) =>
    typeof members[String(value)] === 'number' && !Number.isNaN(Number(key)) ? [] : [value],
  );
}

type Check = NonNullable<Zod3Definition['checks']>[number];
type Length = Zod3Definition['minLength'];

const lengthKeywords = (min: Length, max: Length): JsonSchema => ({
  ...(min && { minItems: min.value }),
  ...(max && { maxItems: max.value }),
});

const FORMATS: Record<string, string> = {
  email: 'email',
  url: 'uri',
  uuid: 'uuid',
  datetime: 'date-time',
  date: 'date',
};

/** A check that JSON Schema cannot express adds no keyword, but is still applied to values. */
function stringKeywords({ kind, value, regex }: Check): JsonSchema {
  if (kind === 'min') return { minLength: value };
  if (kind === 'max') return { maxLength: value };
  if (kind === 'length') return { minLength: value, maxLength: value };
  if (kind === 'regex' && regex?.flags.replace('u', '') === '') return { pattern: regex.source };
  return Object.hasOwn(FORMATS, kind) ? { format: FORMATS[kind] } : {};
}

function numberKeywords({ kind, value, inclusive }: Check): JsonSchema {
  if (kind === 'int') return { type: 'integer' };
  if (kind === 'min') return { [inclusive ? 'minimum' : 'exclusiveMinimum']: value };
  if (kind === 'max') return { [inclusive ? 'maximum' : 'exclusiveMaximum']: value };
  return kind === 'multipleOf' ? { multipleOf: value } : {};
}
