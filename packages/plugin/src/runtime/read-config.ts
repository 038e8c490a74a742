import type { ConfigSchema } from '../define-plugin.js';
import { suggestNames } from '../did-you-mean.js';
import { ownMember } from '../json.js';
import type { StandardIssue } from '../standard-schema.js';
import { asSentence, describeError } from './describe.js';
import { loadProblem } from './load-problem.js';
import { fitToSchema, type PluginSettings, placeOf, pointerOf, unknownKeys } from './plugin-settings.js';
import type { PluginProblem, ProblemLocation } from './problem.js';

/** The settings for `register`. `value` is absent if a problem is an error; warnings do not remove it. */
export interface ReadConfig {
  readonly value?: unknown;
  readonly problems: PluginProblem[];
}

const MAX_PROBLEMS = 20;

/**
 * Validates the settings of a plugin (docs/spec/configuration.md#plugin-settings). Never rejects: each missing or
 * invalid setting becomes a problem that names the setting, its place in the settings file, and the next action.
 * @param file the plugin's file, for problems if there is no settings file
 */
export async function readConfig(schema: ConfigSchema, settings: PluginSettings, file: string): Promise<ReadConfig> {
  const messages = new SettingMessages(settings, file);
  const fitted = fitToSchema(settings, schema.json);
  const unknown = unknownKeys(fitted, schema.json).map((key) => messages.unknown(key, schema));
  const unavailable = settings.unavailable.map((setting) => messages.unavailable(setting));
  let invalid: PluginProblem[];
  let value: unknown;
  try {
    const result = await schema.validate(fitted);
    invalid = (result.issues ?? []).flatMap((issue) => messages.missingOrInvalid(issue, fitted, schema) ?? []);
    value = result.issues === undefined ? result.value : undefined;
  } catch (error) {
    invalid = [messages.validationThrew(error)];
  }
  const errors = [...unavailable, ...invalid].slice(0, MAX_PROBLEMS);
  return { ...(errors.length === 0 && { value }), problems: [...errors, ...unknown.slice(0, MAX_PROBLEMS)] };
}

type Path = readonly PropertyKey[];

class SettingMessages {
  readonly #settings: PluginSettings;
  readonly #file: string;

  constructor(settings: PluginSettings, file: string) {
    this.#settings = settings;
    this.#file = file;
  }

  unavailable({ pointer, message, hint }: PluginSettings['unavailable'][number]): PluginProblem {
    return { ...loadProblem('SETTING_UNAVAILABLE', message, this.#locationOf(pointer)), hint };
  }

  /** undefined for a setting that is missing because it is unavailable: `unavailable()` has already reported it. */
  missingOrInvalid(
    { path = [], message }: StandardIssue,
    values: unknown,
    schema: ConfigSchema,
  ): PluginProblem | undefined {
    const keys = path.map((part) => (typeof part === 'object' ? part.key : part));
    const pointer = pointerOf(keys).toLowerCase();
    if (this.#settings.unavailable.some((one) => `${pointer}/`.startsWith(`${one.pointer.toLowerCase()}/`)))
      return undefined;
    return valueAt(values, keys) === undefined
      ? this.#missing(keys, schema)
      : this.#invalid(keys, message, this.#locationOf(pointer));
  }

  unknown(key: string, { json }: ConfigSchema): PluginProblem {
    const names = Object.keys(json.properties ?? {});
    const [closest] = suggestNames(key, names, 1);
    const hint =
      closest === undefined ? `The plugin has the settings ${names.join(', ')}.` : `Did you mean ${closest}?`;
    const message = `${this.#nameOf([key])} is not a setting of this plugin.`;
    return { ...loadProblem('SETTING_UNKNOWN', message, this.#locationOf(pointerOf([key]))), hint };
  }

  validationThrew(error: unknown): PluginProblem {
    const message = `Validating ${this.#settings.key} threw: ${asSentence(describeError(error))}`;
    return {
      ...loadProblem('SETTING_INVALID', message, { file: this.#file }),
      hint: 'Correct the schema of the plugin.',
    };
  }

  #missing(keys: Path, { json }: ConfigSchema): PluginProblem {
    const name = this.#nameOf(keys);
    const { file } = this.#settings;
    const message = `${name} is missing: add it to ${file ?? 'the settings file, which `mortise init` makes'}.`;
    const schema = keys.reduce<unknown>((at, key) => memberSchema(at, String(key)), json) as Described | undefined;
    const variable = ['Plugins', ...name.split('.').slice(1)].join('__');
    const example = schema?.format === 'password' ? `"\${env:${variableFor(keys)}}"` : '…';
    const purpose = schema?.description === undefined ? '' : ` ${schema.description}`;
    const hint = `Add ${JSON.stringify(String(keys.at(-1) ?? ''))}: ${example} under ${this.#nameOf(keys.slice(0, -1))}, or set the environment variable ${variable}.${purpose}`;
    return { ...loadProblem('SETTING_MISSING', message, { ...this.#closestLocation(keys), subject: name }), hint };
  }

  #invalid(keys: Path, reason: string, location: ProblemLocation): PluginProblem {
    const variable = placeOf(this.#settings.places, pointerOf(keys))?.variable;
    const hint = variable === undefined ? {} : { hint: `Correct the environment variable ${variable}.` };
    return { ...loadProblem('SETTING_INVALID', `${this.#nameOf(keys)} is wrong: ${reason}.`, location), ...hint };
  }

  /** `Plugins.Settings.weather.cities[0]` */
  #nameOf(keys: Path): string {
    return keys.reduce<string>(
      (name, key) => (typeof key === 'number' ? `${name}[${key}]` : `${name}.${String(key)}`),
      this.#settings.key,
    );
  }

  /** The place of a setting. If the setting is missing, the place of the nearest object around it. */
  #closestLocation(keys: Path): ProblemLocation {
    for (let length = keys.length; length >= 0; length -= 1) {
      const pointer = pointerOf(keys.slice(0, length));
      if (placeOf(this.#settings.places, pointer)) return this.#locationOf(pointer);
    }
    return this.#locationOf('');
  }

  #locationOf(pointer: string): ProblemLocation {
    const { line, column, file = this.#settings.file ?? this.#file } = placeOf(this.#settings.places, pointer) ?? {};
    return { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }) };
  }
}

interface Described {
  readonly format?: string;
  readonly description?: string;
}

function memberSchema(schema: unknown, key: string): unknown {
  const { properties, items } = (schema ?? {}) as { properties?: Record<string, unknown>; items?: unknown };
  return ownMember(properties ?? {}, key) ?? items;
}

/** The name of an environment variable for a secret: `apiKey` → `API_KEY`. */
function variableFor(keys: Path): string {
  const name = String(keys.findLast((key) => typeof key === 'string') ?? 'SECRET');
  return name
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/\W/g, '_')
    .toUpperCase();
}

function valueAt(values: unknown, keys: Path): unknown {
  return keys.reduce(
    (holder, key) => (holder as Record<PropertyKey, unknown> | null | undefined)?.[key],
    values as unknown,
  );
}
