import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';

/** `uniqueItems` in time proportional to the items; Ajv's own implementation compares every pair. */
export const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  validate: hasUniqueItems,
};

function hasUniqueItems(isUnique: boolean, items: readonly unknown[]): boolean {
  if (!isUnique) return true;
  const indexes = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = canonical(item);
    const j = indexes.get(text);
    if (j !== undefined) {
      (hasUniqueItems as SchemaValidateFunction).errors = [
        {
          keyword: 'uniqueItems',
          message: `must not have equal items: those at ${j} and ${i} are equal`,
          params: { i, j },
        },
      ];
      return false;
    }
    indexes.set(text, i);
  }
  return true;
}

/** The same text for values that JSON Schema takes for equal: members in order, 1.0 as 1. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}
