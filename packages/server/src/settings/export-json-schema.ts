import { COMPLETE_SCHEMA } from './rare-settings.js';
import type { SettingSchema } from './setting-schema.js';

type Schema = Record<string, unknown>;

const REFERENCE = {
  description: `Fetches the value: \${env:NAME} or \${file:path}.`,
  type: 'string',
  pattern: '\\$\\{(env|file):[^}]+\\}',
};

/**
 * Returns the JSON Schema of appsettings.json, in draft-07 because editors support it best. Top-level keys of other
 * programs are allowed.
 */
export function settingsJsonSchema(): Schema {
  return {
    $schema: 'http://json-schema.org/draft-07/schema#',
    title: 'Mortise settings (appsettings.json)',
    allowComments: true,
    allowTrailingCommas: true,
    ...toFileSchema(COMPLETE_SCHEMA),
    additionalProperties: true,
    definitions: { reference: REFERENCE },
  };
}

/** Returns the schema of a setting in the file, where a reference can stand for a value, and one value for a list. */
function toFileSchema(schema: SettingSchema): Schema {
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
  if (orOne && items) return { anyOf: [toFileSchema(items), keywordsOf(schema)] };
  const fitsReference = schema.isPath !== undefined || (schema.pattern === undefined && schema.minLength === undefined);
  if (schema.enum || type === 'boolean' || type === 'integer' || (type === 'string' && !fitsReference))
    return { anyOf: [keywordsOf(schema), reference] };
  return keywordsOf(schema);
}

const KEYWORDS = [
  ...(['type', 'enum', 'minimum', 'maximum', 'minLength', 'pattern'] as const),
  ...(['required', 'dependencies', 'oneOf'] as const),
];

/** Returns the keywords of JSON Schema, without the members that only the server reads. */
function keywordsOf(schema: SettingSchema): Schema {
  const { items, properties, additionalProperties } = schema;
  const members = Object.entries(properties ?? {}).map(([name, member]) => [name, toFileSchema(member)]);
  return {
    ...Object.fromEntries(KEYWORDS.filter((keyword) => keyword in schema).map((keyword) => [keyword, schema[keyword]])),
    ...(items && { items: toFileSchema(items) }),
    ...(properties && { properties: Object.fromEntries(members) }),
    ...(additionalProperties !== undefined && {
      additionalProperties: additionalProperties && toFileSchema(additionalProperties),
    }),
  };
}
