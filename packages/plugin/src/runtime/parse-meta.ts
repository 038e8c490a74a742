import type { BlockAnnotations } from '../content.js';
import { isJsonObject, type JsonObject } from '../json.js';
import { annotationsFault } from './content-blocks.js';
import { describeError, describeValue } from './describe.js';
import { isDeeper, toJsonValue } from './to-json-value.js';

/** The maximum nesting of `_meta` and `annotations`; far deeper than any that an author writes. */
export const MAX_MEMBER_DEPTH = 200;

/** Reads `_meta` of a definition as JSON, or returns its fault. */
export function parseMeta(value: unknown): { meta: JsonObject } | { fault: string } {
  const read = parseObject('_meta', value);
  return 'object' in read ? { meta: read.object } : read;
}

/** Reads `annotations` of a resource or template, or returns their fault. */
export function parseAnnotations(value: unknown): { annotations: BlockAnnotations } | { fault: string } {
  const read = parseObject('annotations', value);
  if (!('object' in read)) return read;
  const fault = annotationsFault(read.object);
  return fault === undefined ? { annotations: withoutNulls(read.object) } : { fault: `annotations is not ${fault}` };
}

export const withoutNulls = (object: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(object).filter(([, value]) => value !== null));

function parseObject(name: string, value: unknown): { object: JsonObject } | { fault: string } {
  try {
    const object = typeof value === 'object' ? toJsonValue(value) : undefined;
    if (!isJsonObject(object)) return { fault: `${name} is ${describeValue(value)}, not an object` };
    return isDeeper(object, MAX_MEMBER_DEPTH) ? { fault: `${name} is nested too deeply` } : { object };
  } catch (error) {
    return { fault: `${name} cannot be written as JSON: ${describeError(error)}` };
  }
}
