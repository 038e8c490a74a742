import { type Dirent, existsSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs';
import { basename, extname, join, sep } from 'node:path';
import { type PluginProblem, type ProblemCode, readRegularFile, UnreadableFileError } from '@mortise/plugin/runtime';
import type { Candidate } from '../../core/plugin-candidate.js';
import { kindOfFile } from '../../core/plugin-kinds.js';
import { declaredNeeds } from './declared-needs.js';
import { indexFileOf, type PackageJson, packageEntry, readPackage } from './package-entry.js';
import { peerProblem } from './peer-range.js';
import { isDotnetPlugin } from './plugin-assembly.js';

export interface FoundPlugins {
  /** Sorted by name. */
  readonly candidates: readonly Candidate[];
  /** The problems of the folders themselves. A candidate has its own. */
  readonly problems: readonly PluginProblem[];
}

/**
 * Finds the plugins in a plugins folder without loading them. Never throws.
 * @param directory the absolute path of the folder
 */
export function findPlugins(directory: string): FoundPlugins {
  let entries: Dirent[];
  try {
    entries = readdirSync(directory, { withFileTypes: true });
  } catch (error) {
    return { candidates: [], problems: [directoryProblem(directory, error as NodeJS.ErrnoException)] };
  }
  const names = new Set(entries.map((entry) => entry.name));
  const found = entries
    .filter((entry) => !isIgnored(entry.name, names))
    .map((entry) => ({ entry, candidate: toCandidate(directory, entry) }));
  return {
    candidates: found.flatMap(({ candidate }) => (candidate ? [withOrigin(candidate)] : [])).sort(byName),
    problems: found.flatMap(({ entry, candidate }) => (candidate ? [] : (ignoredFolder(directory, entry) ?? []))),
  };
}

const withOrigin = (candidate: Candidate): Candidate => ({
  ...candidate,
  origin: { from: candidate.root === undefined ? 'file' : 'folder' },
});

/** Returns a warning for a folder that contains code but is not a plugin. */
function ignoredFolder(directory: string, { name }: Dirent): PluginProblem | undefined {
  const path = join(directory, name);
  let files: string[];
  try {
    files = readdirSync(path).filter((file) => kindOfFile(file) && !IGNORED.test(file));
  } catch {
    return undefined;
  }
  if (files.length === 0 || existsSync(join(path, `${name}.dll`))) return undefined;
  const message = `The folder '${name}' is ignored: it has no package.json, index.* or ${name}.dll`;
  const [code = ''] = files.filter((file) => extname(file) !== '.dll');
  const entry =
    code === ''
      ? `Name the assembly ${name}.dll`
      : `Name the file that is the plugin index${extname(code)}, or add a package.json`;
  const hint = `${entry}. A folder whose name begins with _ is ignored without this warning.`;
  return { ...problem('PLUGIN_FOLDER_IGNORED', message, hint, path), severity: 'warning' };
}

/** Compares plugins by name, then by path. Plugins register their names in this order. */
export function byName(a: Candidate, b: Candidate): number {
  if (a.name !== b.name) return a.name < b.name ? -1 : 1;
  return a.path < b.path ? -1 : 1;
}

const IGNORED = /^[._]|^node_modules$|\.d\.[mc]?ts$|\.(?:test|spec|config)\./;

function isIgnored(name: string, siblings: ReadonlySet<string>): boolean {
  return IGNORED.test(name) || (/\.[mc]?js$/.test(name) && siblings.has(name.replace(/js$/, 'ts')));
}

function toCandidate(directory: string, entry: Dirent): Candidate | undefined {
  const path = join(directory, entry.name);
  try {
    const stats = entry.isFile() || entry.isDirectory() ? entry : statSync(path);
    if (entry.isSymbolicLink() && stats.isDirectory()) refuseCycle(directory, path);
    return stats.isDirectory()
      ? folderCandidate({ name: basename(path), path, directory })
      : fromFile(directory, path, stats);
  } catch (error) {
    if (extname(entry.name) !== '' && !kindOfFile(entry.name)) return undefined;
    const hint = 'Correct the link or the permissions, or take the file out of the plugins folder.';
    return rejected(
      directory,
      path,
      problem('PLUGIN_UNREADABLE', unreadable(path, error as NodeJS.ErrnoException), hint, path),
    );
  }
}

function fromFile(directory: string, path: string, stats: Dirent | Stats): Candidate | undefined {
  const extension = extname(path);
  // Throws for a pipe or a device that is named like a plugin. The error names its kind.
  if (!stats.isFile() && extension !== '') readRegularFile(path, 0);
  const kind = stats.isFile() ? kindOfFile(path) : undefined;
  const location = { name: basename(path, extension), path, directory, entry: path };
  return kind === 'dotnet' ? fromAssembly(location) : kind && { ...location, kind, problems: [] };
}

/**
 * Returns the plugin in a folder; undefined if the folder is not a plugin.
 * @param folder the plugin's name, the absolute path of its folder, and of the folder that contains this one
 */
export function folderCandidate(folder: Pick<Candidate, 'name' | 'path' | 'directory'>): Candidate | undefined {
  const { path } = folder;
  const location = { ...folder, kind: 'module' as const };
  const packageJson = readPackage(path);
  if (packageJson && 'problem' in packageJson) return { ...location, problems: [packageJson.problem] };
  const json = packageJson?.json;
  const versionProblem = json && peerProblem(path, json);
  if (versionProblem?.severity === 'error') return { ...location, problems: [versionProblem] };
  const entryOfPackage = json ? packageEntry(path, json) : undefined;
  const entry =
    entryOfPackage && 'entry' in entryOfPackage ? entryOfPackage.entry : json ? undefined : indexFileOf(path);
  if (entry && kindOfFile(entry) === 'dotnet')
    return fromAssembly({ ...location, entry, root: path, ...versionOf(json) });
  if (entry) {
    const { problems: styleProblems, ...style } = nameStyleOf(path, json);
    const { problems: needsProblems, ...needs } = needsOf(path, json);
    const problems = [...styleProblems, ...needsProblems, ...(versionProblem ? [versionProblem] : [])];
    return { ...location, entry, root: path, ...style, ...needs, ...versionOf(json), problems };
  }
  const dotnet = !entryOfPackage && dotnetAssembly(path);
  if (dotnet) return fromAssembly({ ...location, entry: dotnet, root: path, ...versionOf(json) });
  const missing = entryOfPackage && 'missing' in entryOfPackage ? entryOfPackage.missing : undefined;
  return json && { ...location, problems: [entryMissing(path, missing)] };
}

function versionOf(json: PackageJson | undefined): Pick<Candidate, 'version'> {
  return typeof json?.version === 'string' ? { version: json.version } : {};
}

function fromAssembly(
  location: Pick<Candidate, 'name' | 'directory' | 'path' | 'root' | 'version'> & { entry: string },
): Candidate | undefined {
  const { entry } = location;
  // A missing assembly is still a candidate: it may be about to be built, and loading it reports that it is missing.
  if (existsSync(entry) && !isDotnetPlugin(entry)) return undefined;
  return { ...location, kind: 'dotnet', problems: [] };
}

function dotnetAssembly(folder: string): string | undefined {
  const sameName = join(folder, `${basename(folder)}.dll`);
  if (existsSync(sameName)) return sameName;
  const [depsFile, ...others] = readdirSync(folder).filter((name) => name.endsWith('.deps.json'));
  return depsFile && others.length === 0 ? join(folder, depsFile.replace(/\.deps\.json$/, '.dll')) : undefined;
}

function nameStyleOf(folder: string, json: PackageJson | undefined): Pick<Candidate, 'nameStyle' | 'problems'> {
  const style = (json?.mortise as { nameStyle?: unknown } | null | undefined)?.nameStyle;
  if (style === undefined) return { problems: [] };
  if (style === 'portable' || style === 'exact') return { nameStyle: style, problems: [] };
  const message = `mortise.nameStyle in package.json is ${JSON.stringify(style)}; it is ignored`;
  const hint = "Write 'portable' or 'exact'.";
  return {
    problems: [
      { ...problem('PLUGIN_PACKAGE_INVALID', message, hint, join(folder, 'package.json')), severity: 'warning' },
    ],
  };
}

/** A declaration with a mistake counts as none, so that a mistake never gives a plugin more rights. */
function needsOf(folder: string, json: PackageJson | undefined): Pick<Candidate, 'needs' | 'problems'> {
  const declared = declaredNeeds(json);
  if (declared === undefined || 'needs' in declared) return { ...declared, problems: [] };
  const message = `${declared.wrong} in package.json is wrong, so the plugin declares no needs`;
  const hint = 'Write {"read": [paths], "write": [paths], "network": true or false, "run": true or false}.';
  const file = join(folder, 'package.json');
  return { problems: [{ ...problem('PLUGIN_PACKAGE_INVALID', message, hint, file), severity: 'warning' }] };
}

function refuseCycle(directory: string, link: string): void {
  const target = realpathSync(link);
  const isAbove = `${realpathSync(directory)}${sep}`.startsWith(target.endsWith(sep) ? target : target + sep);
  if (isAbove) throw Object.assign(new Error('cycle'), { code: 'ELOOP' });
}

function rejected(directory: string, path: string, reason: PluginProblem): Candidate {
  const name = basename(path, kindOfFile(path) && extname(path));
  return { kind: 'module', name, path, directory, problems: [reason] };
}

function problem(code: ProblemCode, message: string, hint: string, file: string): PluginProblem {
  return { severity: 'error', code, message, hint, location: { file } };
}

function entryMissing(folder: string, missing = 'it has no entry point and no index file'): PluginProblem {
  const hint = 'Build the plugin, correct exports or main in package.json, or add an index.js.';
  return problem('PLUGIN_ENTRY_MISSING', `package.json: ${missing}`, hint, join(folder, 'package.json'));
}

const UNREADABLE: Record<string, string> = {
  ENOENT: 'is a link to something that does not exist',
  ELOOP: 'is a link that leads back to itself',
  EACCES: 'cannot be read by this user',
  EPERM: 'cannot be read by this user',
};

function unreadable(path: string, error: NodeJS.ErrnoException): string {
  const { code = '', message } = error;
  const why = error instanceof UnreadableFileError ? error.why : message;
  return `'${basename(path)}' ${UNREADABLE[code] ?? `cannot be read: ${why}`}`;
}

function directoryProblem(directory: string, error: NodeJS.ErrnoException): PluginProblem {
  const unreadableDirectory = (message: string, hint: string) => problem('PLUGIN_UNREADABLE', message, hint, directory);
  if (error.code === 'ENOENT') {
    const hint = 'Make it and a first plugin with `mortise new <name>`, or set Plugins.Directory.';
    return { ...unreadableDirectory(`The plugins folder '${directory}' does not exist`, hint), severity: 'warning' };
  }
  if (error.code === 'ENOTDIR') {
    return unreadableDirectory(`'${directory}' is not a folder`, 'Set Plugins.Directory to a folder.');
  }
  return unreadableDirectory(
    `The plugins folder '${directory}' cannot be read: ${error.message}`,
    'Correct its permissions, or set Plugins.Directory.',
  );
}
