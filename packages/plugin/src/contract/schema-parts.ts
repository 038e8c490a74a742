/** Parts of the schemas below; the literal types are kept, so that types can be inferred from them. */
export const STRING = { type: 'string' } as const;
export const INTEGER = { type: 'integer' } as const;
export const NUMBER = { type: 'number' } as const;
export const BOOLEAN = { type: 'boolean' } as const;
export const TRUE = { const: true } as const;
export const STRINGS = { type: 'array', items: STRING } as const;
/** A map of strings. */
export const STRING_MAP = { type: 'object', additionalProperties: STRING } as const;
/** Any JSON object. */
export const ANY_OBJECT = { type: 'object' } as const;

/** An object with no other members than these. @param required those that are always there */
export function closed<const P extends Readonly<Record<string, object>>, const R extends readonly (keyof P)[]>(
  properties: P,
  required: R,
) {
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

/** The same with all members always there. */
export function complete<const P extends Readonly<Record<string, object>>>(properties: P) {
  const required = Object.keys(properties) as unknown as readonly (keyof P)[];
  return { type: 'object', properties, required, additionalProperties: false } as const;
}

/** The same with no member that is always there. */
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

/** The fields, and for each list how many of its entries a result leaves out (docs/spec/dotnet-results.md#result-limits). */
export function withOmittedCounts<const F extends Readonly<Record<string, object>>>(fields: F): F & OmittedCounts<F> {
  const lists = Object.keys(fields).filter((name) => 'type' in fields[name]! && fields[name].type === 'array');
  const counts = lists.map((name) => [`omitted${name.charAt(0).toUpperCase()}${name.slice(1)}`, INTEGER]);
  return { ...fields, ...(Object.fromEntries(counts) as OmittedCounts<F>) };
}
