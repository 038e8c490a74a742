import type { JsonSchema } from '@mortise/plugin';
import { estimateJsonSize } from '../util/json-size.js';
import { isSchemaObject } from './map-keywords.js';
import { targetOf } from './reference.js';

/** The maximum number of members and items of a schema that is compiled in the server's thread: each takes about 0.1 ms. */
const MAX_PARTS = 400;
/** The maximum number of parts of a schema times the characters of a value: such a check takes some ten milliseconds. */
const MAX_STEPS = 1_000_000;

/** Keywords that can take longer than to read the value once, or that change what a `$ref` leads to. */
const NOT_QUICK = new Set(['pattern', 'uniqueItems', 'multipleOf', '$dynamicRef', '$recursiveRef', '$id']);

const partsBySchema = new WeakMap<JsonSchema, number>();

/** Whether it is certain that a value is checked so fast that the server's own thread can do it. */
export function isQuickCheck(schema: JsonSchema, value: unknown): boolean {
  let parts = partsBySchema.get(schema);
  if (parts === undefined) {
    parts = partsOf(schema);
    partsBySchema.set(schema, parts);
  }
  return parts <= MAX_PARTS && parts * estimateJsonSize(value, MAX_STEPS, 'atMost') <= MAX_STEPS;
}

/** What a `$ref` leads to counts each time, so a recursive schema has more than MAX_PARTS. Infinity if a keyword is not quick. */
function partsOf(schema: JsonSchema): number {
  let parts = 0;
  const add = (node: unknown): void => {
    parts += 1;
    if (typeof node !== 'object' || node === null || parts > MAX_PARTS) return;
    for (const [key, value] of Object.entries(node)) {
      // A property can have the name of a keyword; its value is an object then.
      const isKeyword = !isSchemaObject(value);
      const part = key === '$ref' && isKeyword ? targetOf(String(value), schema) : value;
      if (key === 'patternProperties' || part === undefined || (isKeyword && NOT_QUICK.has(key))) parts = Infinity;
      else add(part);
    }
  };
  add(schema);
  return parts;
}
