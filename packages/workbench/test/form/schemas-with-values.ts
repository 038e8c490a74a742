import fc from 'fast-check';
import { ExactNumber, type Json } from '../../src/json/json.js';

/** A schema, and a value that it allows. */
export interface SchemaWithValue {
  readonly schema: Record<string, unknown>;
  readonly value: Json;
}

/** A schema with the values that it allows. */
interface Kind {
  readonly schema: Record<string, unknown>;
  readonly values: fc.Arbitrary<Json>;
}

/**
 * The subset: every type; `minLength`, `minimum`, `multipleOf`, `enum`, `const`, `oneOf` of titled constants, integers beyond
 * 2^53; `properties` with `required`, maps, lists, tuples; `anyOf` and `oneOf` of different kinds and of objects with a
 * discriminator, null beside them, lists of types; `allOf` of objects, `$ref` to `$defs`, recursion, `if`/`then`,
 * `dependentRequired`, no schema at all. The root is an object, or a choice of objects.
 */
const text = fc.stringMatching(/^[ -~äöü\n]{0,12}$/);
const name = fc.stringMatching(/^[a-z]{1,6}$/);

const strings = fc.nat(3).map(
  (minLength): Kind => ({
    schema: { type: 'string', minLength },
    values: text.filter((value) => value.length >= minLength),
  }),
);
const integers = fc.constant<Kind>({
  schema: { type: 'integer' },
  values: fc.oneof(
    fc.integer(),
    fc.bigInt({ min: 2n ** 60n, max: 2n ** 70n }).map((value) => new ExactNumber(`${value}1`)),
  ),
});
const numbers = fc.constant<Kind>({
  schema: { type: 'number' },
  values: fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => (Object.is(value, -0) ? 0 : value)),
});
const multiples = fc.constant<Kind>({
  schema: { type: 'integer', multipleOf: 5 },
  values: fc.integer({ min: -99, max: 99 }).map((n) => n * 5),
});
const booleans = fc.constant<Kind>({ schema: { type: 'boolean' }, values: fc.boolean() });
const enums = fc
  .uniqueArray(fc.oneof(name, fc.integer()), { minLength: 1, maxLength: 4 })
  .map((values): Kind => ({ schema: { enum: values }, values: fc.constantFrom(...values) }));
const titled = fc.uniqueArray(name, { minLength: 1, maxLength: 4 }).map(
  (values): Kind => ({
    schema: { oneOf: values.map((value) => ({ const: value, title: value.toUpperCase() })) },
    values: fc.constantFrom(...values),
  }),
);
const anything = fc.constant<Kind>({
  schema: {},
  values: fc
    .jsonValue({ maxDepth: 2, noUnicodeString: true } as object)
    .map((value) => JSON.parse(JSON.stringify(value)) as Json),
});

const leaves = fc.oneof(strings, integers, numbers, multiples, booleans, enums, titled, anything);

function objectOf(kinds: readonly (readonly [string, Kind, boolean])[]): Kind {
  const properties = Object.fromEntries(kinds.map(([key, kind]) => [key, kind.schema]));
  const required = kinds.filter(([, , isRequired]) => isRequired).map(([key]) => key);
  const members = Object.fromEntries(kinds.map(([key, kind]) => [key, kind.values]));
  return {
    schema: { type: 'object', properties, required, additionalProperties: false },
    values: fc.record(members, { requiredKeys: required }).map((value) => ({ ...value })) as fc.Arbitrary<Json>,
  };
}

