import { existsSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { findPlugins } from '../plugin-loading/discover-plugins.js';
import { checkFree, createFolderAtomically, makeFolder } from './atomic-folder.js';
import { contractRange, copyContract, hasContract } from './contract-package.js';
import { makeDotnetProject } from './dotnet-project.js';
import { type PluginName, parsePluginName } from './plugin-name.js';
import { ScaffoldError } from './scaffold-error.js';
import { writeTemplate } from './write-template.js';

/** The styles that `mortise new --style` knows; the first is the default. */
export const STYLES = ['class', 'register', 'dotnet'] as const;

export interface ScaffoldOptions {
  readonly name: string;
  /** One of {@link STYLES}. */
  readonly style?: string;
  /** The plugins folder, absolute; made where it is missing. */
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
  /** Whether the contract package was copied into the plugin, because it is not installed there. */
  readonly contractCopied: boolean;
}

/**
 * Makes a plugin with its test and README, from templates/: `<directory>/<name>`, or the project `<projects>/<name>` of one in
 * C#. All or nothing.
 * @throws ScaffoldError when the name, the style or the place will not do
 */
export function scaffold(options: ScaffoldOptions): Scaffolded {
  const { name, style = STYLES[0], directory, projects = dirname(directory) } = options;
  checkStyle(style);
  const names = parsePluginName(name);
  checkUnused(directory, names.plugin);
  if (style !== 'dotnet') return makeModule(names, style, directory);
  return { name: names, ...makeDotnetProject(names, { directory, projects }), isProject: true, contractCopied: false };
}

function makeModule(name: PluginName, style: string, directory: string): Scaffolded {
  const folder = join(directory, name.plugin);
  checkFree(folder);
  makeFolder(directory);
  const contract = { '"@mortise/plugin": "*"': `"@mortise/plugin": "${contractRange()}"` };
  return createFolderAtomically(folder, (temporary) => {
    const templateFiles = ['common', style].flatMap((template) => writeTemplate(template, temporary, name, contract));
    const contractCopied = !hasContract(realpathSync(temporary));
    if (contractCopied) copyContract(temporary);
    return {
      name,
      folder,
      files: templateFiles.sort().map((file) => join(folder, file)),
      isProject: false,
      contractCopied,
    };
  });
}

function checkStyle(style: string): void {
  if ((STYLES as readonly string[]).includes(style)) return;
  throw new ScaffoldError(`There is no style ${JSON.stringify(style)}.`, `Choose --style ${listed(STYLES)}.`);
}

/** `a, b or c`. */
export function listed(items: readonly string[]): string {
  return `${items.slice(0, -1).join(', ')} or ${items.at(-1)}`;
}

function checkUnused(directory: string, plugin: string): void {
  const same = existsSync(directory) && findPlugins(directory).candidates.find(({ name }) => name === plugin);
  if (same) throw new ScaffoldError(`There is a plugin ${plugin} already: ${same.path}.`, 'Choose another name.');
}
