import { isJsonObject, type JsonObject, type JsonValue, setMember } from '../json.js';

/** Where a schema that is not of an object is in one that is; the official SDKs have it there too. */
const PLACE = '#/properties/result';

/** The schema of `{result: …}` for a schema of any value. References into the schema lead where they led. */
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

/** The schema that {@link wrapOutputSchema} was given. */
export function unwrapOutputSchema({ $schema, properties }: JsonObject): JsonObject {
  const { result } = properties as { result: JsonObject };
  const own = mapReferences(result, (reference) =>
    reference.startsWith(PLACE) ? `#${reference.slice(PLACE.length)}` : reference,
  );
  return { ...($schema !== undefined && { $schema }), ...own };
}

/** Keywords whose value is plain data, whatever it looks like. */
const DATA = new Set(['const', 'enum', 'default', 'examples']);

function mapReferences(schema: JsonObject, map: (reference: string) => string): JsonObject {
  const mapped: JsonObject = {};
  const ofValue = (value: JsonValue): JsonValue => {
    if (Array.isArray(value)) return value.map(ofValue);
    return isJsonObject(value) ? mapReferences(value, map) : value;
  };
  for (const [keyword, value] of Object.entries(schema)) {
    const isReference = (keyword === '$ref' || keyword === '$dynamicRef') && typeof value === 'string';
    setMember(mapped, keyword, isReference ? map(value) : DATA.has(keyword) ? value : ofValue(value));
  }
  return mapped;
}
