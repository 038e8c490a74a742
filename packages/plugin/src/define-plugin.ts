import { DefinitionError } from './definition-error.js';
import { suggestNames } from './did-you-mean.js';
import type { FromSchema } from './infer-schema.js';
import type { RegisterApi } from './register.js';
import type { JsonSchema } from './schema.js';
import type { ArgumentsFrom, SchemaInput } from './schema-input.js';
import { jsonValidator } from './schemas/json-validator.js';
import { type ReadSchema, readSchema } from './schemas/read-schema.js';
import type { StandardSchema, StandardShape } from './standard-schema.js';
import { unknownMember } from './tool-members.js';

/** The type of the `config` that `register` gets: the validated settings, with the defaults of the schema filled in. */
export type ConfigFrom<C> = [C] extends [undefined]
  ? undefined
  : C extends StandardSchema | StandardShape
    ? ArgumentsFrom<C>
    : WithDefaults<C, FromSchema<C>>;

/** A property of a JSON Schema that has a default is always present. */
type WithDefaults<S, Value> = S extends { readonly properties: infer Properties }
  ? Flat<Value & { -readonly [K in keyof Properties as K & NameOfDefault<Properties, K>]-?: FromSchema<Properties[K]> }>
  : Value;

type NameOfDefault<Properties, K extends keyof Properties> = Properties[K] extends { readonly default: unknown }
  ? K
  : never;

type Flat<T> = { [K in keyof T]: T[K] };

export interface PluginOptions<C extends SchemaInput | undefined> {
  /**
   * Names the plugin's section of the settings, `Plugins.Settings.<name>`, and its data folder. 1 to 64 of the
   * characters `A-Za-z0-9_.-`. Default: the name of the plugin's file or folder, without extension.
   */
  name?: string;
  /**
   * The schema of the plugin's settings: a Standard Schema (zod, valibot, ArkType) of an object, an object of Standard
   * Schemas by member, or a JSON Schema. Mark secrets with `secretString()` or `format: "password"`.
   */
  config?: C;
  /** Tells models what they should know about the plugin as a whole. The server adds it to its own instructions. */
  instructions?: string;
  /** Registers tools, resources and prompts. Called only when the settings are valid. */
  register(api: RegisterApi, config: ConfigFrom<C>): void | Promise<void>;
}

/** The default export of a plugin's module. */
export interface DefinedPlugin {
  readonly name?: string;
  readonly instructions?: string;
  register(api: RegisterApi, config?: unknown): void | Promise<void>;
}

/** Marks the plugins that `definePlugin` made. It is registered, so that several copies of this package use the same. */
const DEFINED: unique symbol = Symbol.for('mortise.defined-plugin');

export type ConfigSchema = Required<ReadSchema>;

/**
 * The schema of a plugin's settings, or `schema: undefined` if it has no settings. undefined if `definePlugin` did not
 * make `value`.
 */
export function configSchemaOf(value: unknown): { schema: ConfigSchema | undefined } | undefined {
  const isObject = typeof value === 'object' && value !== null;
  return isObject ? (value as { [DEFINED]?: { schema: ConfigSchema | undefined } })[DEFINED] : undefined;
}

const NAME = /^[A-Za-z0-9_.-]{1,64}$/;

const MEMBERS = ['name', 'config', 'instructions', 'register'];
const FORM = 'Write definePlugin({ config, register(api, config) { api.defineTool({ … }) } }).';

/**
 * Defines a plugin that has its own settings. Export the result as the default of the module
 * (docs/spec/configuration.md#plugin-settings).
 * @throws TypeError if a member is unknown, `register` is not a function, the name is not allowed, or `config` is not
 * the schema of an object
 */
export function definePlugin<const C extends SchemaInput | undefined = undefined>(
  options: PluginOptions<C>,
): DefinedPlugin {
  const unknown = Object.keys(options ?? {}).filter((key) => !MEMBERS.includes(key));
  const faults = unknown.map((key) => unknownMember(key, 'a plugin', suggestNames(key, MEMBERS, 1)[0]));
  if (faults.length > 0) throw new DefinitionError(`definePlugin: ${faults.join(' ')}`, FORM);
  const { name, config, instructions, register } = options;
  if (typeof register !== 'function') throw new DefinitionError('definePlugin: register must be a function.', FORM);
  if (instructions !== undefined && typeof instructions !== 'string')
    throw new DefinitionError('definePlugin: instructions must be a string.', FORM);
  if (name !== undefined && !NAME.test(name))
    throw new DefinitionError(
      'definePlugin: the name is not allowed.',
      'Use 1 to 64 of the characters A-Z, a-z, 0-9, _, . and -.',
    );
  const plugin = { ...options };
  Object.defineProperty(plugin, DEFINED, { value: { schema: config === undefined ? undefined : readConfig(config) } });
  return plugin as unknown as DefinedPlugin;
}

const ADVICE = 'Give a JSON Schema, or remove the transformations that JSON Schema cannot express.';

function readConfig(config: unknown): ConfigSchema {
  const { json, validate } = readSchema(config, {
    subject: 'definePlugin: config',
    io: 'input',
    advice: ADVICE,
  });
  const plain = JSON.parse(JSON.stringify(json)) as JsonSchema;
  if (plain.type !== undefined && plain.type !== 'object')
    throw new DefinitionError('definePlugin: config must be the schema of an object.', ADVICE);
  return { json: plain, validate: validate ?? jsonValidator(plain) };
}
