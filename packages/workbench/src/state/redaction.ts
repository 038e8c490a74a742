import { ExactNumber, isObject, type Json } from '../json/json.js';

/** A whole value of JSON with its secrets replaced. Loaded when something is stored. */
export async function loadRedactor(): Promise<(value: Json) => Json> {
  const { redactor } = await import('../platform/redactor.js');
  return (value) => mapNumbers(redactor.value(mapNumbers(value, ({ text }) => ({ [EXACT]: text }))), undefined);
}

/** The redactor knows plain values only. */
const EXACT = '$exactNumber';

function mapNumbers(value: Json, toPlain: ((number: ExactNumber) => Json) | undefined): Json {
  if (value instanceof ExactNumber) return toPlain?.(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, toPlain));
  if (!isObject(value)) return value;
  if (toPlain === undefined && typeof value[EXACT] === 'string') return new ExactNumber(value[EXACT]);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapNumbers(member, toPlain)]));
}
