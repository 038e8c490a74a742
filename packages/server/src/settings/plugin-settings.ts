import type { JsonObject } from '@mortise/plugin';
import type { SettingPlace, UnavailableSetting } from '@mortise/plugin/runtime';
import type { Place, Places } from './resolve-settings.js';
import { PLUGIN_SETTINGS, type PluginSection, pointerOf, type UnavailableReference } from './setting-owner.js';

/** Returns the sections of `Plugins.Settings` by plugin name in lower case, because keys are case-insensitive. */
export function pluginSections(
  sections: Readonly<Record<string, JsonObject>>,
  places: Places,
  unavailable: readonly UnavailableReference[],
): Map<string, PluginSection> {
  return new Map(
    Object.entries(sections).map(([name, values]) => {
      const ownReferences = unavailable.filter(({ owner }) => owner.section === PLUGIN_SETTINGS && owner.name === name);
      const section = {
        key: `${PLUGIN_SETTINGS}.${name}`,
        values,
        places: placesBelow(places, pointerOf([...PLUGIN_SETTINGS.split('.'), name])),
        unavailable: ownReferences.map(toUnavailable),
      };
      return [name.toLowerCase(), section];
    }),
  );
}

const toUnavailable = ({ owner, problem: { message, hint } }: UnavailableReference): UnavailableSetting => ({
  pointer: owner.pointer,
  message,
  hint,
});

/**
 * Returns the places of the settings in a section, by their JSON pointers within the section, in lower case.
 * @param section the JSON pointer of the section
 */
function placesBelow(places: Places, section: string): Record<string, SettingPlace> {
  const ownPlaces = [...places].filter(([pointer]) => pointer === section || pointer.startsWith(`${section}/`));
  return Object.fromEntries(
    ownPlaces.map(([pointer, place]) => [pointer.slice(section.length).toLowerCase(), toSettingPlace(place)]),
  );
}

function toSettingPlace({ origin, isLoose }: Place): SettingPlace {
  const loose = isLoose ? { isLoose } : {};
  if (origin.from === 'environment') return { variable: origin.variable, ...loose };
  if (origin.from !== 'file') return loose;
  const { file, line, column } = origin;
  return { file, line, column, ...loose };
}