const { kind: kinds, object: objects } = fc.letrec<{
  kind: Kind;
  object: Kind;
  list: Kind;
  tuple: Kind;
  map: Kind;
  nullable: Kind;
  choice: Kind;
  union: Kind;
}>((tie) => ({
  kind: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaves,
    tie('object'),
    tie('list'),
    tie('tuple'),
    tie('map'),
    tie('nullable'),
    tie('choice'),
    tie('union'),
  ),
  object: fc
    .uniqueArray(fc.tuple(name, tie('kind'), fc.boolean()), { maxLength: 4, selector: ([key]) => key })
    .map(objectOf),
  list: tie('kind').map(
    (item): Kind => ({
      schema: { type: 'array', items: item.schema },
      values: fc.array(item.values, { maxLength: 3 }) as fc.Arbitrary<Json>,
    }),
  ),
  tuple: fc.array(tie('kind'), { minLength: 1, maxLength: 3 }).map(
    (items): Kind => ({
      schema: { type: 'array', prefixItems: items.map(({ schema }) => schema), items: false, minItems: items.length },
      values: fc.tuple(...items.map(({ values }) => values)) as fc.Arbitrary<Json>,
    }),
  ),
  map: tie('kind').map(
    (item): Kind => ({
      schema: { type: 'object', additionalProperties: item.schema },
      values: fc.dictionary(name, item.values, { maxKeys: 3, noNullPrototype: true }) as fc.Arbitrary<Json>,
    }),
  ),
  nullable: tie('kind').map(
    (item): Kind => ({
      schema: { anyOf: [item.schema, { type: 'null' }] },
      values: fc.oneof(item.values, fc.constant(null)),
    }),
  ),
  choice: fc
    .uniqueArray(fc.tuple(name, tie('object')), { minLength: 2, maxLength: 3, selector: ([tag]) => tag })
    .map((branches): Kind => {
      const tagged = branches.map(([tag, { schema, values }]) => ({
        schema: {
          ...schema,
          properties: { ...(schema.properties as object), kind: { const: tag } },
          required: [...(schema.required as string[]).filter((one) => one !== 'kind'), 'kind'],
        },
        values: values.map((value) => ({ ...(value as object), kind: tag }) as Json),
      }));
      return {
        schema: { oneOf: tagged.map(({ schema }) => schema) },
        values: fc.oneof(...tagged.map(({ values }) => values)),
      };
    }),
  union: fc.constant({
    schema: { type: ['string', 'boolean', 'array'], items: { type: 'integer' } },
    values: fc.oneof(text, fc.boolean(), fc.array(fc.integer(), { maxLength: 2 })) as fc.Arbitrary<Json>,
  }),
}));

const TREE = {
  type: 'object',
  properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/tree' } } },
  required: ['name'],
  additionalProperties: false,
};
const trees = fc.letrec<{ tree: Json }>((tie) => ({
  tree: fc
    .record({ name: text, children: fc.array(tie('tree'), { maxLength: 2 }) }, { requiredKeys: ['name'] })
    .map((value) => ({ ...value }) as Json),
})).tree;

/** What puts a schema of an object to a further use. */
const roots: readonly fc.Arbitrary<SchemaWithValue>[] = [
  pair(objects),
  fc.tuple(objects, objects).chain(([one, other]) =>
    fc.tuple(one.values, other.values).map(([a, b]) => ({
      schema: { type: 'object', allOf: [nested('left', one), nested('right', other)] },
      value: { left: a, right: b },
    })),
  ),
  kinds.chain(({ schema, values }) =>
    values.map((value) => ({
      schema: {
        type: 'object',
        properties: { it: { $ref: '#/$defs/it' }, again: { $ref: '#/$defs/it' } },
        $defs: { it: schema },
      },
      value: { it: value, again: value },
    })),
  ),
  trees.map((value) => ({
    schema: { type: 'object', properties: { root: { $ref: '#/$defs/tree' } }, $defs: { tree: TREE } },
    value: { root: value },
  })),
  kinds.chain(({ schema, values }) =>
    fc.tuple(fc.boolean(), values).map(([isOn, value]) => ({
      schema: {
        type: 'object',
        properties: { isOn: { type: 'boolean' } },
        required: ['isOn'],
        if: { properties: { isOn: { const: true } } },
        then: { properties: { detail: schema }, required: ['detail'] },
      },
      value: (isOn ? { isOn, detail: value } : { isOn }) as Json,
    })),
  ),
  fc.tuple(text, text).map(([card, address]) => ({
    schema: {
      type: 'object',
      properties: { card: { type: 'string' }, address: { type: 'string' } },
      dependentRequired: { card: ['address'] },
    },
    value: { card, address },
  })),
  fc.tuple(objects, objects).chain(([one, other]) =>
    fc
      .oneof(
        one.values.map((value) => ({ left: value })),
        other.values.map((value) => ({ right: value })),
      )
      .map((value) => ({
        schema: { type: 'object', anyOf: [nested('left', one), nested('right', other)] },
        value: value as Json,
      })),
  ),
];

function nested(key: string, { schema }: Kind) {
  return { type: 'object', properties: { [key]: schema }, required: [key] };
}

function pair(kind: fc.Arbitrary<Kind>): fc.Arbitrary<SchemaWithValue> {
  return kind.chain(({ schema, values }) => values.map((value) => ({ schema, value })));
}

export const schemasWithValues: fc.Arbitrary<SchemaWithValue> = fc.oneof(...roots);
