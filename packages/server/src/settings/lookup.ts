import { closest, isClose } from '@mortise/plugin/runtime';
import { isAny, listSchemaOf, type SettingSchema } from './setting-schema.js';
import { SETTINGS_SCHEMA } from './settings-table.js';

/** Members of `Plugins.Limits` in earlier versions. They are constants now. */
const FORMER_LIMITS = [
  'PromptArguments',
  'TemplateVariables',
  'TemplateSteps',
  'Blocks',
  'MetaBytes',
  'ReadBytes',
  'PackageJsonBytes',
  'ListIntervalMs',
  'TimeSharePercent',
];
const FORMER_KEYS: ReadonlySet<string> = new Set(FORMER_LIMITS.map((name) => `plugins.limits.${name.toLowerCase()}`));

/** True if the key was a setting in an earlier version, so that it is ignored with a warning. */
export const wasSetting = (key: string): boolean => FORMER_KEYS.has(key.toLowerCase());

/**
 * True if two keys of an object mean the same. As in .NET configuration, case does not count; but it does in the names
 * of environment variables.
 */
export function sameKey(schema: SettingSchema | undefined, a: string, b: string): boolean {
  return a === b || (schema?.keys !== 'variables' && a.toLowerCase() === b.toLowerCase());
}

/** Returns the schema of the value under a key, and the key as it is documented; undefined for an unknown key. */
export function childOf(schema: SettingSchema, key: string): { key: string; schema: SettingSchema } | undefined {
  if (isAny(schema)) return { key, schema };
  const { properties, additionalProperties } = schema;
  if (properties) {
    const name = Object.keys(properties).find((property) => sameKey(schema, property, key));
    return name === undefined ? undefined : { key: name, schema: properties[name]! };
  }
  if (additionalProperties) return { key, schema: additionalProperties };
  const items = listSchemaOf(schema)?.items;
  return items && /^\d{1,6}$/.test(key) ? { key, schema: items } : undefined;
}

/**
 * Explains that `parent` does not have a key, and suggests similar ones.
 * @param parent the key of an object with known keys; '' for the whole configuration
 */
export function describeUnknownKey(
  parent: string,
  { properties = {} }: SettingSchema,
  key: string,
): { message: string; hint: string } {
  const message = `${joinKey(parent, key)} is not a setting.`;
  const names = Object.keys(properties);
  const best = closest(key, names);
  if (!best) return { message, hint: `${parent} has no nested settings.` };
  const nearest = joinKey(parent, best.name);
  const suggestions = [...settingsNamed(key, parent), ...(isClose(best.distance, best.name) ? [nearest] : [])];
  if (suggestions.length) return { message, hint: `Did you mean ${suggestions.join(' or ')}?` };
  return { message, hint: `The nearest one is ${nearest}. ${parent} has: ${names.join(', ')}.` };
}

/** Returns `A.B`: the name of a setting in messages and in the documentation. */
export function joinKey(parent: string, key: string): string {
  return parent ? `${parent}.${key}` : key;
}

/** Finds settings of any section that have this name, because the key may have been put into the wrong section. */
function settingsNamed(key: string, parent: string): string[] {
  if (parent.includes('.')) return [];
  return Object.entries<SettingSchema>(SETTINGS_SCHEMA.properties).flatMap(([section, schema]) => {
    const child = schema.properties && childOf(schema, key);
    return child ? [joinKey(section, child.key)] : [];
  });
}
