import { type PluginProblem, suggestNames } from '@mortise/plugin/runtime';
import { PLUGIN_SETTINGS, type PluginSection } from '../../settings/setting-owner.js';
import { type CatalogEntry, hasFailed } from './catalog-entry.js';

/**
 * A warning for each section of `Plugins.Settings` that is of no plugin. None while the name of a plugin may not be known, because it has not loaded
 * (docs/spec/configuration.md#unknown-sections).
 * @param file the settings file, for sections that are not from it
 */
export function unmatchedSettings(
  sections: ReadonlyMap<string, PluginSection>,
  entries: readonly CatalogEntry[],
  file: string,
): PluginProblem[] {
  const plugins = entries.filter(({ candidate }) => !candidate.bundled && !candidate.mounted);
  if (plugins.some((entry) => hasFailed(entry) || !entry.runner)) return [];
  const names = new Map(plugins.map(({ candidate: { name }, settingsName }) => [name, settingsName ?? name]));
  const known = new Set([...names.values()].map((name) => name.toLowerCase()));
  const unmatched = [...sections].filter(([name]) => !known.has(name));
  return unmatched.map(([, section]) => toProblem(section, closestName(section, names, sections), file));
}

/** The name that the plugin of this file name gives itself; or else the closest one that has no section. */
function closestName(
  { key }: PluginSection,
  names: ReadonlyMap<string, string>,
  sections: ReadonlyMap<string, PluginSection>,
): string | undefined {
  const section = key.slice(PLUGIN_SETTINGS.length + 1);
  const free = [...names.values()].filter((name) => !sections.has(name.toLowerCase()));
  return names.get(section) ?? suggestNames(section, free, 1)[0];
}

function toProblem({ key, places }: PluginSection, closest: string | undefined, settingsFile: string): PluginProblem {
  const { variable, file = settingsFile, line, column } = places[''] ?? {};
  const what = variable === undefined ? 'the section' : `the environment variable ${variable}`;
  return {
    severity: 'warning',
    code: 'SETTING_SECTION_UNKNOWN',
    message: `${key} matches no plugin.${closest === undefined ? '' : ` Did you mean '${closest}'?`}`,
    hint: `Name ${what} ${closest === undefined ? 'after the plugin, as `mortise list` shows it,' : `'${closest}',`} or remove it.`,
    location: { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }), subject: key },
  };
}
