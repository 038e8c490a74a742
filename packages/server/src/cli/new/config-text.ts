import { existsSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import { applyEdits, modify } from 'jsonc-parser';
import { packagePath } from '../../util/package-root.js';

const SECTION = { Directory: 'plugins' };
const SCHEMA = 'settings.schema.json';

/** Returns the text of a new configuration. It refers to the schema of the settings, which editors use. */
export const newConfig = (file: string): string =>
  `${JSON.stringify({ $schema: schemaFor(dirname(file)), Plugins: SECTION }, null, 2)}\n`;

/**
 * Returns a relative path to the schema in the package that is installed for the folder. Without one, returns the URL
 * of the schema in this installation; undefined if this is a copy that npx may delete.
 */
function schemaFor(folder: string): string | undefined {
  const schemaFile = installedSchema(folder);
  if (schemaFile !== undefined) {
    const path = relative(folder, schemaFile).replaceAll(sep, '/');
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

/** Adds the section `Plugins` to another program's appsettings.json; everything else, including comments, is kept. */
export function addPluginsSection(text: string): string {
  const [, indent = '  '] = /^([ \t]+)\S/m.exec(text) ?? [];
  const insertSpaces = !indent.startsWith('\t');
  const formattingOptions = { insertSpaces, tabSize: insertSpaces ? indent.length : 1 };
  return applyEdits(text, modify(text, ['Plugins'], SECTION, { formattingOptions }));
}
