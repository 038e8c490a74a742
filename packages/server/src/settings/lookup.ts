import { closest, isClose } from '@mortise/plugin/runtime';
import { isAny, listSchemaOf, type SettingSchema } from './setting-schema.js';
import { SETTINGS_SCHEMA } from './settings-table.js';

/** Settings of earlier versions, whose amounts are the same for everyone now. */
const EARLIER = [
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
const EARLIER_KEYS: ReadonlySet<string> = new Set(EARLIER.map((name) => `plugins.limits.${name.toLowerCase()}`));

/** Whether this was a setting in an earlier version. A file that has it is read all the same. */
export const wasSetting = (key: string): boolean => EARLIER_KEYS.has(key.toLowerCase());

/** Whether two keys of an object of this schema mean the same. As in .NET configuration, case does not count. */
export function sameKey(schema: SettingSchema | undefined, a: string, b: string): boolean {
  return a === b || (schema?.keys !== 'variables' && a.toLowerCase() === b.toLowerCase());
}

/** What is under this key of a value, with the key as it is documented; undefined for an unknown key. */
export function childOf(schema: SettingSchema, key: string): { key: string; schema: SettingSchema } | undefined {
  if (isAny(schema)) return { key, schema };
  const { properties, additionalProperties } = schema;
  if (properties) {
    const name = Object.keys(properties).find((one) => sameKey(schema, one, key));
    return name === undefined ? undefined : { key: name, schema: properties[name]! };
  }
  if (additionalProperties) return { key, schema: additionalProperties };
  const items = listSchemaOf(schema)?.items;
  return items && /^\d{1,6}$/.test(key) ? { key, schema: items } : undefined;
}

/** The message for a key that `parent` (a record, '' for the whole configuration) does not have. */
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
  const suggestions = [...sectionsWith(parent, key), ...(isClose(best.distance, best.name) ? [nearest] : [])];
  if (suggestions.length) return { message, hint: `Did you mean ${suggestions.join(' or ')}?` };
  return { message, hint: `The nearest one is ${nearest}. ${parent} has: ${names.join(', ')}.` };
}

/** `A.B`, as messages and the docs name a setting. */
export function joinKey(parent: string, key: string): string {
  return parent ? `${parent}.${key}` : key;
}

/** Settings with this very name, for a key that was put into the wrong section. */
function sectionsWith(parent: string, key: string): string[] {
  if (parent.includes('.')) return [];
  return Object.entries<SettingSchema>(SETTINGS_SCHEMA.properties).flatMap(([section, schema]) => {
    const found = schema.properties && childOf(schema, key);
    return found ? [joinKey(section, found.key)] : [];
  });
}
