import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyEdits, modify } from 'jsonc-parser';
import { packagePath } from '../../util/package-root.js';

const SECTION = { Directory: 'plugins' };
const SCHEMA = 'settings.schema.json';

/** The configuration of a folder that has none. Editors complete and check it by the schema of the settings. */
export const newConfig = (file: string): string =>
  `${JSON.stringify({ $schema: schemaFor(dirname(file)), Plugins: SECTION }, null, 2)}\n`;

/** The schema of the package that is installed for the folder, relative to it; else of this installation, unless npx removes that. */
function schemaFor(folder: string): string | undefined {
  const installed = installedSchema(folder);
  if (installed !== undefined) {
    const path = relative(folder, installed).replaceAll(sep, '/');
    return path.startsWith('.') ? path : `./${path}`;
  }
  const own = packagePath(SCHEMA);
  return own.includes(`${sep}_npx${sep}`) ? undefined : pathToFileURL(own).href;
}

function installedSchema(folder: string): string | undefined {
  const file = join(folder, 'node_modules', 'mortise', SCHEMA);
  if (existsSync(file)) return file;
  const parent = dirname(folder);
  return parent === folder ? undefined : installedSchema(parent);
}

/** Adds our section to another program's appsettings.json; everything else, including comments, is kept. */
export function addPluginsSection(text: string): string {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  const insertSpaces = !indent.startsWith('\t');
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? indent.length : 1 };
  return applyEdits(text, modify(text, ['Plugins'], SECTION, { formattingOptions }));
}
