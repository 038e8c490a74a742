import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPlugins } from '../../plugins/find/discover-plugins.js';
import { checkFree, createFolderAtomically, makeFolder } from './atomic-folder.js';
import { makeDotnetProject } from './dotnet-project.js';
import { contractRange, copyPackage, hasPackage, type NeededPackage } from './needed-packages.js';
import { type PluginName, parsePluginName } from './plugin-name.js';
import { ScaffoldError } from './scaffold-error.js';
import { writeTemplate } from './write-template.js';

/**
 * The styles that `mortise new --style` knows; the first is the default. Each has the folders `hello-<style>` and
 * `tour-<style>` in `templates/`, except `dotnet`, and README.md names it.
 */
export const STYLES = ['javascript', 'typescript', 'class', 'register', 'dotnet'] as const;

export interface ScaffoldOptions {
  readonly name: string;
  /** One of {@link STYLES}. */
  readonly style?: string;
  /** A setting, a tool that asks, reports progress and logs, and a resource, instead of one short tool. Not for C#. */
  readonly isFull?: boolean;
  /** The plugins folder, absolute; created if it is missing. */
  readonly directory: string;
  /** In which a C# project gets a folder, absolute; its build goes to the plugins folder. Default: that folder's parent. */
  readonly projects?: string;
}

/** A plugin that was made. Paths are absolute. */
export interface Scaffolded {
  readonly name: PluginName;
  readonly folder: string;
  readonly files: readonly string[];
  /** It is a project that has to be built first. */
  readonly isProject: boolean;
  /** The packages that were copied into the plugin, because they are not installed there. */
  readonly copiedPackages: readonly NeededPackage[];
}

/**
 * Makes a plugin with its test and README, from templates/: `<directory>/<name>`, or the project `<projects>/<name>` of one in
 * C#. All or nothing.
 * @throws ScaffoldError when the name, the style or the place will not do
 */
export function scaffold(options: ScaffoldOptions): Scaffolded {
  const { name, style = STYLES[0], isFull = false, directory, projects = dirname(directory) } = options;
  checkStyle(style, isFull);
  const names = parsePluginName(name);
  checkUnused(directory, names.plugin);
  if (style !== 'dotnet') return makeModule(names, { style, isFull, directory });
  return { name: names, ...makeDotnetProject(names, { directory, projects }), isProject: true, copiedPackages: [] };
}

function makeModule(
  name: PluginName,
  { style, isFull, directory }: Required<Pick<ScaffoldOptions, 'style' | 'isFull' | 'directory'>>,
): Scaffolded {
  const folder = join(directory, name.plugin);
  checkFree(folder);
  makeFolder(directory);
  const language = style === 'typescript' ? 'typescript' : 'javascript';
  const size = isFull ? 'tour' : 'hello';
  const templates = [`package-${language}`, `${size}-test-${language}`, `${size}-${style}`];
  const contract = { '"@mortise/plugin": "*"': `"@mortise/plugin": "${contractRange()}"` };
  return createFolderAtomically(folder, (temporary) => {
    const files = templates.flatMap((template) => writeTemplate(template, temporary, name, contract));
    const at = realpathSync(temporary);
    const copiedPackages = NEEDED[language].filter((needed) => !hasPackage(needed, at));
    for (const needed of copiedPackages) copyPackage(needed, temporary);
    return {
      name,
      folder,
      files: files.sort().map((file) => join(folder, file)),
      isProject: false,
      copiedPackages,
    };
  });
}

const NEEDED: Readonly<Record<'javascript' | 'typescript', readonly NeededPackage[]>> = {
  javascript: ['@mortise/plugin'],
  typescript: ['@mortise/plugin', 'jiti'],
};

function checkStyle(style: string, isFull: boolean): void {
  if (!(STYLES as readonly string[]).includes(style))
    throw new ScaffoldError(`There is no style ${JSON.stringify(style)}.`, `Choose --style ${listed(STYLES)}.`);
  if (isFull && style === 'dotnet')
    throw new ScaffoldError('The style dotnet has no full form.', 'Leave out --full, or choose another style.');
}

/** `a, b or c`. */
export function listed(items: readonly string[]): string {
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

function checkUnused(directory: string, plugin: string): void {
  const same = existsSync(directory) && findPlugins(directory).candidates.find(({ name }) => name === plugin);
  if (same) throw new ScaffoldError(`There is a plugin ${plugin} already: ${same.path}.`, 'Choose another name.');
}
