import { randomUUID } from 'node:crypto';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { findPlugins } from '../plugins/find.js';
import { contractRange, copyContract, hasContract } from './contract-package.js';
import { type PluginName, readPluginName } from './plugin-name.js';
import { cannotWrite, ScaffoldError } from './scaffold-error.js';

/** The styles that `mortise new --style` knows; the first is the default. */
export const STYLES = ['class', 'register'] as const;

export interface ScaffoldOptions {
  readonly name: string;
  /** One of {@link STYLES}. */
  readonly style?: string;
  /** The plugins folder, absolute; made where it is missing. */
  readonly directory: string;
}

/** A plugin that was made. Paths are absolute. */
export interface Scaffolded {
  readonly name: PluginName;
  readonly folder: string;
  readonly files: readonly string[];
  /** Whether the contract package was copied into the plugin, because it is not installed there. */
  readonly contractCopied: boolean;
}

/**
 * Makes `<directory>/<name>`: a plugin, its test, package.json and README, from templates/. All or nothing.
 * @throws ScaffoldError when the name, the style or the place will not do
 */
export function scaffold({ name, style = STYLES[0], directory }: ScaffoldOptions): Scaffolded {
  checkStyle(style);
  const names = readPluginName(name);
  const folder = join(directory, names.plugin);
  checkFree(directory, folder, names.plugin);
  const temporary = join(directory, `.${names.plugin}-${randomUUID()}`);
  makeFolder(directory);
  makeFolder(temporary);
  try {
    const written = ['common', style].flatMap((template) => writeTemplate(template, temporary, names));
    const contractCopied = !hasContract(realpathSync(temporary));
    if (contractCopied) copyContract(temporary);
    // An empty folder stands in the way of the renaming on Windows.
    if (existsSync(folder)) rmdirSync(folder);
    renameSync(temporary, folder);
    return { name: names, folder, files: written.sort().map((file) => join(folder, file)), contractCopied };
  } catch (error) {
    rmSync(temporary, { recursive: true, force: true });
    return cannotWrite(folder, error);
  }
}

function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { recursive: true });
  } catch (error) {
    cannotWrite(folder, error);
  }
}

function checkStyle(style: string): void {
  if ((STYLES as readonly string[]).includes(style)) return;
  const isLater = style === 'dotnet';
  const message = isLater ? 'Plugins in C# come with a later version.' : `There is no style ${JSON.stringify(style)}.`;
  throw new ScaffoldError(message, `Choose --style ${STYLES.join(' or ')}.`);
}

function checkFree(directory: string, folder: string, plugin: string): void {
  if (existsSync(folder) && !isEmptyFolder(folder)) {
    throw new ScaffoldError(`${folder} exists already.`, 'Choose another name, or remove it first.');
  }
  const same = existsSync(directory) && findPlugins(directory).candidates.find(({ name }) => name === plugin);
  if (same) throw new ScaffoldError(`There is a plugin ${plugin} already: ${same.path}.`, 'Choose another name.');
}

function isEmptyFolder(path: string): boolean {
  try {
    return readdirSync(path).length === 0;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOTDIR') return false;
    return cannotWrite(path, error);
  }
}

const TEMPLATES = fileURLToPath(new URL('../../templates/', import.meta.url));

/** Each template is itself a plugin that works, by the name of my-tool. Gives the names of the files. */
function writeTemplate(template: string, folder: string, { plugin, tool, className, title }: PluginName): string[] {
  const texts = new Map([
    ['my-tool', plugin],
    ['my_tool', tool],
    ['MyTool', className],
    ['My tool', title],
    ['"@mortise/plugin": "*"', `"@mortise/plugin": "${contractRange()}"`],
  ]);
  const pattern = new RegExp([...texts.keys()].map((text) => text.replaceAll('*', '\\*')).join('|'), 'g');
  const from = join(TEMPLATES, template);
  return readdirSync(from).map((file) => {
    const text = readFileSync(join(from, file), 'utf8');
    writeFileSync(
      join(folder, file),
      text.replace(pattern, (found) => texts.get(found)!),
    );
    return file;
  });
}
