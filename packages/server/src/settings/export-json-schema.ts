import type { SettingSchema } from './setting-schema.js';
import { SETTINGS_SCHEMA } from './settings-table.js';

type Schema = Record<string, unknown>;

const REFERENCE = {
  description: `Fetches the value: \${env:NAME} or \${file:path}.`,
  type: 'string',
  pattern: '\\$\\{(env|file):[^}]+\\}',
};

/** The JSON Schema (draft-07, which editors know best) of appsettings.json; keys of others at the top are allowed. */
export function settingsJsonSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Mortise settings (appsettings.json)',
    allowComments: true,
    allowTrailingCommas: true,
    ...inFile(SETTINGS_SCHEMA),
    additionalProperties: true,
    definitions: { reference: REFERENCE },
  };
}

/** The schema of a setting in the file: a reference may stand for its value, and one value for a list of one. */
function inFile(schema: SettingSchema): Schema {
  const { description, default: defaultValue } = schema;
  return {
    ...(description !== undefined && { description }),
    ...alternatives(schema),
    ...(defaultValue !== undefined && { default: defaultValue }),
  };
}

function alternatives(schema: SettingSchema): Schema {
  const { type, anyOf, items, orOne } = schema;
  const reference = { $ref: '#/definitions/reference' };
  if (anyOf) return { anyOf: [...anyOf.map((branch) => keywordsOf(branch)), reference] };
  if (orOne && items) return { anyOf: [inFile(items), keywordsOf(schema)] };
  const isFree = schema.isPath !== undefined || (schema.pattern === undefined && schema.minLength === undefined);
  if (schema.enum || type === 'boolean' || type === 'integer' || (type === 'string' && !isFree))
    return { anyOf: [keywordsOf(schema), reference] };
  return keywordsOf(schema);
}

const KEYWORDS = [
  ...(['type', 'enum', 'minimum', 'maximum', 'minLength', 'pattern'] as const),
  ...(['required', 'dependencies', 'oneOf'] as const),
];

/** The keywords that editors know. */
function keywordsOf(schema: SettingSchema): Schema {
  const { items, properties, additionalProperties } = schema;
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, inFile(member)]);
  return {
    ...Object.fromEntries(KEYWORDS.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]])),
    ...(items && { items: inFile(items) }),
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: additionalProperties && inFile(additionalProperties),
    }),
  };
}
