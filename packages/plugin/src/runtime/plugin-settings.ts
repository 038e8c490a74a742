import { isJsonObject, type JsonObject, ownMember } from '../json.js';
import { pointerSegment } from '../json-pointer.js';
import type { JsonSchema } from '../schema.js';
import type { PluginProblem } from './problem.js';

/** Where a setting was set. Lines and columns count from 1. */
export interface SettingPlace {
  file?: string;
  line?: number;
  column?: number;
  /** The environment variable that it came from. */
  variable?: string;
  /** Its text came from the environment or a reference: `5` there may be a number. */
  isLoose?: true;
}

/** A setting whose `${env:…}` or `${file:…}` cannot be fetched. */
export interface UnavailableSetting {
  /** The JSON pointer in the plugin's settings. */
  pointer: string;
  message: string;
  hint: string;
}

/** The settings of one plugin. */
export interface PluginSettings {
  /** `Plugins.Settings.weather` */
  key: string;
  values: JsonObject;
  /** The absolute path of the settings file; absent where there is none. */
  file?: string;
  /** By JSON pointer, in lower case; '' is the place of the whole section. */
  places: Record<string, SettingPlace>;
  unavailable: UnavailableSetting[];
  /** The absolute path of the plugin's data folder, which need not exist. */
  dataDir: string;
}

/** What a plugin tells the host of its settings before it gets them. */
export interface SettingsRequest {
  /** The name that `definePlugin` was given. */
  name?: string;
  /** The paths of secrets: a key each, `*` for every key or index. Their values are redacted from then on. */
  secrets: string[][];
}

/** `problem` where the name belongs to another plugin. */
export type SettingsAnswer = PluginSettings | { problem: PluginProblem };

/** How deep a schema is searched: recursive schemas have no end. */
const MAX_DEPTH = 16;

/** The paths of what the schema marks as secret: `format: "password"`. */
export function secretPaths(schema: JsonSchema): string[][] {
  const paths: string[][] = [];
  collect(schema, [], schema, paths);
  return paths;
}

function collect(schema: unknown, path: string[], root: JsonSchema, paths: string[][]): void {
  if (!isJsonObject(schema) || path.length > MAX_DEPTH) return;
  if (schema.format === 'password') paths.push(path);
  for (const [name, member] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {}))
    collect(member, [...path, name], root, paths);
  for (const [at, item] of listOf(schema.prefixItems).entries()) collect(item, [...path, String(at)], root, paths);
  for (const inner of [schema.items, schema.additionalProperties]) collect(inner, [...path, '*'], root, paths);
  for (const choice of choicesOf(schema, root)) if (choice !== schema) collect(choice, path, root, paths);
}

/** The schemas that apply at the same place, references followed; the schema itself where there are none. */
function choicesOf(schema: JsonSchema, root: JsonSchema): unknown[] {
  const lists = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(listOf);
  const name =
    typeof schema.$ref === 'string' ? /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(schema.$ref)?.[1] : undefined;
  const definitions = (schema.$ref && (root.$defs ?? root.definitions)) as Record<string, unknown> | undefined;
  return name !== undefined && definitions ? [...lists, ownMember(definitions, name)] : lists;
}

/**
 * The values as the schema names and types them: keys in its spelling (settings are case-insensitive), and text of the environment or of a
 * reference as the number, boolean, list or object that the schema wants.
 */
export function fitToSchema(
  { values, places }: Pick<PluginSettings, 'values' | 'places'>,
  schema: JsonSchema,
): unknown {
  const isLoose = (pointer: string) => placeOf(places, pointer)?.isLoose === true;
  const fit = (value: unknown, wanted: unknown, pointer: string, depth: number): unknown => {
    if (!isJsonObject(wanted) || depth > MAX_DEPTH) return value;
    const schemas = [wanted, ...choicesOf(wanted, schema)].filter(isJsonObject);
    const types = new Set(schemas.flatMap(({ type }) => (Array.isArray(type) ? type : [type])));
    const next = (member: unknown, inner: unknown, key: string | number) =>
      fit(member, inner, `${pointer}/${pointerSegment(key)}`, depth + 1);
    if (typeof value === 'string') return isLoose(pointer) ? typed(value, types) : value;
    if (Array.isArray(value)) {
      const items = schemas.find((one) => one.items !== undefined)?.items;
      return value.map((item, at) => next(item, items, at));
    }
    if (!isJsonObject(value)) return value;
    const members = Object.entries(value);
    const isIndexed = members.length > 0 && members.every(([key]) => /^\d{1,6}$/.test(key));
    if (isIndexed && types.has('array') && !types.has('object')) {
      const items = schemas.find((one) => one.items !== undefined)?.items;
      return members.sort(([a], [b]) => Number(a) - Number(b)).map(([key, item]) => next(item, items, key));
    }
    const properties = Object.assign({}, ...schemas.map((one) => one.properties ?? {})) as Record<string, unknown>;
    const others = schemas.find((one) => isJsonObject(one.additionalProperties))?.additionalProperties;
    return Object.fromEntries(
      members.map(([key, member]) => {
        const name = Object.hasOwn(properties, key) ? key : (nameLike(key, properties) ?? key);
        return [name, next(member, ownMember(properties, name) ?? others, key)];
      }),
    );
  };
  return fit(values, schema, '', 0);
}

const nameLike = (key: string, properties: object) =>
  Object.keys(properties).find((name) => name.toLowerCase() === key.toLowerCase());

/** The text as JSON, where it is a value of a type that is wanted and text is not. */
function typed(text: string, types: ReadonlySet<unknown>): unknown {
  if (types.has('string') || types.has(undefined)) return text;
  try {
    const value: unknown = JSON.parse(/^\s*(?:true|false|null)\s*$/i.test(text) ? text.toLowerCase() : text);
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    return types.has(type) || (type === 'number' && types.has('integer')) ? value : text;
  } catch {
    return text;
  }
}

/** Keys of the settings that the schema does not know, where it names those that it does. */
export function unknownKeys(value: unknown, { properties, additionalProperties, ...others }: JsonSchema): string[] {
  const isOpen = additionalProperties !== undefined || Object.keys(others).some((key) => OPENING.includes(key));
  if (!isJsonObject(value) || !isJsonObject(properties) || isOpen) return [];
  return Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
}

const OPENING = ['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties', 'unevaluatedProperties'];

/** The place of a setting. */
export function placeOf(places: PluginSettings['places'], pointer: string): SettingPlace | undefined {
  return ownMember(places, pointer.toLowerCase());
}

/** The JSON pointer of a path of keys. */
export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${pointerSegment(key)}`).join('');

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
