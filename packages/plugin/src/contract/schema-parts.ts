/** The constants have literal types, so that TypeScript can infer the types of results from the schemas. */
export const STRING = { type: 'string' } as const;
export const INTEGER = { type: 'integer' } as const;
export const NUMBER = { type: 'number' } as const;
export const BOOLEAN = { type: 'boolean' } as const;
export const TRUE = { const: true } as const;
export const STRINGS = { type: 'array', items: STRING } as const;
export const STRING_MAP = { type: 'object', additionalProperties: STRING } as const;
export const ANY_OBJECT = { type: 'object' } as const;

/** An object that can have only these members. @param required the members that it always has */
export function closed<const P extends Readonly<Record<string, object>>, const R extends readonly (keyof P)[]>(
  properties: P,
  required: R,
) {
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

/** An object that always has all of these members, and no others. */
export function complete<const P extends Readonly<Record<string, object>>>(properties: P) {
  const required = Object.keys(properties) as unknown as readonly (keyof P)[];
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

/** An object that can have any of these members, and no others. */
export function partial<const P extends Readonly<Record<string, object>>>(properties: P) {
  return { type: 'object', properties, additionalProperties: false } as const;
}

export function list<const I extends object>(items: I) {
  return { type: 'array', items } as const;
}

export function oneOf<const V extends readonly string[]>(...values: V) {
  return { enum: values } as const;
}

type OmittedCounts<F> = {
  readonly [K in keyof F & string as F[K] extends { readonly type: 'array' }
    ? `omitted${Capitalize<K>}`
    : never]: typeof INTEGER;
};

/**
 * Adds to the fields, for each list, the number of entries that the result omits
 * (docs/spec/dotnet-results.md#result-limits).
 */
export function withOmittedCounts<const F extends Readonly<Record<string, object>>>(fields: F): F & OmittedCounts<F> {
  const lists = Object.keys(fields).filter((name) => 'type' in fields[name]! && fields[name].type === 'array');
  const counts = lists.map((name) => [`omitted${name.charAt(0).toUpperCase()}${name.slice(1)}`, INTEGER]);
  return { ...fields, ...(Object.fromEntries(counts) as OmittedCounts<F>) };
}
