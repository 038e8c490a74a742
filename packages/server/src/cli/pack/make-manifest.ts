import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, sep } from 'node:path';
import { kindOfFile } from '../../core/plugin-kinds.js';
import { folderCandidate } from '../../plugins/find/discover-plugins.js';
import { PLUGIN_API, pluginApiVersion } from '../../plugins/find/peer-range.js';
import { CliError } from '../shared/cli-error.js';
import { shellQuote } from '../shared/shell-quote.js';
import { KEYWORD } from './check-manifest.js';

/** Matches files that npm publishes in any case, and files that nobody who installs the package needs. */
const NOT_LISTED =
  /^\.|^node_modules$|^package(?:-lock)?\.json$|^(?:readme|licen[cs]e|copying)(?:[.-]|$)|^(?:tests?|__tests__)$|\.(?:test|spec)\.|\.tgz$/i;

/**
 * Writes a package.json for a plugin folder that has none.
 * @param mayWrite if false, a missing package.json is an error
 * @returns the path of the new file; undefined if there was one already
 * @throws CliError if the folder is not a plugin, or the file is missing and may not be written
 */
export function makeManifest(folder: string, mayWrite: boolean): string | undefined {
  const file = join(folder, 'package.json');
  if (existsSync(file)) return undefined;
  if (statSync(folder, { throwIfNoEntry: false })?.isFile()) throw notAFolder(folder);
  const location = { name: basename(folder), path: folder, directory: dirname(folder) };
  const entry = existsSync(folder) ? folderCandidate(location)?.entry : undefined;
  if (entry === undefined) throw noPlugin(folder);
  if (!mayWrite) {
    const hint = `Run mortise pack ${shellQuote(folder)} without --check: it writes one.`;
    throw new CliError('notFound', { message: `${folder} has no package.json.`, hint });
  }
  writeFileSync(file, `${JSON.stringify(manifestOf(folder, entry), null, 2)}\n`, { flag: 'wx' });
  return file;
}

function manifestOf(folder: string, entry: string): object {
  const path = relative(folder, entry).split(sep).join('/');
  return {
    name: basename(folder)
      .toLowerCase()
      .replace(/[^a-z0-9._~-]+/g, '-')
      .replace(/^[._-]+/, ''),
    version: '1.0.0',
    keywords: [KEYWORD, 'mcp'],
    ...(kindOfFile(entry) === 'dotnet' ? { main: path } : { exports: `./${path}` }),
    files: readdirSync(folder).filter((name) => !NOT_LISTED.test(name)),
    peerDependencies: { [PLUGIN_API]: `^${pluginApiVersion()}` },
  };
}

function notAFolder(path: string): CliError {
  const name = basename(path);
  const folder = join(dirname(path), name.replace(/\.\w+$/, ''));
  const moved = join(folder, kindOfFile(path) === 'dotnet' ? name : name.replace(/^.*(?=\.\w+$)/, 'index'));
  const hint = `Move it: mkdir ${shellQuote(folder)} && mv ${shellQuote(path)} ${shellQuote(moved)}; then run mortise pack ${shellQuote(folder)}.`;
  return new CliError('usage', { message: `${path} is a file, and npm publishes folders.`, hint });
}

function noPlugin(folder: string): CliError {
  const isProject = existsSync(folder) && readdirSync(folder).some((name) => name.endsWith('.csproj'));
  if (isProject) {
    const hint = `Run dotnet build ${shellQuote(folder)}, then mortise pack with the folder that it builds into, such as plugins/${basename(folder)}.`;
    return new CliError('notFound', { message: `${folder} is a C# project: npm publishes what it builds.`, hint });
  }
  return new CliError('notFound', {
    message: `${folder} has no package.json, no index.* and no <folder>.dll.`,
    hint: 'Name the folder of a plugin; `mortise new <name>` makes one.',
  });
}
