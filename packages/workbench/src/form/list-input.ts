import { isObject, type Json } from '../json/json.js';
import { firstText, type ListInput, type Place } from './field.js';
import { isSchema, type Schema, type SchemaObject, schemasOf } from './schema.js';

export function listInput(parts: readonly SchemaObject[], { path, value, build }: Place): ListInput {
  const tuples = parts.map(({ prefixItems, items }) => schemasOf(Array.isArray(items) ? items : prefixItems));
  const tupleLength = Math.max(0, ...tuples.map((tuple) => tuple.length));
  const schemasAt = (index: number): Schema[] =>
    parts.flatMap((part, partIndex) => {
      const tuple = tuples[partIndex]!;
      if (index < tuple.length) return [tuple[index]!];
      const rest = Array.isArray(part.items) ? part.additionalItems : (part.items ?? part.unevaluatedItems);
      return isSchema(rest) ? [rest] : [];
    });
  const values: readonly (Json | undefined)[] = Array.isArray(value) ? value : [];
  const maxItems = Math.min(
    ...parts.map(({ maxItems: limit }) => (typeof limit === 'number' ? limit : Number.POSITIVE_INFINITY)),
  );
  const next = schemasAt(values.length);
  const titleOf = (index: number) =>
    index < tupleLength ? firstText(schemasAt(index).filter(isObject), 'title') : undefined;
  const items = values.map((item, index) =>
    build(schemasAt(index), [...path, index], { label: titleOf(index) ?? `Item ${index + 1}`, isRequired: true }, item),
  );
  const canAdd = values.length < maxItems && !next.includes(false);
  return { kind: 'list', items, tupleLength, ...(canAdd && { next }) };
}
