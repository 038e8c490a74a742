// The defaults of settings, as settings-table.ts has them.
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const table = fileURLToPath(new URL('../packages/server/src/settings/settings-table.ts', import.meta.url));
const { SETTINGS_SCHEMA } = await createJiti(import.meta.url).import(table);

/** The defaults of a section, by the names of its settings; undefined for a section that does not exist. */
export function defaultsOf(section) {
  const { properties } = SETTINGS_SCHEMA;
  if (!Object.hasOwn(properties, section)) return undefined;
  const settings = Object.entries(properties[section].properties ?? {});
  return Object.fromEntries(settings.map(([name, schema]) => [name, schema.default]));
}
