// The defaults of settings, as settings-table.ts has them.
import { fileURLToPath } from 'node:url';
import { createJiti } from 'jiti';

const table = fileURLToPath(new URL('../packages/server/src/settings/settings-table.ts', import.meta.url));
const { SECTIONS } = await createJiti(import.meta.url).import(table);

/** The defaults of a section, by the names of its settings; undefined for a section that does not exist. */
export function defaultsOf(section) {
  if (!Object.hasOwn(SECTIONS, section)) return undefined;
  return Object.fromEntries(Object.entries(SECTIONS[section].settings).map(([name, row]) => [name, row.default]));
}
