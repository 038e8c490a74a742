import { readlinkSync, realpathSync, statSync } from 'node:fs';
import { basename, dirname, isAbsolute, join, parse, relative, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { FileError } from '../project-files/file-error.js';
import { foldersUpward } from '../project-files/find-project.js';
import { namesIn } from '../project-files/readable-files.js';
import { toArguments } from './checks.js';
import { InvalidParameterError } from './invalid-parameter.js';
import { type Arguments, PARAMETERS, type Parameter, type ParameterName } from './parameters.js';

/** Links to links that are followed, as in Linux. */
const MAX_LINKS = 40;

/**
 * Judges the paths of a call once, before any of them is used.
 * @returns the arguments, with paths that no link can lead elsewhere later
 * @throws InvalidParameterError, FileError
 */
export function checkedPaths(roots: readonly string[], args: Arguments, cwd: string): Arguments {
  const checked = withinRoots(roots, args, cwd);
  assertOnlyFiles(checked, cwd);
  return checked;
}

/**
 * Refuses a call whose folder or one of whose paths is outside of `Dotnet.Roots` (docs/spec/access.md#roots). No roots: anywhere.
 * @returns the arguments; paths through symbolic links are where the links lead now, so that a link that is replaced later has no
 * effect
 * @throws InvalidParameterError that names the parameter
 */
function withinRoots(roots: readonly string[], args: Arguments, cwd: string): Arguments {
  if (roots.length === 0) return args;
  const real = roots.map((root) => realTarget(root));
  assertPath(real, 'workingDirectory', cwd, cwd);
  const entries = Object.entries(args).map(([name, value]: [string, unknown]) => {
    const kind = kindOf(name);
    if (kind === undefined) return [name, value];
    const check = (text: unknown) => {
      for (const path of pathsIn(name, kind, String(text))) assertPath(real, name, path, cwd);
      return kind === 'path' ? withoutLinks(String(text), cwd) : text;
    };
    if (Array.isArray(value)) return [name, value.map(check)];
    return [name, typeof value === 'string' ? check(value) : value];
  });
  return Object.fromEntries(entries) as Arguments;
}

function kindOf(name: string): string | undefined {
  const parameter = PARAMETERS[name as ParameterName] as Parameter | undefined;
  return parameter && 'kind' in parameter ? parameter.kind : undefined;
}

/** As it is written where no part of it is a link. */
function withoutLinks(path: string, cwd: string): string {
  const target = realTarget(resolve(cwd, path));
  return target === resolve(cwd, path) ? path : target;
}

/** The folder of a call that names none: that of the server, unless it is outside of the roots. */
export function defaultFolder(roots: readonly string[]): string {
  const cwd = process.cwd();
  return isWithinRoots(roots, cwd) ? cwd : realTarget(roots[0]!);
}

/** Whether the absolute path is inside of the roots, or there are none. */
export function isWithinRoots(roots: readonly string[], path: string): boolean {
  return roots.length === 0 || roots.some((root) => isWithin(realTarget(root), realTarget(path)));
}

/**
 * The folder, absolute and without links if there are roots.
 * @throws InvalidParameterError for a folder outside of the roots; nothing is said of whether it exists
 */
export function folderWithinRoots(roots: readonly string[], name: string, folder: string): string {
  if (roots.length === 0) return resolve(folder);
  const cwd = defaultFolder(roots);
  assertPath(roots, name, folder, cwd);
  return realTarget(resolve(cwd, folder));
}

/**
 * The folder that a call works in, absolute.
 * @throws InvalidParameterError for one that is no folder, or outside of the roots
 */
export function workingDirectory({ workingDirectory: requested }: Arguments, roots: readonly string[]): string {
  if (requested === undefined) return defaultFolder(roots);
  const folder = folderWithinRoots(roots, 'workingDirectory', requested);
  const stat = statSync(folder, { throwIfNoEntry: false });
  if (stat?.isDirectory()) return folder;
  const what = stat ? 'is not a folder' : 'not found';
  throw new InvalidParameterError(
    'workingDirectory',
    'not found',
    `Parameter 'workingDirectory' ${what}: ${requested}`,
    {
      providedValue: requested,
      hint: `Resolved path: ${folder}.`,
    },
  );
}

/** What a value of this kind can name in the file system; empty if it cannot be a path. */
function pathsIn(name: string, kind: string, value: string): string[] {
  if (kind === 'path') return /^file:/i.test(value) ? [value, fromFileUrl(value)] : [value];
  // Files to format, or items: what comes before a wildcard decides where they are.
  if (name === 'include') return value.split(';').map((one) => one.split(/[*?]/, 1)[0]!);
  if (name === 'additionalOptions') return toArguments(value, name).flatMap(optionPaths);
  if (kind !== 'source' && kind !== 'name') return [];
  if (/^file:/i.test(value)) return [fromFileUrl(value)];
  // A source, a template package and a new project can be a folder here that is a link.
  const canBeHere = (kind === 'source' || name === 'name') && !IS_URL.test(value);
  return canBeHere || isPath(value) ? [value] : [];
}

const IS_URL = /^[a-z][a-z0-9+.-]+:\/\//i;

const isPath = (value: string): boolean => !IS_URL.test(value) && (/[\\/]/.test(value) || value === '..');

/** `value`, `--output=value`, `-o:value`, `-ovalue`. */
function optionPaths(option: string): string[] {
  const values = [option, ...option.split(/^-[\w-]+[=:]/).slice(1), ...(/^-\w/.test(option) ? [option.slice(2)] : [])];
  return values.filter((value) => !value.startsWith('-') && isPath(value));
}

function fromFileUrl(url: string): string {
  try {
    return fileURLToPath(url);
  } catch {
    return parse(process.cwd()).root;
  }
}

/** Programs differ in whether they remove `..` before or after they follow links: both results must be inside. */
function assertPath(roots: readonly string[], name: string, value: string, cwd: string): void {
  const targets = [realTarget(resolve(cwd, value)), walked(cwd, value)];
  if (targets.every((target) => roots.some((root) => isWithin(realTarget(root), target)))) return;
  throw new InvalidParameterError(name, 'invalid value', `Parameter '${name}' is outside of the allowed folders`, {
    providedValue: value,
    hint: `Give a path in one of: ${roots.join(', ')} (Dotnet.Roots).`,
  });
}

/** The path with its links followed one part at a time, as the operating system does it. */
function walked(cwd: string, value: string): string {
  const root = isAbsolute(value) ? parse(value).root : cwd;
  let at = realTarget(root);
  for (const part of value.slice(isAbsolute(value) ? root.length : 0).split(/[\\/]+/)) {
    if (part !== '' && part !== '.') at = part === '..' ? dirname(at) : realTarget(join(at, part));
  }
  return at;
}

/** The path without links, as far as it exists; a link to something that does not exist counts as its target. */
function realTarget(path: string, links = 0): string {
  try {
    return realpathSync(path);
  } catch {
    const target = links < MAX_LINKS ? linkTarget(path) : undefined;
    if (target !== undefined) return realTarget(resolve(dirname(path), target), links + 1);
    const parent = dirname(path);
    return parent === path ? path : join(realTarget(parent, links), basename(path));
  }
}

function linkTarget(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined;
  }
}

