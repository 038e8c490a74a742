import { type PluginProblem, suggestNames } from '@mortise/plugin/runtime';
import { PLUGIN_SETTINGS, type PluginSection } from '../../settings/setting-owner.js';
import { type CatalogEntry, hasFailed } from './catalog-entry.js';

/**
 * Returns a warning for each section of `Plugins.Settings` that matches no plugin; none while a plugin has not loaded,
 * because its code may give it another name (docs/spec/configuration.md#unknown-sections).
 * @param file shown as the location of sections whose own file is not known
 */
export function unmatchedSettings(
  sections: ReadonlyMap<string, PluginSection>,
  entries: readonly CatalogEntry[],
  file: string,
): PluginProblem[] {
  const plugins = entries.filter(({ candidate }) => !candidate.bundled && !candidate.mounted);
  if (plugins.some((entry) => hasFailed(entry) || !entry.runner)) return [];
  const settingsNames = new Map(plugins.map(({ candidate: { name }, settingsName }) => [name, settingsName ?? name]));
  const knownNames = new Set([...settingsNames.values()].map((name) => name.toLowerCase()));
  const unmatched = [...sections].filter(([name]) => !knownNames.has(name));
  return unmatched.map(([, section]) => toProblem(section, closestName(section, settingsNames, sections), file));
}

/**
 * Returns the name to suggest for a section: if the section has the file name of a plugin, the name that this plugin
 * gives itself; otherwise the most similar name without a section.
 * @param settingsNames the names that plugins give themselves, by file name
 */
function closestName(
  { key }: PluginSection,
  settingsNames: ReadonlyMap<string, string>,
  sections: ReadonlyMap<string, PluginSection>,
): string | undefined {
  const sectionName = key.slice(PLUGIN_SETTINGS.length + 1);
  const namesWithoutSection = [...settingsNames.values()].filter((name) => !sections.has(name.toLowerCase()));
  return settingsNames.get(sectionName) ?? suggestNames(sectionName, namesWithoutSection, 1)[0];
}

function toProblem({ key, places }: PluginSection, closest: string | undefined, settingsFile: string): PluginProblem {
  const { variable, file = settingsFile, line, column } = places[''] ?? {};
  const source = variable === undefined ? 'the section' : `the environment variable ${variable}`;
  return {
    severity: 'warning',
    code: 'SETTING_SECTION_UNKNOWN',
    message: `${key} matches no plugin.${closest === undefined ? '' : ` Did you mean '${closest}'?`}`,
    hint: `Name ${source} ${closest === undefined ? 'after the plugin, as `mortise list` shows it,' : `'${closest}',`} or remove it.`,
    location: { file, ...(line !== undefined && { line }), ...(column !== undefined && { column }), subject: key },
  };
}
