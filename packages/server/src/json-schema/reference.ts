import type { JsonSchema } from '@mortise/plugin';
import { keyOfSegment } from '@mortise/plugin/runtime';

/** Returns the target of a `$ref` in the schema; undefined if there is none, or if the `$ref` is not a JSON pointer. */
export function targetOf(reference: string, schema: JsonSchema): unknown {
  if (!isPointer(reference)) return undefined;
  const pointer = tryDecode(reference.slice(1));
  if (pointer === '') return schema;
  return pointer?.slice(1).split('/').map(keyOfSegment).reduce<unknown>(memberOf, schema);
}

/** Returns true if a `$ref` is a JSON pointer into its own document. */
export function isPointer(reference: string): boolean {
  return reference === '#' || reference.startsWith('#/');
}

function memberOf(node: unknown, key: string): unknown {
  if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined;
  return (node as JsonSchema)[key];
}

function tryDecode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}
