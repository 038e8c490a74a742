import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../json.js';

/** The place of a wrapped schema in the schema around it. The official SDKs use the same place. */
const PLACE = '#/properties/result';

/** Wraps a schema of any value into the schema of `{result: …}`. References within the schema are adapted. */
export function wrapOutputSchema({ $schema, $id: _, ...own }: JsonObject): JsonObject {
  const result = mapReferences(own, (reference) =>
    reference === '#' || reference.startsWith('#/') ? PLACE + reference.slice(1) : reference,
  );
  return {
    ...($schema !== undefined && { $schema }),
    type: 'object',
    properties: { result },
    required: ['result'],
  };
}

export function unwrapOutputSchema({ $schema, properties }: JsonObject): JsonObject {
  const { result } = properties as { result: JsonObject };
  const own = mapReferences(result, (reference) =>
    reference.startsWith(PLACE) ? `#${reference.slice(PLACE.length)}` : reference,
  );
  return { ...($schema !== undefined && { $schema }), ...own };
}

/** Keywords whose value is plain data, even if it looks like a schema. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

function mapReferences(schema: JsonObject, map: (reference: string) => string): JsonObject {
  const mapped: JsonObject = {};
  const mapValue = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(mapValue);
    return isJsonObject(value) ? mapReferences(value, map) : value;
  };
  for (const [keyword, value] of Object.entries(schema)) {
    const isReference = (keyword === '$ref' || keyword === '$dynamicRef') && typeof value === 'string';
    setMember(mapped, keyword, isReference ? map(value) : DATA.has(keyword) ? value : mapValue(value));
  }
  return mapped;
}
