import { isObject, type Json } from '../json/json.js';

/** A JSON Schema of the dialect 2020-12, or of draft-07 as far as the two agree. */
export type Schema = boolean | SchemaObject;
export interface SchemaObject {
  readonly [keyword: string]: unknown;
}

export function isSchema(value: unknown): value is Schema {
  return typeof value === 'boolean' || isObject(value);
}

export function schemasOf(value: unknown): Schema[] {
  return Array.isArray(value) ? value.filter(isSchema) : [];
}

/** The names and schemas in the value of a keyword such as `properties`; empty if it is not an object. */
export function schemaEntries(value: unknown): [string, Schema][] {
  return isObject(value)
    ? Object.entries(value).filter((entry): entry is [string, Schema & Json] => isSchema(entry[1]))
    : [];
}

/** Resolves references within one schema by JSON Pointers, anchors and `$id`s. */
export class References {
  readonly #root: Schema;
  #names: Map<string, Schema> | undefined;

  constructor(root: Schema) {
    this.#root = root;
  }

  /** @returns undefined if the reference leads nowhere or to another document */
  resolve(reference: unknown): Schema | undefined {
    if (typeof reference !== 'string') return undefined;
    if (reference === '#') return this.#root;
    if (reference.startsWith('#/')) return this.#follow(reference.slice(1));
    this.#names ??= namesIn(this.#root, new Map());
    const [base = '', fragment = ''] = reference.split('#', 2);
    const named = this.#names.get(reference) ?? this.#names.get(`#${fragment}`);
    return named ?? (fragment === '' ? this.#names.get(base) : undefined);
  }

  #follow(pointer: string): Schema | undefined {
    let node: unknown = this.#root;
    for (const part of pointer.slice(1).split('/')) {
      const key = decode(part);
      if (Array.isArray(node)) node = node[Number(key)];
      else if (isObject(node) && Object.hasOwn(node, key)) node = node[key];
      else return undefined;
    }
    return isSchema(node) ? node : undefined;
  }
}

function decode(part: string): string {
  let text = part;
  try {
    text = decodeURIComponent(part);
  } catch {
    // The part is not percent-encoded, so it is used unchanged.
  }
  return text.replaceAll('~1', '/').replaceAll('~0', '~');
}

function namesIn(node: unknown, names: Map<string, Schema>): Map<string, Schema> {
  if (Array.isArray(node)) for (const item of node) namesIn(item, names);
  else if (isObject(node)) {
    const { $id, $anchor, $dynamicAnchor } = node;
    if (typeof $id === 'string') names.set($id.replace(/#$/, ''), node);
    for (const anchor of [$anchor, $dynamicAnchor]) if (typeof anchor === 'string') names.set(`#${anchor}`, node);
    for (const [keyword, value] of Object.entries(node)) {
      if (!NOT_SCHEMAS.has(keyword)) namesIn(value, names);
    }
  }
  return names;
}

const NOT_SCHEMAS = new Set(['const', 'enum', 'default', 'examples', 'example']);