function isWithin(root: string, path: string): boolean {
  const rest = relative(root, path);
  return rest === '' || (rest !== '..' && !rest.startsWith(`..${sep}`) && !isAbsolute(rest));
}

/** What the SDK reads in the folder of a project, by name, and in every folder above it. */
const READ_HERE = /\.(?:[a-z]*proj|slnx?|slnf|user)$/i;
const READ_UPWARD = [
  'global.json',
  'nuget.config',
  'NuGet.Config',
  'Directory.Build.props',
  'Directory.Build.targets',
  'Directory.Build.rsp',
  'Directory.Packages.props',
];
const PATHS = ['project', 'projectPath', 'solution', 'globalJsonPath'] as const;

/**
 * Looks for named pipes, sockets and devices where a command would read a file: it would wait forever.
 * @throws FileError that names the first
 */
function assertOnlyFiles(args: Arguments, cwd: string): void {
  const named = PATHS.flatMap((name) => (typeof args[name] === 'string' ? [resolve(cwd, args[name])] : []));
  const folders = new Set([cwd, ...named.map((path) => (fileKindOf(path) === 'folder' ? path : dirname(path)))]);
  const here = [...folders].flatMap((folder) =>
    namesIn(folder)
      .filter((name) => READ_HERE.test(name))
      .map((name) => join(folder, name)),
  );
  const above = [...new Set([...folders].flatMap((folder) => foldersUpward(folder)))];
  const upward = above.flatMap((folder) => READ_UPWARD.map((name) => join(folder, name)));
  const odd = [...named, ...here, ...upward].find((path) => fileKindOf(path) === 'other');
  if (odd === undefined) return;
  const message = `${odd} is a named pipe, a socket or a device, not a file`;
  throw new FileError('not found', message, 'Remove it, or put a file in its place.');
}

function fileKindOf(path: string): 'file' | 'folder' | 'other' | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false });
    if (!stats) return undefined;
    if (stats.isDirectory()) return 'folder';
    return stats.isFile() ? 'file' : 'other';
  } catch {
    // The command reports the problem of the path.
    return undefined;
  }
}
