import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { packagePath } from '../../util/package-root.js';
import type { PluginName } from './plugin-name.js';

const TEMPLATES = packagePath('templates');

/**
 * Writes the files of a template to a folder. The plugin's names replace `my-tool`, `MyTool` and so on, in the text and
 * in file names.
 * @param more further texts to replace, with their replacements
 * @returns the files, relative to `folder`
 */
export function writeTemplate(
  template: string,
  folder: string,
  { plugin, tool, className, title }: PluginName,
  more: Readonly<Record<string, string>> = {},
): string[] {
  const replacements = new Map([
    ['my-tool', plugin],
    ['my_tool', tool],
    ['MyTool', className],
    ['myTool', className.charAt(0).toLowerCase() + className.slice(1)],
    ['My tool', title],
    ...Object.entries(more),
  ]);
  const pattern = new RegExp([...replacements.keys()].map((text) => text.replaceAll('*', '\\*')).join('|'), 'g');
  const fill = (text: string) => text.replace(pattern, (match) => replacements.get(match)!);
  const from = join(TEMPLATES, template);
  return filesBelow(from).map((path) => {
    const file = fill(path);
    mkdirSync(dirname(join(folder, file)), { recursive: true });
    writeFileSync(join(folder, file), fill(readFileSync(join(from, path), 'utf8')));
    return file;
  });
}

function filesBelow(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? filesBelow(join(folder, entry.name)).map((path) => join(entry.name, path)) : entry.name,
  );
}
