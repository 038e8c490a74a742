/** The arguments of a tool, as parsed from JSON. */
export type ToolArguments = Record<string, unknown>;

/** The arguments that a JSON Schema literal describes; any object if the schema does not restrict it. */
export type ArgumentsOf<S> = unknown extends FromSchema<S> ? ToolArguments : FromSchema<S>;

/**
 * The type of the values that a JSON Schema literal allows. It understands const, enum, type (one or several),
 * properties with required, items, prefixItems, additionalProperties, anyOf, oneOf and allOf. For everything else, such
 * as `$ref`, the type is unknown.
 */
export type FromSchema<S> = S extends true
  ? unknown
  : S extends false
    ? never
    : S extends { readonly const: infer Value }
      ? Mutable<Value>
      : S extends { readonly enum: readonly (infer Value)[] }
        ? Mutable<Value>
        : S extends { readonly type: infer Type }
          ? FromType<Type, S>
          : S extends { readonly properties: object }
            ? FromObject<S>
            : S extends { readonly anyOf: readonly (infer Choice)[] }
              ? FromSchema<Choice>
              : S extends { readonly oneOf: readonly (infer Choice)[] }
                ? FromSchema<Choice>
                : S extends { readonly allOf: infer Parts }
                  ? FromAll<Parts>
                  : unknown;

type FromType<Type, S> = Type extends readonly (infer Each)[]
  ? FromType<Each, S>
  : Type extends 'string'
    ? string
    : Type extends 'number' | 'integer'
      ? number
      : Type extends 'boolean'
        ? boolean
        : Type extends 'null'
          ? null
          : Type extends 'array'
            ? FromArray<S>
            : Type extends 'object'
              ? FromObject<S>
              : unknown;

type FromArray<S> = S extends { readonly prefixItems: infer Items extends readonly unknown[] }
  ? { -readonly [I in keyof Items]: FromSchema<Items[I]> }
  : S extends { readonly items: infer Item }
    ? FromSchema<Item>[]
    : unknown[];

type FromObject<S> = S extends { readonly properties: infer Properties }
  ? Flat<
      {
        -readonly [K in keyof Properties as K extends Required<S> ? K : never]: FromSchema<Properties[K]>;
      } & {
        -readonly [K in keyof Properties as K extends Required<S> ? never : K]?: FromSchema<Properties[K]>;
      }
    >
  : S extends { readonly additionalProperties: infer Value }
    ? Record<string, FromSchema<Value>>
    : Record<string, unknown>;

type Required<S> = S extends { readonly required: readonly (infer Name)[] } ? Name : never;

type FromAll<Parts> = Parts extends readonly [infer First, ...infer Rest] ? FromSchema<First> & FromAll<Rest> : unknown;

type Flat<T> = { [K in keyof T]: T[K] };

/** The type without `readonly`, at all levels. */
export type Mutable<T> = T extends object ? { -readonly [K in keyof T]: Mutable<T[K]> } : T;
