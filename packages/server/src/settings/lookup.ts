import { closest, isClose } from '@mortise/plugin/runtime';
import { SETTINGS_TYPE } from './settings-table.js';
import type { ValueType } from './value-type.js';

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

/** Whether two keys of an object of this type mean the same. As in .NET configuration, case does not count. */
export function sameKey(type: ValueType | undefined, a: string, b: string): boolean {
  const exact = type?.kind === 'map' && type.keys === 'variables';
  return a === b || (!exact && a.toLowerCase() === b.toLowerCase());
}

/** What is under this key of a value of this type, with the key as it is documented; undefined for an unknown key. */
export function childOf(type: ValueType, key: string): { key: string; type: ValueType } | undefined {
  if (type.kind === 'json') return { key, type };
  if (type.kind === 'map') return { key, type: type.of };
  if (type.kind === 'list') return /^\d{1,6}$/.test(key) ? { key, type: type.of } : undefined;
  if (type.kind !== 'record') return undefined;
  const memberName = Object.keys(type.members).find((name) => sameKey(type, name, key));
  return memberName === undefined ? undefined : { key: memberName, type: type.members[memberName]!.type };
}

/** The message for a key that `parent` (a record, '' for the whole configuration) does not have. */
export function describeUnknownKey(parent: string, type: ValueType, key: string): { message: string; hint: string } {
  const full = joinKey(parent, key);
  const memberName = type.kind === 'record' ? Object.keys(type.members) : [];
  const message = `${full} is not a setting.`;
  if (!memberName.length) return { message, hint: `${parent} has no nested settings.` };
  const best = closest(key, memberName)!;
  const suggestions = joinKey(parent, best.name);
  const suggestion = sectionsWith(parent, key);
  if (isClose(best.distance, best.name)) suggestion.push(suggestions);
  if (suggestion.length) return { message, hint: `Did you mean ${suggestion.join(' or ')}?` };
  return { message, hint: `The nearest one is ${suggestions}. ${parent} has: ${memberName.join(', ')}.` };
}

/** `A.B`, as messages and the docs name a setting. */
export function joinKey(parent: string, key: string): string {
  return parent ? `${parent}.${key}` : key;
}

/** Settings with this very name, for a key that was put into the wrong section. */
function sectionsWith(parent: string, key: string): string[] {
  if (parent.includes('.')) return [];
  return Object.entries(SETTINGS_TYPE.members).flatMap(([section, { type }]) => {
    const found = type.kind === 'record' ? childOf(type, key) : undefined;
    return found ? [joinKey(section, found.key)] : [];
  });
}
