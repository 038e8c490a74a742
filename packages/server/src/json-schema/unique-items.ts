import type { FuncKeywordDefinition, SchemaValidateFunction } from 'ajv';
import { sortedJson } from '../util/sorted-json.js';

/** Checks `uniqueItems` in time proportional to the number of items. Ajv's own implementation compares every pair. */
export const UNIQUE_ITEMS: FuncKeywordDefinition = {
  keyword: 'uniqueItems',
  type: 'array',
  schemaType: 'boolean',
  errors: true,
  validate: hasUniqueItems,
};

function hasUniqueItems(mustBeUnique: boolean, items: readonly unknown[]): boolean {
  if (!mustBeUnique) return true;
  const indexes = new Map<string, number>();
  for (const [i, item] of items.entries()) {
    const text = sortedJson(item);
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
