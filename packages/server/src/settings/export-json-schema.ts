import { SETTINGS_TYPE } from './settings-table.js';
import { type Member, PACKAGE_NAME, type RecordType, type ValueType } from './value-type.js';

type Schema = Record<string, unknown>;

/** A value that a reference fetches is text in the file, whatever its setting's type is. */
const REFERENCE = { $ref: '#/definitions/reference' };
const orReference = (schema: Schema): Schema => ({ anyOf: [schema, REFERENCE] });

const SCHEMAS: { readonly [K in ValueType['kind']]: (type: Extract<ValueType, { kind: K }>) => Schema } = {
  boolean: () => orReference({ type: 'boolean' }),
  json: () => ({}),
  integer: ({ min, max }) => orReference({ type: 'integer', minimum: min, maximum: max }),
  choice: ({ of }) => orReference({ enum: of }),
  choiceOrNames: ({ of }) => ({
    anyOf: [{ enum: of }, { type: 'array', items: { type: 'string', minLength: 1 } }, REFERENCE],
  }),
  text: ({ minLength, orEmpty, url, packageName }) => {
    if (packageName) return orReference({ type: 'string', pattern: PACKAGE_NAME.source });
    if (url) return orReference({ type: 'string', pattern: '^[Hh][Tt][Tt][Pp][Ss]?://' });
    if (minLength === undefined) return { type: 'string' };
    const long: Schema = { type: 'string', minLength };
    return orEmpty ? { anyOf: [long, { const: '' }, REFERENCE] } : orReference(long);
  },
  path: ({ orEmpty }) => (orEmpty ? { type: 'string' } : { type: 'string', minLength: 1 }),
  list: ({ of, orOne }) => {
    const entries = { type: 'array', items: schemaOf(of) };
    return orOne ? { anyOf: [schemaOf(of), entries] } : entries;
  },
  map: ({ of }) => ({ type: 'object', additionalProperties: schemaOf(of) }),
  record: (type) => recordSchema(type),
};

function schemaOf(type: ValueType): Schema {
  return (SCHEMAS[type.kind] as (type: ValueType) => Schema)(type);
}

function recordSchema({ members, oneOf }: RecordType): Schema {
  const entries = Object.entries(members);
  const required = entries.filter(([, member]) => member.required).map(([name]) => name);
  const requires = entries.flatMap(([name, member]) => (member.requires ? [[name, [member.requires]]] : []));
  return {
    type: 'object',
    properties: Object.fromEntries(entries.map(([name, member]) => [name, memberSchema(member)])),
    ...(required.length && { required }),
    ...(requires.length && { dependencies: Object.fromEntries(requires) }),
    ...(oneOf && { oneOf: oneOf.map((name) => ({ required: [name] })) }),
    additionalProperties: false,
  };
}

function memberSchema({ type, description, default: defaultValue }: Member): Schema {
  return { description, ...schemaOf(type), ...(defaultValue !== undefined && { default: defaultValue }) };
}

/** The JSON Schema (draft-07, which editors know best) of appsettings.json; keys of others at the top are allowed. */
export function settingsJsonSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Mortise settings (appsettings.json)',
    allowComments: true,
    allowTrailingCommas: true,
    ...recordSchema(SETTINGS_TYPE),
    additionalProperties: true,
    definitions: {
      reference: {
        description: `Fetches the value: \${env:NAME} or \${file:path}.`,
        type: 'string',
        pattern: '\\$\\{(env|file):[^}]+\\}',
      },
    },
  };
}
