import { ExactNumber, isObject, type Json } from '../json/json.js';

/** Loads the redactor. @returns a function that replaces the secrets in a JSON value */
export async function loadRedactor(): Promise<(value: Json) => Json> {
  const { redactor } = await import('../platform/redactor.js');
  return (value) => mapNumbers(redactor.value(mapNumbers(value, ({ text }) => ({ [EXACT]: text }))), undefined);
}

/** The member that stands for an `ExactNumber` while the redactor, which knows only plain JSON, reads the value. */
const EXACT = '$exactNumber';

/** Replaces each `ExactNumber` by `toPlain`; without `toPlain`, turns the replacements back. */
function mapNumbers(value: Json, toPlain: ((number: ExactNumber) => Json) | undefined): Json {
  if (value instanceof ExactNumber) return toPlain?.(value) ?? value;
  if (Array.isArray(value)) return value.map((item) => mapNumbers(item, toPlain));
  if (!isObject(value)) return value;
  if (toPlain === undefined && typeof value[EXACT] === 'string') return new ExactNumber(value[EXACT]);
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, mapNumbers(member, toPlain)]));
}
