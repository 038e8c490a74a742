import { isJsonObject, type JsonObject, ownMember } from '../json.js';
import { pointerSegment } from '../json-pointer.js';
import type { JsonSchema } from '../schema.js';
import type { PluginProblem } from './problem.js';

/** The place where a setting is defined. Lines and columns count from 1. */
export interface SettingPlace {
  file?: string;
  line?: number;
  column?: number;
  /** The environment variable that contains the value. */
  variable?: string;
  /** Set if the value comes from the environment or from a reference, so that the text `5` can mean a number. */
  isLoose?: true;
}

/** A setting whose reference `${env:…}` or `${file:…}` cannot be resolved. */
export interface UnavailableSetting {
  /** The JSON pointer within the plugin's settings. */
  pointer: string;
  message: string;
  hint: string;
}

export interface PluginSettings {
  /** Such as `Plugins.Settings.weather`. */
  key: string;
  values: JsonObject;
  /** An absolute path; absent if there is no settings file. */
  file?: string;
  /** The places of the settings by JSON pointer, in lower case. '' is the place of the whole section. */
  places: Record<string, SettingPlace>;
  unavailable: UnavailableSetting[];
  /** The absolute path of the plugin's data folder, which may not exist yet. */
  dataDir: string;
}

export interface SettingsRequest {
  /** The name in `definePlugin`, if there is one. */
  name?: string;
  /**
   * The paths of secrets. Each is a list of keys, in which `*` stands for every key or index. From now on their values
   * are redacted.
   */
  secrets: string[][];
}

/** The settings, or `problem` if the name belongs to another plugin. */
export type SettingsAnswer = PluginSettings | { problem: PluginProblem };

/** The maximum depth of the search in a schema, because recursive schemas have no end. */
const MAX_DEPTH = 16;

/** The paths of the settings that the schema marks as secret with `format: "password"`. */
export function secretPaths(root: JsonSchema): string[][] {
  const paths: string[][] = [];
  /** @param outer the schemas around this one that apply to the same value; a schema among them is not visited again */
  const visit = (schema: unknown, path: string[], outer: readonly unknown[] = []): void => {
    if (!isJsonObject(schema) || path.length > MAX_DEPTH || outer.includes(schema)) return;
    if (schema.format === 'password') paths.push(path);
    for (const [name, member] of Object.entries(isJsonObject(schema.properties) ? schema.properties : {}))
      visit(member, [...path, name]);
    for (const [index, item] of listOf(schema.prefixItems).entries()) visit(item, [...path, String(index)]);
    for (const inner of [schema.items, schema.additionalProperties]) visit(inner, [...path, '*']);
    for (const choice of choicesOf(schema, root)) visit(choice, path, [...outer, schema]);
  };
  visit(root, []);
  return paths;
}

/** The schemas that apply to the same value, with references resolved. Empty if there are none. */
function choicesOf(schema: JsonSchema, root: JsonSchema): unknown[] {
  const lists = [schema.anyOf, schema.oneOf, schema.allOf].flatMap(listOf);
  const name =
    typeof schema.$ref === 'string' ? /^#\/(?:\$defs|definitions)\/([^/]+)$/.exec(schema.$ref)?.[1] : undefined;
  const definitions = (schema.$ref && (root.$defs ?? root.definitions)) as Record<string, unknown> | undefined;
  return name !== undefined && definitions ? [...lists, ownMember(definitions, name)] : lists;
}

/**
 * Fits the values to the schema. Keys get the schema's spelling, because settings are case-insensitive. A text from the
 * environment or from a reference becomes the number, boolean, list or object that the schema requires.
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
    if (typeof value === 'string') return isLoose(pointer) ? fromText(value, types) : value;
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

/** Parses a text as JSON if that gives a value of one of the types, and the types do not include string. */
function fromText(text: string, types: ReadonlySet<unknown>): unknown {
  if (types.has('string') || types.has(undefined)) return text;
  try {
    const value: unknown = JSON.parse(/^\s*(?:true|false|null)\s*$/i.test(text) ? text.toLowerCase() : text);
    const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value;
    return types.has(type) || (type === 'number' && types.has('integer')) ? value : text;
  } catch {
    return text;
  }
}

/**
 * Returns the keys of the settings that the schema does not define. Empty if the schema itself decides about other keys,
 * for example with `additionalProperties`.
 */
export function unknownKeys(value: unknown, { properties, additionalProperties, ...others }: JsonSchema): string[] {
  const isOpen = additionalProperties !== undefined || Object.keys(others).some((key) => OPENING.includes(key));
  if (!isJsonObject(value) || !isJsonObject(properties) || isOpen) return [];
  return Object.keys(value).filter((key) => !Object.hasOwn(properties, key));
}

/** With these keywords a schema can allow keys that its `properties` do not name. */
const OPENING = ['anyOf', 'oneOf', 'allOf', '$ref', 'patternProperties', 'unevaluatedProperties'];

export function placeOf(places: PluginSettings['places'], pointer: string): SettingPlace | undefined {
  return ownMember(places, pointer.toLowerCase());
}

export const pointerOf = (path: readonly PropertyKey[]): string =>
  path.map((key) => `/${pointerSegment(key)}`).join('');

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
