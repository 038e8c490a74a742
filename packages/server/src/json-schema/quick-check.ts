import type { JsonSchema } from '@mortise/plugin';
import { estimateJsonSize } from '../util/json-size.js';
import { isSchemaObject } from './map-keywords.js';
import { targetOf } from './reference.js';

/** The maximum number of members and items in a schema. Compiling takes about 0.1 ms for each. */
const MAX_PARTS = 400;
/** The maximum product of a schema's parts and a value's characters. Such a check takes about ten milliseconds. */
const MAX_STEPS = 1_000_000;

/** Keywords whose check can take longer than reading the value once, or that change the target of a `$ref`. */
const NOT_QUICK = new Set(['pattern', 'uniqueItems', 'multipleOf', '$dynamicRef', '$recursiveRef', '$id']);

const partsBySchema = new WeakMap<JsonSchema, number>();

/** Returns true if checking the value is certainly so fast that the server's main thread can do it. */
export function isQuickCheck(schema: JsonSchema, value: unknown): boolean {
  let parts = partsBySchema.get(schema);
  if (parts === undefined) {
    parts = partsOf(schema);
    partsBySchema.set(schema, parts);
  }
  return parts <= MAX_PARTS && parts * estimateJsonSize(value, MAX_STEPS, 'atMost') <= MAX_STEPS;
}

/**
 * Counts the parts of a schema. The target of a `$ref` counts each time, so a recursive schema exceeds MAX_PARTS.
 * Returns Infinity if a keyword is not quick.
 */
function partsOf(schema: JsonSchema): number {
  let parts = 0;
  const add = (node: unknown): void => {
    parts += 1;
    if (typeof node !== 'object' || node === null || parts > MAX_PARTS) return;
    for (const [key, value] of Object.entries(node)) {
      // A property can have the name of a keyword; then its value is an object.
      const isKeyword = !isSchemaObject(value);
      const part = key === '$ref' && isKeyword ? targetOf(String(value), schema) : value;
      if (key === 'patternProperties' || part === undefined || (isKeyword && NOT_QUICK.has(key))) parts = Infinity;
      else add(part);
    }
  };
  add(schema);
  return parts;
}
