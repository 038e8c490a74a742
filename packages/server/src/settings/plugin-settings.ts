import type { JsonObject } from '@mortise/plugin';
import type { SettingPlace, UnavailableSetting } from '@mortise/plugin/runtime';
import type { Origin } from './origin.js';
import { PLUGIN_SETTINGS, type PluginSection, pointerPart, type UnavailableReference } from './setting-owner.js';
import type { SourcedObject, SourcedValue } from './sourced-value.js';

/**
 * The sections of `Plugins.Settings`, by plugin name in lower case: settings are case-insensitive.
 * @param tree all settings, with the places where they were set
 * @param values what was read of them
 */
export function pluginSections(
  tree: SourcedObject,
  values: Readonly<Record<string, JsonObject>>,
  unavailable: readonly UnavailableReference[],
): Map<string, PluginSection> {
  const node = PLUGIN_SETTINGS.split('.').reduce<SourcedValue | undefined>((at, key) => memberOf(at, key), tree);
  const sections = Object.entries(values).map(([name, section]): [string, PluginSection] => {
    const own = unavailable.filter(({ owner }) => owner.section === PLUGIN_SETTINGS && owner.name === name);
    const places: Record<string, SettingPlace> = {};
    collectPlaces(memberOf(node, name), '', places);
    return [
      name.toLowerCase(),
      { key: `${PLUGIN_SETTINGS}.${name}`, values: section, places, unavailable: own.map(toUnavailable) },
    ];
  });
  return new Map(sections);
}

const toUnavailable = ({ owner, problem: { message, hint } }: UnavailableReference): UnavailableSetting => ({
  pointer: owner.pointer,
  message,
  hint,
});

function memberOf(node: SourcedValue | undefined, key: string): SourcedValue | undefined {
  return node?.kind === 'object' ? node.members.find((member) => member.key === key)?.value : undefined;
}

function collectPlaces(node: SourcedValue | undefined, pointer: string, places: Record<string, SettingPlace>): void {
  if (node === undefined) return;
  places[pointer.toLowerCase()] = { ...placeOf(node.origin), ...(isLoose(node) && { isLoose: true }) };
  if (node.kind === 'list')
    for (const [at, item] of node.items.entries()) collectPlaces(item, pointer + pointerPart(at), places);
  if (node.kind === 'object')
    for (const { key, value } of node.members) collectPlaces(value, pointer + pointerPart(key), places);
}

function placeOf(origin: Origin): SettingPlace {
  if (origin.from === 'environment') return { variable: origin.variable };
  return origin.from === 'file' ? { file: origin.file, line: origin.line, column: origin.column } : {};
}

const isLoose = (node: SourcedValue): boolean =>
  node.kind === 'scalar' &&
  typeof node.value === 'string' &&
  (node.origin.from === 'environment' || node.value.includes('${'));
