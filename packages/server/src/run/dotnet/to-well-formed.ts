import type { JsonObject, JsonValue } from '@mortise/plugin';

/** With the u flag only those that are not half of a pair. */
const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A copy with U+FFFD for each lone surrogate: JSON in JavaScript may have them, and .NET refuses to read such a text. */
export function wellFormed(args: JsonObject): JsonObject {
  return Object.fromEntries(Object.entries(args).map(([name, value]) => [inText(name), inValue(value)]));
}

function inValue(value: JsonValue): JsonValue {
  if (typeof value === 'string') return inText(value);
  if (Array.isArray(value)) return value.map(inValue);
  return typeof value === 'object' && value !== null ? wellFormed(value) : value;
}

const inText = (text: string) => text.replace(LONE_SURROGATE, '\uFFFD');
