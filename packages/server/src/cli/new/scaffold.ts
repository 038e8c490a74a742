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
 * The styles of `mortise new --style`; the first is the default. Each style except `dotnet` has the folders
 * `hello-<style>` and `tour-<style>` in `templates/`. README.md names all styles.
 */
export const STYLES = ['javascript', 'typescript', 'class', 'register', 'dotnet'] as const;

export interface ScaffoldOptions {
  readonly name: string;
  /** One of {@link STYLES}. */
  readonly style?: string;
  /**
   * True for a plugin with a setting, a resource, and a tool that asks, reports progress and logs; false for one short
   * tool. Not for C#.
   */
  readonly isFull?: boolean;
  /** Absolute path of the plugins folder, which is created if it is missing. */
  readonly directory: string;
  /** Absolute path of the folder in which a C# project is created. Default: the parent of the plugins folder. */
  readonly projects?: string;
}

/** A plugin that was created. Paths are absolute. */
export interface Scaffolded {
  readonly name: PluginName;
  readonly folder: string;
  readonly files: readonly string[];
  /** True for a project that has to be built before it can be loaded. */
  readonly isProject: boolean;
  /** The packages that were copied into the plugin because they are not installed there. */
  readonly copiedPackages: readonly NeededPackage[];
}

/**
 * Creates a plugin with its test and README from templates/: `<directory>/<name>`, or for C# the project
 * `<projects>/<name>`. If it fails, nothing is left.
 * @throws ScaffoldError if the name, the style or the folder cannot be used
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
    const realFolder = realpathSync(temporary);
    const copiedPackages = NEEDED_PACKAGES[language].filter((needed) => !hasPackage(needed, realFolder));
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

const NEEDED_PACKAGES: Readonly<Record<'javascript' | 'typescript', readonly NeededPackage[]>> = {
  javascript: ['@mortise/plugin'],
  typescript: ['@mortise/plugin', 'jiti'],
};

function checkStyle(style: string, isFull: boolean): void {
  if (!(STYLES as readonly string[]).includes(style))
    throw new ScaffoldError(`There is no style ${JSON.stringify(style)}.`, `Choose --style ${joinWithOr(STYLES)}.`);
  if (isFull && style === 'dotnet')
    throw new ScaffoldError('The style dotnet has no full form.', 'Leave out --full, or choose another style.');
}

/** Returns `a, b or c`. @param items at least two */
export function joinWithOr(items: readonly string[]): string {
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

function checkUnused(directory: string, plugin: string): void {
  const existing = existsSync(directory) && findPlugins(directory).candidates.find(({ name }) => name === plugin);
  if (existing)
    throw new ScaffoldError(`There is a plugin ${plugin} already: ${existing.path}.`, 'Choose another name.');
}
